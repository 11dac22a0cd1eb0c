package io.homa.cli;

import io.homa.scenario.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/// What `--version` prints.
public final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
        return new String[] {"homa " + BuildInfo.version() + " (" + BuildInfo.commit() + ")"};
    }
}
