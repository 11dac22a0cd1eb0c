package io.homa.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rule catches what it is there for.
class HotPathRulesSelfTest {
    @ParameterizedTest
    @CsvSource({
        "createsAnObject, creates a java/lang/Object",
        "createsAnArray, creates an array",
        "passesVarargs, creates an array",
        "boxes, boxes a java/lang/Long",
        "buildsAString, builds a string or a lambda (makeConcatWithConstants)",
        "buildsALambda, builds a string or a lambda (getAsInt)",
        "locks, locks a monitor",
        "isSynchronized, is synchronized",
    })
    void violationIsReported(String method, String what) throws IOException {
        List<String> found = violationsIn("HotPathFixture", method);
        assertFalse(found.isEmpty(), "nothing found in " + method);
        found.forEach(line -> assertTrue(line.endsWith(": " + what), line));
    }

    @ParameterizedTest
    @CsvSource({"allowedSwitch", "allowedException", "allowedElsewhere"})
    void allowedCodeIsNotReported(String method) throws IOException {
        assertEquals(List.of(), violationsIn("HotPathFixture", method));
    }

    @Test
    void markedTypeIsHotExceptItsConstructors() throws IOException {
        List<String> found = HotPathRules.violations(classFile("HotPathFixture$HotType"));
        assertEquals(1, found.size(), found::toString);
        assertTrue(found.getFirst().contains("boxesInAHotType"), found::toString);
    }

    @Test
    void markedMethodsOfThisModuleAreSeen() throws IOException {
        int seen = 0;
        for (Path file : ModuleClasses.files()) {
            seen += HotPathRules.hotMethods(Files.readAllBytes(file)).size();
        }
        assertTrue(seen > 10, "hot methods seen in this module: " + seen);
    }

    private static List<String> violationsIn(String type, String method) throws IOException {
        return HotPathRules.violations(classFile(type)).stream()
                .filter(line -> line.startsWith("io.homa.rules." + type + "." + method))
                .toList();
    }

    static byte[] classFile(String type) throws IOException {
        try (InputStream file = HotPathRulesSelfTest.class.getResourceAsStream(type + ".class")) {
            return file.readAllBytes();
        }
    }
}
