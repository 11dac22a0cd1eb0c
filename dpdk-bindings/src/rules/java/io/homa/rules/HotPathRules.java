package io.homa.rules;

import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeElement;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.RuntimeInvisibleAnnotationsAttribute;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.classfile.instruction.LineNumber;
import java.lang.classfile.instruction.MonitorInstruction;
import java.lang.classfile.instruction.NewMultiArrayInstruction;
import java.lang.classfile.instruction.NewObjectInstruction;
import java.lang.classfile.instruction.NewPrimitiveArrayInstruction;
import java.lang.classfile.instruction.NewReferenceArrayInstruction;
import java.lang.reflect.AccessFlag;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Reads a class file and reports what its hot methods must not do: create objects or arrays, box, build strings or
/// lambdas, lock. Hot is a method marked `@HotPath`, or every method except constructors of a type so marked.
///
/// An exception may be created: it ends the normal course. An exhaustive switch creates a `MatchException` unseen.
final class HotPathRules {
    private static final String ANNOTATION = "Lio/homa/memory/HotPath;";
    private static final Set<String> BOXES = Set.of(
            "java/lang/Boolean",
            "java/lang/Byte",
            "java/lang/Character",
            "java/lang/Short",
            "java/lang/Integer",
            "java/lang/Long",
            "java/lang/Float",
            "java/lang/Double");

    private HotPathRules() {}

    /// The names of the hot methods of a class.
    static List<String> hotMethods(byte[] classFile) {
        ClassModel type = ClassFile.of().parse(classFile);
        return type.methods().stream()
                .filter(method -> isHot(type, method))
                .map(method -> name(type, method))
                .toList();
    }

    /// One line for each thing that a hot method of this class must not do; empty if all is well.
    static List<String> violations(byte[] classFile) {
        ClassModel type = ClassFile.of().parse(classFile);
        List<String> found = new ArrayList<>();
        for (MethodModel method : type.methods()) {
            if (isHot(type, method)) {
                check(name(type, method), method, found);
            }
        }
        return found;
    }

    private static boolean isHot(ClassModel type, MethodModel method) {
        if (isMarked(method)) {
            return true;
        }
        boolean isInitializer = method.methodName().stringValue().startsWith("<");
        return !isInitializer && isMarked(type);
    }

    private static boolean isMarked(AttributedElement element) {
        return element
                .findAttribute(Attributes.runtimeInvisibleAnnotations())
                .map(RuntimeInvisibleAnnotationsAttribute::annotations)
                .stream()
                .flatMap(List::stream)
                .anyMatch(annotation -> annotation.className().equalsString(ANNOTATION));
    }

    private static void check(String name, MethodModel method, List<String> found) {
        if (method.flags().has(AccessFlag.SYNCHRONIZED)) {
            found.add(name + ": is synchronized");
        }
        int line = 0;
        for (CodeElement element :
                method.code().stream().flatMap(code -> code.elementStream()).toList()) {
            if (element instanceof LineNumber number) {
                line = number.line();
            }
            int at = line;
            offence(element).ifPresent(what -> found.add(name + " line " + at + ": " + what));
        }
    }

    private static Optional<String> offence(CodeElement element) {
        return Optional.ofNullable(
                switch (element) {
                    case NewObjectInstruction created
                    when !isThrowable(created.className().asInternalName()) ->
                        "creates a " + created.className().asInternalName();
                    case NewPrimitiveArrayInstruction _ -> "creates an array";
                    case NewReferenceArrayInstruction _ -> "creates an array";
                    case NewMultiArrayInstruction _ -> "creates an array";
                    case InvokeDynamicInstruction dynamic ->
                        "builds a string or a lambda (" + dynamic.name().stringValue() + ")";
                    case InvokeInstruction call
                    when isBoxing(call) -> "boxes a " + call.owner().asInternalName();
                    case MonitorInstruction _ -> "locks a monitor";
                    default -> null;
                });
    }

    private static boolean isBoxing(InvokeInstruction call) {
        return call.name().equalsString("valueOf")
                && BOXES.contains(call.owner().asInternalName());
    }

    private static boolean isThrowable(String internalName) {
        try {
            ClassLoader loader = HotPathRules.class.getClassLoader();
            return Throwable.class.isAssignableFrom(Class.forName(internalName.replace('/', '.'), false, loader));
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException("a class that a hot method creates is not on the class path", e);
        }
    }

    private static String name(ClassModel type, MethodModel method) {
        return type.thisClass().asInternalName().replace('/', '.') + "."
                + method.methodName().stringValue();
    }
}
