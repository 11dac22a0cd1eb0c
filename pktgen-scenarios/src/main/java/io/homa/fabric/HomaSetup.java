package io.homa.fabric;

import io.homa.engine.EngineConfig;
import org.jspecify.annotations.Nullable;

/// The production engine on every host.
///
/// @param config what each engine is made with; the seed is mixed with the host's number
/// @param format packets
/// @param cutoffs the table of every host, which all others know from the start; null for what the engine does by
///     itself
public record HomaSetup(EngineConfig config, WireFormat format, int @Nullable [] cutoffs) implements TransportSetup {
    @Override
    public void build(Fabric fabric, Transport[] hosts) {
        HomaHost[] made = new HomaHost[hosts.length];
        for (int i = 0; i < hosts.length; i++) {
            made[i] = new HomaHost(fabric, i, config, format);
            hosts[i] = made[i];
        }
        if (cutoffs == null) {
            return;
        }
        for (HomaHost host : made) {
            host.cutoffs(cutoffs);
        }
        for (int i = 0; i < made.length; i++) {
            for (int other = 0; other < made.length; other++) {
                if (other != i) {
                    made[i].learnCutoffs(other, cutoffs);
                }
            }
        }
    }
}
