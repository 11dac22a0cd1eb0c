/// From frames to the engine and back: Ethernet, IPv4, ARP, ICMP, and the drivers that move frames.
///
/// Entry types: [io.homa.net.NetworkLayer] joins the parts; [io.homa.net.PortDriver] is what it stands on.
/// Everything runs on the engine thread, without locks or allocation.
@NullMarked
package io.homa.net;

import org.jspecify.annotations.NullMarked;
