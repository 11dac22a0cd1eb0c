package io.homa.scenario;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.concurrent.TimeUnit;

/// Which program this is.
public final class BuildInfo {
    private BuildInfo() {}

    /// Returns the version of the build.
    public static String version() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("/io/homa/scenario/build.properties")) {
            if (in != null) {
                properties.load(in);
            }
        } catch (IOException e) {
            // A jar that cannot be read has no version to tell.
            return "unknown";
        }
        return properties.getProperty("version", "unknown");
    }

    /// Returns the commit of the checkout that the launcher runs from, with `-dirty` if files differ from it;
    /// `unknown` without git or a checkout.
    public static String commit() {
        String home = System.getProperty("homa.home", ".");
        try {
            Process git = new ProcessBuilder("git", "-C", home, "describe", "--always", "--dirty", "--abbrev=12")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!git.waitFor(5, TimeUnit.SECONDS)) {
                git.destroy();
                return "unknown";
            }
            String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return git.exitValue() == 0 && !text.isEmpty() ? text : "unknown";
        } catch (IOException e) {
            return "unknown";
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "unknown";
        }
    }
}
