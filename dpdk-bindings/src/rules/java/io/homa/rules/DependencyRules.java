package io.homa.rules;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.name;
import static com.tngtech.archunit.core.domain.properties.HasOwner.Predicates.With.owner;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;

import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeModel;
import java.lang.classfile.instruction.MonitorInstruction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The arrows between the packages, and what the protocol (wire and engine) may not touch so that whoever has bytes
/// and a time can run it.
final class DependencyRules {
    /// Of each package, the others it may use. Only benchmarks, which add a command, may use the command line.
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "memory..", Set.of(),
            "dpdk..", Set.of("memory.."),
            "wire..", Set.of("memory.."),
            "engine..", Set.of("memory..", "wire.."),
            "net..", Set.of("memory..", "wire..", "engine..", "dpdk.."),
            "", Set.of("memory..", "wire..", "engine..", "dpdk..", "net.."),
            "fabric..", Set.of("memory..", "wire..", "engine..", "net..", ""),
            "scenario..", Set.of("memory..", "wire..", "engine..", "net..", "", "fabric.."),
            "bench..",
                    Set.of("memory..", "wire..", "engine..", "net..", "dpdk..", "", "fabric..", "scenario..", "cli.."),
            "cli..", Set.of("memory..", "wire..", "engine..", "net..", "dpdk..", "", "fabric..", "scenario.."));

    private static final String[] PROTOCOL = {pattern("wire.."), pattern("engine..")};

    private DependencyRules() {}

    static List<ArchRule> all() {
        List<ArchRule> rules = new ArrayList<>();
        ARROWS.forEach((from, allowed) -> rules.add(arrow(from, allowed)));
        rules.add(libraries("memory..", "java..", "org.jspecify.."));
        rules.add(libraries("wire..", "java..", "org.jspecify.."));
        rules.add(libraries("engine..", "java..", "org.jspecify..", "org.agrona.."));
        rules.addAll(pureProtocol());
        return rules.stream().map(rule -> rule.allowEmptyShould(true)).toList();
    }

    /// Whether a class has a `synchronized` block; a rule on classes sees only the modifier.
    static boolean locksMonitor(byte[] classFile) {
        return ClassFile.of().parse(classFile).methods().stream()
                .flatMap(method -> method.code().stream())
                .flatMap(CodeModel::elementStream)
                .anyMatch(MonitorInstruction.class::isInstance);
    }

    private static ArchRule arrow(String from, Set<String> allowed) {
        String[] forbidden = ARROWS.keySet().stream()
                .filter(to -> !to.equals(from) && !allowed.contains(to))
                .map(DependencyRules::pattern)
                .toArray(String[]::new);
        return noClasses()
                .that()
                .resideInAPackage(pattern(from))
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .because("arrows between packages point one way; see docs/architecture.md");
    }

    private static ArchRule libraries(String from, String... allowed) {
        return noClasses()
                .that()
                .resideInAPackage(pattern(from))
                .should()
                .dependOnClassesThat(not(resideInAPackage("io.homa..")).and(not(resideInAnyPackage(allowed))))
                .because("this package needs no other library");
    }

    private static List<ArchRule> pureProtocol() {
        String why = "the protocol does no I/O, starts no thread, asks for no time and draws no unseeded number";
        return List.of(
                noClasses()
                        .that()
                        .resideInAnyPackage(PROTOCOL)
                        .should()
                        .dependOnClassesThat()
                        .resideInAnyPackage(
                                "java.io..",
                                "java.net..",
                                "java.nio.file..",
                                "java.nio.channels..",
                                "java.time..",
                                "java.util.concurrent..",
                                "java.util.logging..",
                                "java.util.stream..")
                        .because(why),
                noClasses()
                        .that()
                        .resideInAnyPackage(PROTOCOL)
                        .should()
                        .dependOnClassesThat()
                        .belongToAnyOf(Thread.class, System.Logger.class, Runtime.class, Process.class)
                        .because(why),
                noClasses()
                        .that()
                        .resideInAnyPackage(PROTOCOL)
                        .should()
                        .callMethodWhere(target(owner(type(System.class))).and(not(target(name("arraycopy")))))
                        .orShould()
                        .accessField(System.class, "out")
                        .orShould()
                        .accessField(System.class, "err")
                        .orShould()
                        .callMethod(Math.class, "random")
                        .because(why),
                noMethods()
                        .that()
                        .areDeclaredInClassesThat()
                        .resideInAnyPackage(PROTOCOL)
                        .should()
                        .haveModifier(JavaModifier.SYNCHRONIZED)
                        .because("one thread owns all of the engine's state"));
    }

    private static String pattern(String name) {
        return name.isEmpty() ? "io.homa" : "io.homa." + name;
    }
}
