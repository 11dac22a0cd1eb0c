package io.homa.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The launcher in a checkout of empty modules, with a Maven and JDKs that only write down how they were called.
class LauncherTest {
    private static final Path LAUNCHER =
            Path.of(System.getProperty("basedir", ".")).toAbsolutePath().resolveSibling("homa");
    private static final List<String> MODULES =
            List.of("native", "dpdk-bindings", "homa-stack", "pktgen-scenarios", "benchmarks", ".mvn");

    @TempDir
    Path checkout;

    private record Result(int exit, String output) {}

    @BeforeEach
    void makeCheckout() throws IOException {
        Files.copy(LAUNCHER, checkout.resolve("homa"), StandardCopyOption.COPY_ATTRIBUTES);
        for (String module : MODULES) {
            Files.createDirectories(checkout.resolve(module));
        }
        Files.writeString(checkout.resolve("pom.xml"), "<project/>");
        script("bin/mvn", "echo \"$*\" >>" + checkout.resolve("mvn.log"));
        jdk("jdk17", 17);
        jdk("jdk25", 25);
    }

    @Test
    void unknownOptionIsNamedAndExitsWithTwo() throws IOException, InterruptedException {
        Result result = homa("jdk25", "setup", "--now");
        assertEquals(2, result.exit, result.output);
        assertTrue(result.output.contains("--now") && result.output.contains("--yes"), result.output);
    }

    @Test
    void javaHomeOfAJdkThatIsNewEnoughIsUsed() throws IOException, InterruptedException {
        assertTrue(homa("jdk25", "doctor").output.contains("java of jdk25"));
    }

    @Test
    void javaHomeOfAnOldJdkIsNotUsed() throws IOException, InterruptedException {
        // Which newer one is found depends on the machine; this test runs on one, so there is one.
        Result result = homa("jdk17", "setup");
        assertEquals(0, result.exit, result.output);
        assertTrue(!result.output.contains("jdk17"), result.output);
    }

    @Test
    void argumentsReachTheCommandLineUnchanged() throws IOException, InterruptedException {
        Result result = homa("jdk25", "ping", "10.0.0.2:4000", "two words");
        assertTrue(
                result.output.contains("[io.homa.cli.HomaCommand] [ping] [10.0.0.2:4000] [two words]"), result.output);
        assertTrue(result.output.contains("[--enable-native-access=ALL-UNNAMED]"), result.output);
    }

    @Test
    void buildsOnceAndAgainOnlyWhenASourceChanged() throws IOException, InterruptedException {
        homa("jdk25", "doctor");
        homa("jdk25", "doctor");
        assertEquals(1, builds());
        Files.createDirectories(checkout.resolve("native/src"));
        Files.writeString(checkout.resolve("native/src/new.c"), "int a;");
        homa("jdk25", "doctor");
        assertEquals(2, builds());
        Files.createDirectories(checkout.resolve("homa-stack/src/test"));
        Files.writeString(checkout.resolve("homa-stack/src/test/A.java"), "class A {}");
        homa("jdk25", "doctor");
        assertEquals(2, builds(), "a test is not part of the program");
    }

    @Test
    void twoAtTheSameTimeBuildOnce() throws IOException, InterruptedException {
        Process first = start("jdk25", "doctor");
        Result second = homa("jdk25", "doctor");
        first.getInputStream().readAllBytes();
        assertEquals(0, first.waitFor());
        assertEquals(0, second.exit, second.output);
        assertEquals(1, builds());
    }

    @Test
    void failedBuildIsReportedAndTriedAgain() throws IOException, InterruptedException {
        script("bin/mvn", "echo '[ERROR] A.java is wrong'; exit 1");
        Result failed = homa("jdk25", "doctor");
        assertEquals(1, failed.exit, failed.output);
        assertTrue(failed.output.contains("A.java is wrong"), failed.output);
        makeMavenSucceed();
        assertEquals(0, homa("jdk25", "doctor").exit);
    }

    @Test
    void offlineBuildThatLacksLibrariesFetchesThem() throws IOException, InterruptedException {
        script(
                "bin/mvn",
                "echo \"$*\" >>" + checkout.resolve("mvn.log"),
                "case $* in *' -o '*) echo '[ERROR] Cannot access central in offline mode'; exit 1 ;; esac");
        assertEquals(0, homa("jdk25", "doctor").exit);
        assertEquals(2, builds());
    }

    @Test
    void testsThatDidNotRunOrFailedAreNoSuccess() throws IOException, InterruptedException {
        Result none = homa("jdk25", "test");
        assertEquals(1, none.exit, none.output);
        assertTrue(none.output.endsWith("\n0 passed, 0 failed, 0 skipped\n"), none.output);

        String report = """
                <testsuite name="A" tests="%d" errors="%d" skipped="1" failures="%d">
                <testcase name="t" classname="A"><skipped message="no tshark"/>
                """;
        reportOfTests(report.formatted(3, 0, 0));
        Result passed = homa("jdk25", "test");
        assertEquals(0, passed.exit, passed.output);
        assertTrue(passed.output.endsWith("skipped: A.t: no tshark\n\n2 passed, 0 failed, 1 skipped\n"), passed.output);

        reportOfTests(report.formatted(5, 1, 1));
        Result failed = homa("jdk25", "test");
        assertEquals(1, failed.exit, failed.output);
        assertTrue(failed.output.endsWith("\n2 passed, 2 failed, 1 skipped\n"), failed.output);
    }

    private void reportOfTests(String report) throws IOException {
        Path reports = checkout.resolve("native/target/surefire-reports");
        Files.writeString(checkout.resolve("report"), report);
        script("bin/mvn", "mkdir -p " + reports, "cp " + checkout.resolve("report") + " " + reports + "/TEST-A.xml");
    }

    private long builds() throws IOException {
        return Files.readAllLines(checkout.resolve("mvn.log")).stream()
                .filter(line -> line.endsWith(" compile"))
                .count();
    }

    private void makeMavenSucceed() throws IOException {
        script("bin/mvn", "exit 0");
    }

    private void jdk(String name, int version) throws IOException {
        script(name + "/bin/javac", "exit 0");
        script(name + "/bin/java", "echo java of " + name, "printf '[%s] ' \"$@\"");
        Files.writeString(checkout.resolve(name + "/release"), "JAVA_VERSION=\"" + version + ".0.3\"\n");
    }

    private void script(String name, String... lines) throws IOException {
        Path file = checkout.resolve(name);
        Files.createDirectories(file.getParent());
        List<String> text = new ArrayList<>(List.of("#!/bin/sh"));
        text.addAll(List.of(lines));
        Files.write(file, text);
        assertTrue(file.toFile().setExecutable(true));
    }

    private Result homa(String jdk, String... arguments) throws IOException, InterruptedException {
        Process process = start(jdk, arguments);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    private Process start(String jdk, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(checkout.resolve("homa").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Map<String, String> environment = builder.environment();
        environment.put("PATH", checkout.resolve("bin") + ":" + environment.get("PATH"));
        environment.put("JAVA_HOME", checkout.resolve(jdk).toString());
        environment.remove("CI"); // no consent: a test installs nothing
        Process process = builder.start();
        process.getOutputStream().close();
        return process;
    }
}
