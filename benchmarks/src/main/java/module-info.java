/// Benchmarks of the stack without devices.
module io.homa.benchmarks {
    requires io.homa.stack;
    requires static transitive org.jspecify;
    requires java.management;
    requires jdk.management;
}
