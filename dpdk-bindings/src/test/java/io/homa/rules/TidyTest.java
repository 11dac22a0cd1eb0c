package io.homa.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rules about texts hold in the whole repository, and catch what they are there for.
class TidyTest {
    private static final Path REPOSITORY = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .normalize()
            .getParent();
    private static final Set<String> UNREAD_DIRECTORIES = Set.of("target", ".git", ".idea", ".vscode");
    /// These name what they forbid.
    private static final Set<String> EXEMPT = Set.of("Tidy.java", "TidyTest.java");

    @Test
    void everySourceFileIsTidy() throws IOException {
        List<String> problems = new ArrayList<>();
        List<Path> sources = sources();
        assertTrue(sources.size() >= 50, "files found: " + sources);
        for (Path file : sources) {
            problems.addAll(Tidy.problems(REPOSITORY.relativize(file), Files.readAllLines(file)));
        }
        assertEquals("", String.join("\n", problems));
    }

    @Test
    void everyPackageSaysWhatItIsForAndIsNullMarked() throws IOException {
        Set<Path> packages = new TreeSet<>();
        for (Path file : sources()) {
            boolean isMain = file.toString().contains("/src/main/java/");
            if (isMain && file.toString().endsWith(".java") && !file.endsWith("module-info.java")) {
                packages.add(file.resolveSibling("package-info.java"));
            }
        }
        assertTrue(packages.size() >= 4, "packages found: " + packages);
        for (Path info : packages) {
            assertTrue(Files.exists(info), info + " is missing");
            String text = Files.readString(info);
            assertTrue(text.startsWith("///") && text.contains("@NullMarked"), info + " has no text or no @NullMarked");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "homa-stack/src/main/java/A.java, 'int a;\tint b;', has a tab",
        "homa-stack/src/main/java/A.java, 'int a; ', ends with a space",
        "homa-stack/src/main/java/A.java, // TODO later, has an issue",
        "native/src/a.c, // FIXME, has an issue",
        "native/src/a.c, // XXX soon, has an issue",
        "homa-stack/src/main/java/A.java, /** Old., is written with ///",
        "homa-stack/src/test/java/A.java, @Disabled, not disabled",
        "homa-stack/src/main/java/A.java, System.out.println(a);, prints nothing",
        "dpdk-bindings/src/main/java/A.java, e.printStackTrace();, prints nothing",
        "homa-stack/src/main/java/PacketUtils.java, int a;, named for no responsibility",
        "README.md, We leverage DPDK., banned word",
    })
    void untidyLineIsReported(Path file, String line, String what) {
        List<String> problems = Tidy.problems(file, List.of(line));
        assertEquals(1, problems.size(), problems::toString);
        assertTrue(problems.getFirst().contains(what), problems::toString);
    }

    @ParameterizedTest
    @CsvSource({
        "homa-stack/src/main/java/A.java, // TODO (#12) later",
        "native/Makefile, '\tcc -o a a.c'",
        "pktgen-scenarios/src/main/java/A.java, System.out.println(a);",
    })
    void tidyLineIsNotReported(Path file, String line) {
        assertEquals(List.of(), Tidy.problems(file, List.of(line)));
    }

    @Test
    void longFileIsReported() {
        Path file = Path.of("native/src/a.c");
        assertEquals(List.of(), Tidy.problems(file, Collections.nCopies(400, "x")));
        assertEquals(1, Tidy.problems(file, Collections.nCopies(401, "x")).size());
    }

    private static List<Path> sources() throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(REPOSITORY, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                boolean isRead =
                        !UNREAD_DIRECTORIES.contains(directory.getFileName().toString());
                return isRead ? FileVisitResult.CONTINUE : FileVisitResult.SKIP_SUBTREE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                String name = file.getFileName().toString();
                boolean isSource = name.matches(".*\\.(java|c|h|sh|lua)|Makefile|homa|run");
                if (isSource && !EXEMPT.contains(name)) {
                    found.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return found;
    }
}
