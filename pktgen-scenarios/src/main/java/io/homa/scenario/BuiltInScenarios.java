package io.homa.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The scenario files that come with the program.
public final class BuiltInScenarios {
    /// Their names, in the order of the list.
    public static final List<String> NAMES = List.of(
            "incast",
            "hol-blocking",
            "w1",
            "w2",
            "w3",
            "w4",
            "w5",
            "priorities",
            "loss",
            "allreduce",
            "parameter-server",
            "kv-cache",
            "moe",
            "checkpoint");

    private BuiltInScenarios() {}

    /// Returns the text of one.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public static String text(String name) {
        String resource = "/scenarios/" + name + ".yaml";
        try (InputStream in = NAMES.contains(name) ? BuiltInScenarios.class.getResourceAsStream(resource) : null) {
            if (in == null) {
                throw new IllegalArgumentException("no scenario '" + name + "'; allowed are sigcomm18, overcommit, "
                        + String.join(", ", NAMES) + ", or the path of a YAML file");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException(resource + " cannot be read", e);
        }
    }
}
