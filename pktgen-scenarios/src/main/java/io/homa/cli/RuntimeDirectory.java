package io.homa.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jspecify.annotations.Nullable;

/// Where sockets and records of running stacks of this user lie.
public final class RuntimeDirectory {
    /// Longest directory so that the names in it still fit into a Unix socket's 107 characters.
    private static final int MAX_LENGTH = 80;

    private RuntimeDirectory() {}

    /// Returns the directory, made if it is not there: below XDG_RUNTIME_DIR, else below the directory for
    /// temporary files, readable by this user only.
    public static Path get() {
        Path directory = choose(System.getenv("XDG_RUNTIME_DIR"), System.getProperty("java.io.tmpdir", "/tmp"));
        try {
            if (!Files.isDirectory(directory)) {
                Files.createDirectory(
                        directory, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
            boolean isOurs = Files.getOwner(directory).getName().equals(System.getProperty("user.name"));
            if (!isOurs || !Files.isWritable(directory)) {
                throw new RunFailure("the directory " + directory + " for sockets belongs to somebody else. Remove it,"
                        + " set XDG_RUNTIME_DIR to a directory of yours, or name a socket with --device.");
            }
        } catch (IOException e) {
            throw new RunFailure(
                    "cannot make the directory " + directory + " for sockets (" + e.getMessage()
                            + "). Set XDG_RUNTIME_DIR to a directory that you may write.",
                    e);
        }
        return directory;
    }

    static Path choose(@Nullable String runtimeDirectory, String temporaryDirectory) {
        boolean isUsable = runtimeDirectory != null
                && !runtimeDirectory.isEmpty()
                && runtimeDirectory.length() < MAX_LENGTH
                && Files.isWritable(Path.of(runtimeDirectory));
        return isUsable
                ? Path.of(runtimeDirectory, "homa")
                : Path.of(temporaryDirectory, "homa-" + System.getProperty("user.name"));
    }
}
