package io.homa.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;

/// The table of the conformance checklist: which test proves which item, and where this stack differs on purpose.
///
/// It lists the tests by their [Item] annotations, as they are compiled: a test that is not there or that the
/// build does not run cannot be listed.
final class ConformanceTable {
    private static final Path ITEMS = Path.of("src/test/resources/conformance/items.txt");
    private static final String HEADING = "== ";

    /// A test and the items that it names.
    private record Proof(String test, Set<Integer> items, String deviates) {}

    private final List<Proof> proofs = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();

    /// Collects the tests of the classes below `testClasses`.
    ConformanceTable(Path testClasses) throws IOException {
        try (Stream<Path> files = Files.walk(testClasses)) {
            files.map(file -> testClasses.relativize(file).toString())
                    .filter(name -> name.endsWith(".class"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    // A class whose source is gone may be left over from an earlier build.
                    .filter(ConformanceTable::hasSource)
                    .sorted()
                    .forEach(this::collect);
        }
        proofs.sort(Comparator.comparing(Proof::test));
    }

    private static boolean hasSource(String className) {
        return Files.exists(Path.of("src/test/java", className.split("\\$", -1)[0].replace('.', '/') + ".java"));
    }

    private void collect(String className) {
        Class<?> type;
        try {
            type = Class.forName(className, false, getClass().getClassLoader());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("no class in " + className, e);
        }
        for (Method method : type.getDeclaredMethods()) {
            Item item = method.getAnnotation(Item.class);
            if (item == null) {
                continue;
            }
            String test = type.getSimpleName() + "." + method.getName();
            boolean isTest =
                    method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(ParameterizedTest.class);
            // The names that the build looks for.
            if (!isTest || !className.endsWith("Test")) {
                problems.add(test + " names items but no test run finds it");
                continue;
            }
            Set<Integer> items = new TreeSet<>();
            for (int number : item.value()) {
                items.add(number);
            }
            proofs.add(new Proof(test, items, item.deviates()));
        }
    }

    /// Returns what is wrong: items without a test, and tests of items that do not exist.
    List<String> problems() {
        List<String> found = new ArrayList<>(problems);
        Map<Integer, String> items = new TreeMap<>();
        for (String line : lines()) {
            if (!line.startsWith(HEADING)) {
                items.put(Integer.parseInt(line.split(" \\| ", -1)[0]), line);
            }
        }
        for (int number : items.keySet()) {
            if (proofs.stream().noneMatch(p -> p.items().contains(number))) {
                found.add("item " + items.get(number) + ": no test");
            }
        }
        for (Proof proof : proofs) {
            proof.items().stream()
                    .filter(n -> !items.containsKey(n))
                    .forEach(n -> found.add(proof.test() + " names item " + n + ", which does not exist"));
        }
        return found;
    }

    private static List<String> lines() {
        try {
            return Files.readAllLines(ITEMS).stream()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Returns the table as a Markdown document.
    String document() {
        StringBuilder rows = new StringBuilder();
        int passing = 0;
        int deviating = 0;
        for (String line : lines()) {
            if (line.startsWith(HEADING)) {
                rows.append("\n## ").append(line.substring(HEADING.length()));
                rows.append("\n\n| item | tag | requirement | tests | verdict |\n|---|---|---|---|---|\n");
                continue;
            }
            String[] fields = line.split(" \\| ", -1);
            int number = Integer.parseInt(fields[0]);
            List<Proof> of =
                    proofs.stream().filter(p -> p.items().contains(number)).toList();
            String why = String.join(
                    "; ",
                    of.stream().map(Proof::deviates).filter(d -> !d.isEmpty()).toList());
            if (why.isEmpty()) {
                passing++;
            } else {
                deviating++;
            }
            rows.append("| ")
                    .append(number)
                    .append(" | ")
                    .append(fields[1])
                    .append(" | ")
                    .append(fields[2]);
            rows.append(" | ")
                    .append(String.join("<br>", of.stream().map(Proof::test).toList()));
            rows.append(" | ")
                    .append(why.isEmpty() ? "passes" : "deviates: " + why)
                    .append(" |\n");
        }
        return """
                # Conformance

                The protocol's checklist, item by item: requirement, the tests that prove it, and the verdict. \
                **%d of %d items have a verdict: %d pass, %d deviate on purpose**, and the table says why; a test \
                pins what this stack does instead.

                Every test named here is part of the build, which fails if one of them fails, if an item has no \
                test, or if this file is not what the tests' `@Item` annotations say. The tests are packet-level: \
                packets go in, packets, times and application events come out, in virtual time; those of the \
                classes `ApiConformanceTest` and `TransportTest` use the public interface on a loopback device.

                Tags: `I` needed to talk to Linux kernels with the Homa module, `K` as the module behaves, `B` goes \
                beyond it, legal on the wire.

                Generated by `ConformanceTableTest`; do not edit. To write it anew: \
                `mvn test -pl native,dpdk-bindings,homa-stack -Dtest=ConformanceTableTest \
                -Dsurefire.failIfNoSpecifiedTests=false -Dhoma.update=true`.
                """.formatted(passing + deviating, passing + deviating, passing, deviating) + rows;
    }
}
