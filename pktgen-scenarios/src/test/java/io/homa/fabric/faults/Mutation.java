package io.homa.fabric.faults;

import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.CodeTransform;
import java.lang.classfile.MethodModel;
import java.lang.classfile.Opcode;
import java.lang.classfile.TypeKind;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.util.List;

/// One deliberate mistake in one method of the engine, made in its class file. The source stays as it is, so that the
/// mistake cannot be forgotten there, and whatever renames the method must rename it here: a mutation that finds
/// nothing to change says so.
final class Mutation {
    /// What to do with a call of the mutated method.
    private interface CallChange {
        void apply(CodeBuilder code, InvokeInstruction call);
    }

    private final String meaning;
    private final String type;
    private final String method;
    private final String called;
    private final CallChange change;
    private int changes;

    private Mutation(String meaning, String type, String method, String called, CallChange change) {
        this.meaning = meaning;
        this.type = type;
        this.method = method;
        this.called = called;
        this.change = change;
    }

    /// Leaves out the calls of `called`, a method's name with its descriptor; they return 0, false or null.
    static Mutation skips(String meaning, String type, String method, String called) {
        return new Mutation(meaning, type, method, called, Mutation::skip);
    }

    /// Adds `more` to the number that the calls of `called` return.
    static Mutation addsToResult(String meaning, String type, String method, String called, int more) {
        return new Mutation(meaning, type, method, called, (code, call) -> {
            code.with(call);
            code.loadConstant(more).iadd();
        });
    }

    /// Adds `more` to the last argument of the calls of `called`.
    static Mutation addsToArgument(String meaning, String type, String method, String called, int more) {
        return new Mutation(meaning, type, method, called, (code, call) -> {
            code.loadConstant(more).iadd();
            code.with(call);
        });
    }

    /// Returns the name of the class that it changes.
    String className() {
        return "io.homa.engine." + type;
    }

    /// Returns the class file with the mistake in it.
    byte[] apply(byte[] original) {
        changes = 0;
        CodeTransform calls = this::transform;
        ClassModel model = ClassFile.of().parse(original);
        byte[] mutated = ClassFile.of()
                .transformClass(
                        model,
                        ClassTransform.transformingMethodBodies(
                                (MethodModel m) -> m.methodName().equalsString(method), calls));
        if (changes == 0) {
            throw new IllegalStateException(type + "." + method + " does not call " + called);
        }
        return mutated;
    }

    private void transform(CodeBuilder code, CodeElement element) {
        if (element instanceof InvokeInstruction call
                && called.equals(call.name().stringValue() + call.type().stringValue())) {
            changes++;
            change.apply(code, call);
        } else {
            code.with(element);
        }
    }

    private static void skip(CodeBuilder code, InvokeInstruction call) {
        List<ClassDesc> parameters = call.typeSymbol().parameterList();
        for (int i = parameters.size() - 1; i >= 0; i--) {
            if (TypeKind.from(parameters.get(i)).slotSize() == 2) {
                code.pop2();
            } else {
                code.pop();
            }
        }
        if (call.opcode() != Opcode.INVOKESTATIC) {
            code.pop();
        }
        switch (TypeKind.from(call.typeSymbol().returnType())) {
            case VOID -> {}
            case LONG -> code.lconst_0();
            case REFERENCE -> code.aconst_null();
            default -> code.iconst_0();
        }
    }

    @Override
    public String toString() {
        return meaning;
    }
}
