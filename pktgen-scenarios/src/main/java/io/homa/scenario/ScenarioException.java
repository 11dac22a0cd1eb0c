package io.homa.scenario;

/// A scenario file is wrong; the message names file, line and what is allowed.
public final class ScenarioException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ScenarioException(String file, int line, String message) {
        super(file + ":" + line + ": " + message);
    }
}
