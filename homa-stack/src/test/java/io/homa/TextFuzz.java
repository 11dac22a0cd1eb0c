package io.homa;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.homa.dpdk.DeviceSpec;
import io.homa.net.IpAddress;
import io.homa.net.Ipv6Address;
import io.homa.net.NetConfig;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;

/// Target of a fuzzer: the parsers of what users write. Anything but an [IllegalArgumentException] that says
/// what is
/// wrong is a finding. See `docs/testing.md`.
public final class TextFuzz {
    private static final List<Consumer<String>> PARSERS = List.of(
            DeviceSpec::parse,
            NetConfig::of,
            Ipv6Address::parse,
            IpAddress::parseMac,
            text -> assertEquals(
                    HomaAddress.parse(text),
                    HomaAddress.parse(HomaAddress.parse(text).toString())));

    private TextFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        for (Consumer<String> parser : PARSERS) {
            try {
                parser.accept(text);
            } catch (IllegalArgumentException e) {
                if (e.getMessage() == null || e instanceof NumberFormatException) {
                    throw new AssertionError("unclear message for '" + text + "'", e);
                }
            }
        }
    }
}
