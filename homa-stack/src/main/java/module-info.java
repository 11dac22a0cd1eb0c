/// The Homa transport: wire formats, protocol engine, network glue, public API.
module io.homa.stack {
    requires transitive io.homa.dpdk;
    requires static transitive org.jspecify;
    requires org.agrona;
    requires HdrHistogram;
}
