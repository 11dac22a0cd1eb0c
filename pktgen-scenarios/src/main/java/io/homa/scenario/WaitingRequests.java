package io.homa.scenario;

import io.homa.memory.HotPath;

/// Requests that could not be answered for want of packets, in order of arrival. Allocated once; one thread.
@HotPath
final class WaitingRequests {
    private final long[] rpcs;
    private final long[] kept;
    private final int[] clientHosts;
    private final int[] lengths;
    private int head;
    private int count;

    WaitingRequests(int capacity) {
        rpcs = new long[capacity];
        kept = new long[capacity];
        clientHosts = new int[capacity];
        lengths = new int[capacity];
    }

    boolean isEmpty() {
        return count == 0;
    }

    /// @param handle chain of packets of the request, or any other value to be remembered
    void add(long rpc, int clientHost, long handle, int length) {
        if (count == rpcs.length) {
            throw new IllegalStateException("more requests wait than the engine holds");
        }
        int at = (head + count++) % rpcs.length;
        rpcs[at] = rpc;
        clientHosts[at] = clientHost;
        kept[at] = handle;
        lengths[at] = length;
    }

    long rpc() {
        return rpcs[head];
    }

    int clientHost() {
        return clientHosts[head];
    }

    long kept() {
        return kept[head];
    }

    int length() {
        return lengths[head];
    }

    void remove() {
        head = (head + 1) % rpcs.length;
        count--;
    }
}
