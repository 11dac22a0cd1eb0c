package io.homa.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.instruction.LineNumber;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.IntSummaryStatistics;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A method fits on a screen, which also keeps it within the compiler's limits for inlining.
class MethodLengthTest {
    private static final int MAX_LINES = 60;

    @Test
    void everyMethodFitsOnAScreen() throws IOException {
        List<String> tooLong = new ArrayList<>();
        for (Path file : ModuleClasses.files()) {
            ClassModel type = ClassFile.of().parse(Files.readAllBytes(file));
            for (MethodModel method : type.methods()) {
                String name = method.methodName().stringValue();
                // The lines of field initialisers are those of constructors.
                if (!name.startsWith("<") && lines(method) > MAX_LINES) {
                    tooLong.add(type.thisClass().asInternalName() + "." + name + ": " + lines(method) + " lines");
                }
            }
        }
        assertEquals("", String.join("\n", tooLong));
    }

    /// From the first line with code to the last, closing brace included.
    private static int lines(MethodModel method) {
        IntSummaryStatistics numbers = method.code().stream()
                .flatMap(code -> code.elementStream())
                .filter(LineNumber.class::isInstance)
                .mapToInt(element -> ((LineNumber) element).line())
                .summaryStatistics();
        return numbers.getCount() == 0 ? 0 : numbers.getMax() - numbers.getMin() + 1;
    }
}
