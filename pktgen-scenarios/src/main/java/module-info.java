/// Scenarios, workloads, reports and the `homa` command.
@SuppressWarnings("module") // benchmarks, which it opens itself to, is compiled after it
module io.homa.scenarios {
    requires transitive io.homa.stack;
    requires static transitive org.jspecify;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires me.tongfei.progressbar;
    requires org.knowm.xchart;
    requires org.yaml.snakeyaml;
    requires java.desktop;
    requires java.management;
    requires jdk.management;

    exports io.homa.cli to
            io.homa.benchmarks;
    exports io.homa.scenario to
            io.homa.benchmarks;

    uses io.homa.cli.Subcommand;

    opens io.homa.cli to
            info.picocli;
    opens io.homa.scenario to
            com.fasterxml.jackson.databind;
}
