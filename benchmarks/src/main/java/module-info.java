/// Measurements of the stack beside what it is compared with, and of its parts.
module io.homa.benchmarks {
    requires io.homa.scenarios;
    requires static transitive org.jspecify;
    requires org.agrona;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires java.management;
    requires jdk.management;

    provides io.homa.cli.Subcommand with
            io.homa.bench.BenchCommand,
            io.homa.bench.BenchSideCommand;

    opens io.homa.bench to
            info.picocli;
    opens io.homa.bench.load to
            com.fasterxml.jackson.databind;
}
