package io.homa;

import io.homa.net.Ipv6Config;
import io.homa.net.NetConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

/// One side of a test with two processes: an echo server that lives until its standard input ends, or a client
/// that calls it with given sizes.
///
/// Arguments: `server DEVICE PLACE MTU LOSS`, or `client DEVICE PLACE MTU LOSS SERVER:PORT SIZE…`.
public final class EchoProcess {
    static final int PORT = 4000;
    static final String READY = "ready";
    static final String DONE = "all echoes are right";
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private EchoProcess() {}

    public static void main(String[] args) throws Exception {
        String[] place = args[2].split("\\+", -1);
        HomaConfig config = HomaConfig.builder(args[1], place[0])
                .net(net(place))
                .mtu(Integer.parseInt(args[3]))
                .lossProbability(Double.parseDouble(args[4]))
                .idle(IdleMode.YIELD)
                .build();
        if (!HomaTransport.awaitSocket(config, LIMIT)) {
            throw new IllegalStateException("no socket");
        }
        try (HomaTransport transport = HomaTransport.open(config)) {
            if (args[0].equals("server")) {
                transport.serveInline(PORT, new Echo());
                System.out.println(READY);
                while (System.in.read() >= 0) {}
            } else {
                for (String server : args[5].split(",", -1)) {
                    call(transport, HomaAddress.parse(server), Arrays.copyOfRange(args, 6, args.length));
                }
            }
        }
    }

    /// Reads `10.0.0.1/24`, and behind pluses an IPv6 address with prefix, and `vlan=N`.
    private static NetConfig net(String[] place) {
        NetConfig net = NetConfig.of(place[0]);
        for (int i = 1; i < place.length; i++) {
            net = place[i].startsWith("vlan=")
                    ? net.withVlan(Integer.parseInt(place[i].substring(5)))
                    : net.withIpv6(Ipv6Config.of(place[i]));
        }
        return net;
    }

    private static void call(HomaTransport transport, HomaAddress server, String[] sizes) throws Exception {
        if (!transport.awaitLink(LIMIT)) {
            throw new IllegalStateException("no link");
        }
        try (HomaAsyncClient client = transport.asyncClient()) {
            for (String size : sizes) {
                byte[] request = new byte[Integer.parseInt(size)];
                new Random(request.length).nextBytes(request);
                byte[] response = client.call(server, request, LIMIT);
                if (!Arrays.equals(request, response)) {
                    throw new AssertionError("wrong bytes in an echo of " + size);
                }
            }
        }
        System.out.println(DONE);
    }

    /// Echoes; a request for which there are no packets now is left to the client's patience.
    private static final class Echo implements InlineApplication {
        @Override
        public void onRequest(Request request) {
            MessageWriter response = request.claimResponse(request.message().length());
            if (response != null) {
                response.putBytes(request.message(), request.message().length());
                request.reply(response);
            }
        }
    }
}
