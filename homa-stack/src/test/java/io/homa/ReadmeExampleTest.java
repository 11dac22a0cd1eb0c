package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The program in README.md is the one that is compiled here, and it works.
class ReadmeExampleTest {
    private static final Path MODULE =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath();

    @Test
    void readmeShowsTheCompiledProgram() throws IOException {
        String source = Files.readString(MODULE.resolve("src/test/java/io/homa/ReadmeExample.java"));
        String program = between(source, "    // README begins\n", "    // README ends\n")
                .lines()
                .map(line -> line.replaceFirst("^ {4}", "") + "\n")
                .collect(Collectors.joining());
        String readme = Files.readString(MODULE.resolveSibling("README.md"));
        assertEquals(program, between(readme, "```java\n", "```\n"));
    }

    @Test
    @Timeout(120)
    void readmeProgramWorks() throws InterruptedException {
        assertEquals(42, ReadmeExample.add(40, 2));
    }

    private static String between(String text, String begin, String end) {
        int from = text.indexOf(begin) + begin.length();
        return text.substring(from, text.indexOf(end, from));
    }
}
