package io.homa.dpdk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DeviceSpecTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                "pci:0000:81:00.0 0000:81:00.0 ''",
                "pci:81:00.0 0000:81:00.0 ''",
                "vhost:/tmp/a.sock net_vhost3 iface=/tmp/a.sock,queues=1",
                "virtio:/tmp/a.sock net_virtio_user3 path=/tmp/a.sock,queues=1,queue_size=1024",
                "virtio:/a,packed=1 net_virtio_user3 path=/a,queues=1,queue_size=1024,packed_vq=1,in_order=1,mrg_rxbuf=0",
                "memif:/tmp/m,server net_memif3 role=server,socket=/tmp/m,socket-abstract=no,bsize=2048",
                "tap:homa0 net_tap3 iface=homa0",
                "af_packet:eth0 net_af_packet3 iface=eth0,qpairs=1,blocksz=4096,framesz=2048,framecnt=512",
                "af_xdp:eth0 net_af_xdp3 iface=eth0,queue_count=1",
                "ring: net_ring3 ''",
                "pcap:/tmp/x.pcap net_pcap3 rx_pcap=/tmp/x.pcap,tx_pcap=/tmp/x.pcap.tx.pcap",
            })
    void specBecomesNameAndArguments(String spec, String name, String arguments) {
        DeviceSpec parsed = DeviceSpec.parse(spec);
        assertEquals(name, parsed.name(3));
        assertEquals(arguments, parsed.arguments(1500, 1));
        assertEquals(parsed, DeviceSpec.parse(parsed.toString()));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "virtio",
                "usb:1",
                "pci:zz",
                "pci:0000:81:00",
                "vhost:relative.sock",
                "tap:a/b",
                "tap:",
                "af_packet:name-longer-than-15",
                "ring:x",
                "virtio:/a,packed",
                "virtio:/a,color=red",
                "memif:/a,role=boss",
                "pcap:",
                "VHOST:/a"
            })
    void wrongSpecIsRefusedWithTheAllowedForms(String spec) {
        IllegalArgumentException e = assertThrows(IllegalArgumentException.class, () -> DeviceSpec.parse(spec));
        assertTrue(e.getMessage().contains("'" + spec + "'"), e.getMessage());
        assertTrue(e.getMessage().contains("virtio:<socket path>"), e.getMessage());
    }

    @Test
    void socketPathHasTheLimitOfTheOperatingSystem() {
        String longest = "/" + "x".repeat(106);
        assertEquals(longest, DeviceSpec.parse("vhost:" + longest).target());
        assertThrows(IllegalArgumentException.class, () -> DeviceSpec.parse("vhost:" + longest + "x"));
    }

    @Test
    void jumboFramesGetLargerBuffers() {
        assertTrue(DeviceSpec.parse("memif:/m").arguments(9000, 1).endsWith("bsize=10240"));
        assertTrue(DeviceSpec.parse("af_packet:e").arguments(9000, 1).contains("framesz=10240"));
    }
}
