package io.homa.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The arrows between packages hold in this module's classes.
class DependencyRulesTest {
    @Test
    void packagesUseOnlyWhatTheyMay() {
        JavaClasses classes = new ClassFileImporter().importPath(ModuleClasses.directory());
        DependencyRules.all().forEach(rule -> rule.check(classes));
    }

    @Test
    void protocolLocksNoMonitor() throws IOException {
        List<String> locking = new ArrayList<>();
        for (Path file : ModuleClasses.files()) {
            boolean isProtocol = file.toString().matches(".*/io/homa/(wire|engine)/.*");
            if (isProtocol && DependencyRules.locksMonitor(Files.readAllBytes(file))) {
                locking.add(file.toString());
            }
        }
        assertEquals(List.of(), locking);
    }
}
