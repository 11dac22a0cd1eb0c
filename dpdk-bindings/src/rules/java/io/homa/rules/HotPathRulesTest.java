package io.homa.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Code that runs per packet, per burst or per tick creates no garbage and takes no lock, in this module's classes.
class HotPathRulesTest {
    @Test
    void hotMethodsCreateNothingAndLockNothing() throws IOException {
        List<String> violations = new ArrayList<>();
        for (Path file : ModuleClasses.files()) {
            violations.addAll(HotPathRules.violations(Files.readAllBytes(file)));
        }
        assertEquals("", String.join("\n", violations));
    }
}
