package io.homa.rules;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/// Rules about the text of a file, with the place of every line that breaks one.
final class Tidy {
    private static final int MAX_LINES = 400;
    private static final Pattern UNNUMBERED = Pattern.compile("\\b(TODO|FIXME|XXX)\\b(?! \\(#\\d+\\))");
    private static final Pattern BLOCK_COMMENT = Pattern.compile("^\\s*/\\*\\*");
    private static final Pattern DISABLED = Pattern.compile("^\\s*@Disabled\\b");
    private static final Pattern PRINTS = Pattern.compile("\\bSystem\\.(out|err)\\b|\\.printStackTrace\\(\\)");
    /// Words that say nothing, and names that hide what a thing is.
    private static final Pattern BANNED = Pattern.compile(
            "(?i)\\b(utilize|leverage|seamless(ly)?|blazing(ly)?|cutting-edge|lorem ipsum|foobar)\\b|/work/");
    private static final Pattern BANNED_NAME = Pattern.compile(".*(Utils?|Helpers?|Manager|Misc|Impl)\\.java");

    private Tidy() {}

    /// One line for each thing wrong with a file; empty if all is well. The path is relative to the repository.
    static List<String> problems(Path file, List<String> lines) {
        String name = file.toString();
        boolean isJava = name.endsWith(".java");
        boolean isStack = isJava && name.matches("(dpdk-bindings|homa-stack)/src/main/.*");
        List<String> found = new ArrayList<>();
        if (lines.size() > MAX_LINES) {
            found.add(name + ": has " + lines.size() + " lines, the limit is " + MAX_LINES + "; split it");
        }
        if (BANNED_NAME.matcher(name).matches()) {
            found.add(name + ": is named for no responsibility");
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            String at = name + ":" + (i + 1) + ": ";
            if (line.indexOf('\t') >= 0 && !name.endsWith("Makefile")) {
                found.add(at + "has a tab");
            }
            if (!line.isEmpty() && Character.isWhitespace(line.charAt(line.length() - 1))) {
                found.add(at + "ends with a space");
            }
            if (UNNUMBERED.matcher(line).find()) {
                found.add(at + "a thing to do has an issue: write TODO (#12)");
            }
            if (BANNED.matcher(line).find()) {
                found.add(at + "has a banned word");
            }
            if (isJava && BLOCK_COMMENT.matcher(line).find()) {
                found.add(at + "Javadoc is written with ///");
            }
            if (isJava && DISABLED.matcher(line).find()) {
                found.add(at + "a test is fixed or removed, not disabled");
            }
            if (isStack && PRINTS.matcher(line).find()) {
                found.add(at + "a library prints nothing");
            }
        }
        return found;
    }
}
