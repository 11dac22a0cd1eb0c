package io.homa.engine;

import io.homa.testing.PcapFile;
import io.homa.wire.HomaHeader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What kernels said to each other, as inputs of an [EngineFuzz]: it is the server of what the captured client
/// sends and the client of what the captured server sends.
public final class CapturedScripts {
    /// Inputs are cut to about this length.
    private static final int MAX_SCRIPT = 3_900;

    private static final int ETHERNET = 14;
    private static final int IPV4_HEADER = 20;
    private static final int IPV6_HEADER = 40;
    private static final int HOMA = 146;
    private static final int HEADER_BYTES = 96;
    private static final int REMEMBERED_REQUESTS = 16;

    private final List<byte[]> scripts = new ArrayList<>();
    private ByteArrayOutputStream script = new ByteArrayOutputStream();
    /// Requests of the script by captured id, in the order in which they were sent.
    private Map<Long, Integer> requests = new LinkedHashMap<>();

    private CapturedScripts() {}

    /// Returns the scripts of one capture.
    public static List<byte[]> of(Path capture) throws IOException {
        CapturedScripts made = new CapturedScripts();
        made.begin(0);
        for (PcapFile frame : PcapFile.read(capture)) {
            made.add(frame);
        }
        made.end();
        return made.scripts;
    }

    private void begin(int rules) {
        script = new ByteArrayOutputStream();
        script.write(rules);
        requests = new LinkedHashMap<>();
    }

    private void end() {
        if (script.size() > 1) {
            scripts.add(script.toByteArray());
        }
    }

    private void add(PcapFile captured) {
        byte[] frame = captured.bytes();
        boolean isIpv6 = frame[12] == (byte) 0x86;
        int protocol = frame[ETHERNET + (isIpv6 ? 6 : 9)] & 0xFF;
        if (protocol != HOMA) {
            return;
        }
        int start = ETHERNET + (isIpv6 ? IPV6_HEADER : IPV4_HEADER);
        ByteBuffer ip =
                ByteBuffer.wrap(frame, ETHERNET, frame.length - ETHERNET).slice();
        int length = isIpv6 ? ip.getShort(4) : ip.getShort(2) - IPV4_HEADER;
        ByteBuffer homa = ByteBuffer.wrap(frame, start, Math.min(HEADER_BYTES, frame.length - start))
                .slice();
        packet(homa, length);
        if (script.size() > MAX_SCRIPT) {
            end();
            begin(scripts.size());
        }
    }

    private void packet(ByteBuffer homa, int length) {
        long id = homa.getLong(HomaHeader.SENDER_ID_OFFSET);
        boolean isFromClient = (id & 1) == 0;
        if (!isFromClient && requests.putIfAbsent(id, requests.size()) == null) {
            write(FuzzedEngine.REQUEST, 3, 0, FuzzedEngine.COLLECT, 63);
        }
        byte[] header = new byte[homa.remaining()];
        homa.get(header);
        setPorts(header, isFromClient);
        int filling = Math.max(0, length - header.length);
        write(FuzzedEngine.GARBAGE, isFromClient ? 2 : 3, header.length);
        script.writeBytes(header);
        write(filling >>> 8, filling);
        if (!isFromClient) {
            int age = requests.size() - 1 - requests.get(id);
            write(age % REMEMBERED_REQUESTS);
        }
        write(FuzzedEngine.BURST_ENDS, FuzzedEngine.RESPOND, 3, FuzzedEngine.COLLECT, 63);
    }

    private static void setPorts(byte[] header, boolean isFromClient) {
        ByteBuffer ports = ByteBuffer.wrap(header);
        int client = FuzzedEngine.CLIENT_PORT;
        int server = FuzzedEngine.SERVER_PORT;
        ports.putShort(HomaHeader.SOURCE_PORT_OFFSET, (short) (isFromClient ? client : server));
        ports.putShort(HomaHeader.DESTINATION_PORT_OFFSET, (short) (isFromClient ? server : client));
    }

    private void write(int... bytes) {
        for (int value : bytes) {
            script.write(value);
        }
    }
}
