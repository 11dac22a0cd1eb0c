package io.homa.fabric.faults;

import io.homa.engine.RpcError;
import java.util.Arrays;

/// The truth about every RPC of a run, which engines cannot see: who sent it, what it must carry, how often it was
/// executed and how it ended. A tag is the number of an RPC, from 1 on. One thread.
final class RpcLedger {
    private enum End {
        NONE,
        RESPONSE,
        ERROR
    }

    private final End[] end;
    private final int[] requestLength;
    /// Life of the server's host in which the handler ran, plus 1; 0 if it never did.
    private final int[] executedIn;
    private int sent;
    private int ended;
    private int failed;

    RpcLedger(int rpcs) {
        end = new End[rpcs + 1];
        Arrays.fill(end, End.NONE);
        requestLength = new int[rpcs + 1];
        executedIn = new int[rpcs + 1];
    }

    int sent() {
        return sent;
    }

    int ended() {
        return ended;
    }

    int failed() {
        return failed;
    }

    boolean isFull() {
        return sent + 1 == end.length;
    }

    /// Gives the next request its tag.
    int send(int length) {
        int tag = ++sent;
        requestLength[tag] = length;
        return tag;
    }

    /// The engine refused the request of `tag`, the last one.
    void unsend() {
        sent--;
    }

    int requestLength(long tag) {
        return requestLength[(int) tag];
    }

    /// Returns the length of the response to `tag`, from one byte to `largest`, mostly near that of the request.
    int responseLength(long tag, int largest) {
        long mixed = tag * 0x9E37_79B9_7F4A_7C15L >>> 40;
        int length = requestLength(tag);
        return Math.clamp((mixed & 3) == 0 ? mixed % 2_000 : length / ((mixed & 4) == 0 ? 1 : 4), 8, largest);
    }

    boolean isKnown(long tag) {
        return tag >= 1 && tag <= sent;
    }

    /// The handler of a server ran for `tag`, in the given life of its host.
    void executed(long tag, int serverLife) {
        if (executedIn[(int) tag] == serverLife + 1) {
            throw new Violation("the handler ran twice for RPC " + tag);
        }
        executedIn[(int) tag] = serverLife + 1;
    }

    /// @param isTagged whether the server could see which RPC it executed
    void answered(long tag, boolean isTagged) {
        if (isTagged && executedIn[(int) tag] == 0) {
            throw new Violation("RPC " + tag + " was answered, but its handler never ran");
        }
        finish(tag, End.RESPONSE);
    }

    void failed(long tag, RpcError error, boolean isAllowed) {
        if (!isAllowed) {
            throw new Violation("RPC " + tag + " failed with " + error + ", for which there was no reason");
        }
        failed++;
        finish(tag, End.ERROR);
    }

    private void finish(long tag, End how) {
        int at = (int) tag;
        if (end[at] != End.NONE) {
            throw new Violation("RPC " + tag + " ended twice: first with " + end[at] + ", then with " + how);
        }
        end[at] = how;
        ended++;
    }

    /// Returns the tag of an RPC that has not ended, 0 if all have.
    int firstOpen() {
        for (int tag = 1; tag <= sent; tag++) {
            if (end[tag] == End.NONE) {
                return tag;
            }
        }
        return 0;
    }
}
