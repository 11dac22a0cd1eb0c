/// Measurements of the stack beside what it is compared with, and of its parts.
module io.homa.benchmarks {
    requires io.homa.scenarios;
    requires static transitive org.jspecify;
    requires org.agrona;
    requires com.fasterxml.jackson.databind;
    requires info.picocli;
    requires io.aeron.client;
    requires io.aeron.driver;
    requires io.grpc;
    requires io.grpc.netty;
    requires io.grpc.stub;
    requires io.netty.buffer;
    requires io.netty.codec;
    requires io.netty.codec.classes.quic;
    requires io.netty.common;
    requires io.netty.handler;
    requires io.netty.transport;
    requires io.netty.transport.classes.epoll;
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
