package io.homa.rules;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The compiled classes of the module whose tests are running.
final class ModuleClasses {
    private ModuleClasses() {}

    /// Surefire and IDEs start tests in the module's directory.
    static Path directory() {
        return Path.of(System.getProperty("basedir", "."), "target", "classes");
    }

    static List<Path> files() throws IOException {
        if (!Files.isDirectory(directory())) {
            return List.of();
        }
        try (Stream<Path> files = Files.walk(directory())) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
        }
    }
}
