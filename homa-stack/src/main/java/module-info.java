/// The Homa transport: wire formats, protocol engine, network glue, public API.
module io.homa.stack {
    requires transitive io.homa.dpdk;
    requires static transitive org.jspecify;
    requires org.agrona;
    requires transitive HdrHistogram;

    exports io.homa;
    exports io.homa.engine;
    exports io.homa.net;
    exports io.homa.wire;
}
