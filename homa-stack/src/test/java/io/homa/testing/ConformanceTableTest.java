package io.homa.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Keeps `docs/conformance.md` true: every item has a test, and the table says what the annotations say.
class ConformanceTableTest {
    private static final Path TEST_CLASSES = Path.of("target/test-classes");
    private static final Path DOCUMENT = Path.of("../docs/conformance.md");
    private static final String UPDATE = "homa.update";
    private static final String REMEDY = "docs/conformance.md is not what the tests' @Item annotations say. Write it"
            + " anew with: mvn test -pl native,dpdk-bindings,homa-stack -Dtest=ConformanceTableTest"
            + " -Dsurefire.failIfNoSpecifiedTests=false -D" + UPDATE + "=true";

    @Test
    void everyItemHasATest() throws IOException {
        assertEquals(List.of(), new ConformanceTable(TEST_CLASSES).problems());
    }

    @Test
    void documentSaysWhatTheTestsSay() throws IOException {
        String table = new ConformanceTable(TEST_CLASSES).document();
        if (Boolean.getBoolean(UPDATE)) {
            Files.writeString(DOCUMENT, table);
        }
        assertTrue(Files.exists(DOCUMENT), REMEDY);
        assertEquals(table, Files.readString(DOCUMENT), REMEDY);
    }
}
