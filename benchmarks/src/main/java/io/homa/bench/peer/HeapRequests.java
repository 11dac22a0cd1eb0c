package io.homa.bench.peer;

import io.homa.bench.load.Contents;
import org.jspecify.annotations.Nullable;

/// Requests in heap arrays, one for each slot, which are made anew only for another length. One thread.
final class HeapRequests {
    private final byte[] @Nullable [] bySlot;

    HeapRequests(int slots) {
        bySlot = new byte[slots][];
    }

    /// Returns the next request of a slot, whole. It is the caller's until the next one of that slot.
    byte[] next(int slot, int requestBytes, int responseBytes) {
        byte[] request = bySlot[slot];
        if (request == null || request.length != requestBytes) {
            request = new byte[requestBytes];
            bySlot[slot] = request;
        }
        Contents.writeMessage(request, slot, responseBytes);
        return request;
    }
}
