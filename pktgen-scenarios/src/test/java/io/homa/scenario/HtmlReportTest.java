package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

/// The page stands alone, says what was measured, and lets nothing of its data become markup.
class HtmlReportTest {
    private static final String EVIL = "<script>alert('\"&')</script>";

    @Test
    void markupInDataIsEscaped() {
        assertEquals("&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;", HtmlReport.escape(EVIL));
        String page = HtmlReport.render(EVIL, RunResultTest.sample(EVIL), Map.of(EVIL, EVIL));
        assertFalse(page.contains("<script"), "markup got through");
    }

    @Test
    void pageNeedsNothingFromTheNetwork() {
        String page = HtmlReport.render("Title", RunResultTest.sample("x"), Map.of("seed", "42"));
        String withoutNamespaces = page.replaceAll("xmlns(:\\w+)?=\"[^\"]*\"", "");
        assertFalse(withoutNamespaces.matches("(?s).*(src|href)=\"(?!#|data:).*"), "refers to something outside");
        assertFalse(withoutNamespaces.contains("http://") || withoutNamespaces.contains("https://"));
        assertFalse(withoutNamespaces.contains("@import"));
    }

    @Test
    void pageShowsVerdictParametersAndPlots() {
        String page = HtmlReport.render("Title", RunResultTest.sample("reason <1>"), Map.of("seed", "42"));
        assertTrue(page.contains("Invalid run"));
        assertTrue(page.contains("reason &lt;1&gt;"));
        assertTrue(page.contains("<th>seed</th><td>42</td>"));
        assertTrue(page.contains("prefers-color-scheme: dark") && page.contains("@media print"));
        assertTrue(page.contains("<svg") || page.contains("apt-get install fontconfig"), "neither plot nor reason");
    }
}
