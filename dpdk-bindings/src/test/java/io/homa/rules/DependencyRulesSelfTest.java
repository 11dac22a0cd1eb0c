package io.homa.rules;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The rules catch what they are there for: each row is a class, made here, that calls one method of another.
class DependencyRulesSelfTest {
    private static final MethodTypeDesc NOTHING = MethodTypeDesc.of(ConstantDescs.CD_void);

    @TempDir
    Path classes;

    @ParameterizedTest
    @CsvSource({
        "io.homa.memory, io.homa.dpdk.Port, stop",
        "io.homa.memory, org.agrona.BitUtil, none",
        "io.homa.dpdk, io.homa.engine.Engine, onTick",
        "io.homa.dpdk, io.homa.HomaTransport, open",
        "io.homa.wire, io.homa.engine.Engine, onTick",
        "io.homa.wire, org.agrona.BitUtil, none",
        "io.homa.engine, io.homa.dpdk.Port, stop",
        "io.homa.engine, io.homa.net.FrameSender, send",
        "io.homa.engine, org.HdrHistogram.Histogram, reset",
        "io.homa.engine, java.lang.System, nanoTime",
        "io.homa.engine, java.lang.System, getProperty",
        "io.homa.engine, java.lang.Thread, onSpinWait",
        "io.homa.engine, java.lang.Math, random",
        "io.homa.engine, java.util.concurrent.locks.LockSupport, park",
        "io.homa.engine, java.util.stream.Stream, empty",
        "io.homa.engine, java.io.File, createTempFile",
        "io.homa.engine, java.net.InetAddress, getLocalHost",
        "io.homa.engine, java.nio.file.Files, createFile",
        "io.homa.wire, java.time.Instant, now",
        "io.homa.wire, java.util.logging.Logger, getGlobal",
        "io.homa.net, io.homa.HomaTransport, open",
        "io.homa, io.homa.scenario.Report, write",
        "io.homa.fabric, io.homa.dpdk.Port, stop",
        "io.homa.fabric, io.homa.scenario.Report, write",
        "io.homa.scenario, io.homa.dpdk.Port, stop",
        "io.homa.scenario, io.homa.cli.HomaCommand, run",
        "io.homa.cli, io.homa.bench.Rounds, run",
    })
    void forbiddenUseIsCaught(String from, String to, String method) throws IOException {
        int failed = violatedRules(from, to, method, ClassFile.ACC_STATIC);
        assertTrue(failed > 0, from + " may not use " + to + "." + method + ", and no rule said so");
    }

    @ParameterizedTest
    @CsvSource({
        "io.homa.dpdk, io.homa.memory.Memory, getLong",
        "io.homa.wire, io.homa.memory.Memory, getLong",
        "io.homa.engine, io.homa.wire.DataHeader, isValid",
        "io.homa.engine, org.agrona.collections.Hashing, hash",
        "io.homa.engine, java.lang.System, arraycopy",
        "io.homa.net, io.homa.dpdk.Port, stop",
        "io.homa, io.homa.net.FrameSender, send",
        "io.homa.scenario, io.homa.fabric.Fabric, run",
        "io.homa.cli, io.homa.dpdk.Port, stop",
        "io.homa.cli, io.homa.scenario.Report, write",
        "io.homa.bench, io.homa.cli.HomaCommand, run",
    })
    void allowedUsePasses(String from, String to, String method) throws IOException {
        assertEquals(0, violatedRules(from, to, method, ClassFile.ACC_STATIC));
    }

    @Test
    void synchronizedMethodOfTheEngineIsCaught() throws IOException {
        int flags = ClassFile.ACC_STATIC | ClassFile.ACC_SYNCHRONIZED;
        assertTrue(violatedRules("io.homa.engine", "io.homa.wire.DataHeader", "isValid", flags) > 0);
    }

    @Test
    void synchronizedBlockIsCaught() throws IOException {
        assertTrue(DependencyRules.locksMonitor(HotPathRulesSelfTest.classFile("HotPathFixture")));
        assertFalse(DependencyRules.locksMonitor(HotPathRulesSelfTest.classFile("HotPathFixture$HotType")));
    }

    private int violatedRules(String from, String to, String method, int flags) throws IOException {
        byte[] code = ClassFile.of()
                .build(
                        ClassDesc.of(from + ".Fixture"),
                        type -> type.withMethodBody(
                                "caller",
                                NOTHING,
                                flags,
                                body -> body.invokestatic(ClassDesc.of(to), method, NOTHING)
                                        .return_()));
        Files.write(classes.resolve("Fixture.class"), code);
        JavaClasses imported = new ClassFileImporter().importPath(classes);
        return Math.toIntExact(DependencyRules.all().stream()
                .filter(rule -> rule.evaluate(imported).hasViolation())
                .count());
    }
}
