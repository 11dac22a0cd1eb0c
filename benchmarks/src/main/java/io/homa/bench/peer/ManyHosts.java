package io.homa.bench.peer;

import io.homa.HomaAddress;
import io.homa.HomaConfig;
import io.homa.bench.load.Load;
import io.homa.bench.load.LoadGenerator;
import io.homa.bench.load.LoadResult;
import io.homa.dpdk.ThreadAffinity;
import io.homa.engine.EngineLimits;
import io.homa.memory.HotPath;
import io.homa.memory.Memory;
import io.homa.memory.Packet;
import io.homa.net.IpAddress;
import io.homa.net.NetConfig;
import io.homa.wire.DataHeader;
import io.homa.wire.Ethernet;
import io.homa.wire.HomaHeader;
import io.homa.wire.Ipv4;
import io.homa.wire.PacketType;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A process that plays all hosts of the network at once, so that a client can have thousands of peers on one machine:
/// requests of one packet come back as their own responses, from the host they were sent to. What a client spends per
/// peer is all that differs between one host and many.
final class ManyHosts implements PeerServer, Pump.Cycle {
    private static final int FIRST_HOST = IpAddress.parse("10.128.0.1");
    private static final int MAX_HOSTS = 1 << 14;
    private static final long GATEWAY_MAC = 0x0200_0A00_0001L;
    private static final int IP_START = Ethernet.LENGTH;
    private static final int HOMA_START = IP_START + Ipv4.LENGTH;
    private static final long LOW_48 = 0xFFFF_FFFF_FFFFL;

    private final Path socket;
    private final RawFrames frames;
    private final Pump pump;

    ManyHosts(SideConfig side) {
        socket = HomaConfigs.newSocket(side);
        frames = new RawFrames("vhost:" + socket, side.mtu());
        pump = new Pump(side, "bench-server", this);
    }

    @Override
    public void begin() {
        ThreadAffinity.registerThread();
    }

    @Override
    public void end() {
        ThreadAffinity.unregisterThread();
    }

    @Override
    @HotPath
    public void run(@Nullable LoadGenerator load) {
        int received = frames.receive();
        int answers = 0;
        for (int i = 0; i < received; i++) {
            long packet = frames.packet(i);
            if (turnRound(Packet.data(packet), Packet.length(packet))) {
                frames.put(answers++, packet);
            } else {
                frames.release(packet);
            }
        }
        frames.sendAll(answers);
    }

    /// Makes a response of a request, in place; false for anything else.
    @HotPath
    private static boolean turnRound(long frame, int length) {
        long ip = frame + IP_START;
        long homa = frame + HOMA_START;
        boolean isData = length > HOMA_START + DataHeader.LENGTH
                && Ethernet.type(frame) == Ethernet.TYPE_IPV4
                && Ipv4.protocol(ip) == Ipv4.PROTOCOL_HOMA
                && HomaHeader.type(homa) == PacketType.DATA;
        if (!isData) {
            return false;
        }
        long to = Ethernet.source(frame) & LOW_48;
        Ethernet.write(frame, to, Ethernet.destination(frame) & LOW_48, Ethernet.TYPE_IPV4);
        // The sum of all words stays, and with it the checksum.
        int client = Ipv4.source(ip);
        Memory.putInt(ip + 12, Ipv4.destination(ip));
        Memory.putInt(ip + 16, client);
        long id = HomaHeader.localId(homa);
        int messageLength = (int) DataHeader.messageLength(homa);
        int clientPort = HomaHeader.sourcePort(homa);
        int version = DataHeader.cutoffVersion(homa);
        DataHeader.write(
                homa,
                HomaHeader.destinationPort(homa),
                clientPort,
                id,
                messageLength,
                messageLength,
                0,
                false,
                version);
        return true;
    }

    @Override
    public String address() {
        return socket.toString();
    }

    @Override
    public void close() {
        pump.close();
        frames.close();
    }

    /// This stack as their client.
    static final class Client implements PeerClient {
        private final HomaInline.Client client;

        Client(SideConfig side, String address) {
            HomaConfig.Builder builder = HomaConfigs.client(side, address);
            NetConfig net = NetConfig.of(HomaConfigs.CLIENT + "/24")
                    .withGateway(IpAddress.parse(HomaConfigs.SERVER))
                    .withStaticNeighbours(Map.of(IpAddress.parse(HomaConfigs.SERVER), GATEWAY_MAC));
            EngineLimits usual = EngineLimits.DEFAULT;
            EngineLimits limits = new EngineLimits(
                    usual.maxRpcs(), MAX_HOSTS, usual.maxGaps(), usual.maxTombstones(), usual.poolReserve());
            builder.net(net).engine(builder.build().engine().withLimits(limits));
            client = new HomaInline.Client(HomaConfigs.open(HomaConfigs.spinning(side, builder)));
        }

        @Override
        public LoadResult run(Load load) throws InterruptedException {
            HomaAddress[] hosts = new HomaAddress[load.peers()];
            for (int i = 0; i < hosts.length; i++) {
                hosts[i] = new HomaAddress(FIRST_HOST + i, HomaConfigs.PORT);
            }
            client.servers(hosts);
            return client.run(load);
        }

        @Override
        public void close() {
            client.close();
        }
    }
}
