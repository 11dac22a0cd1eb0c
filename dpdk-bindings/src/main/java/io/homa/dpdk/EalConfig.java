package io.homa.dpdk;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// How DPDK's environment is started. Checked completely before the start, because a failed start cannot be
/// repeated in a process.
///
/// @param memoryMegabytes memory for pools and queues, 32…65536
/// @param mainCpu CPU that DPDK takes as its main core, one of the process's; polling threads are pinned by
///     themselves
/// @param pciAddress NIC to use, if any; without one the PCI bus is left alone
/// @param logFile file for DPDK's own messages, if wanted
public record EalConfig(int memoryMegabytes, int mainCpu, Optional<String> pciAddress, Optional<Path> logFile) {
    public EalConfig {
        if (memoryMegabytes < 32 || memoryMegabytes > 65_536) {
            throw new IllegalArgumentException("memoryMegabytes is " + memoryMegabytes + "; allowed are 32 to 65536");
        }
        if (mainCpu < 0 || mainCpu > 1023) {
            throw new IllegalArgumentException("mainCpu is " + mainCpu + "; allowed are 0 to 1023");
        }
    }

    /// Returns a configuration for virtual devices, with the first CPU that this thread may use.
    public static EalConfig virtual(int memoryMegabytes) {
        return new EalConfig(
                memoryMegabytes, ThreadAffinity.current().nextSetBit(0), Optional.empty(), Optional.empty());
    }

    /// Returns DPDK's command line. With huge pages memory is anonymous and needs no mounted file system; without
    /// them it is ordinary pages, which works for any user.
    List<String> arguments(boolean usesHugePages) {
        List<String> arguments = new ArrayList<>(List.of("homa", "-l", Integer.toString(mainCpu), "--iova-mode=va"));
        arguments.addAll(List.of("-m", Integer.toString(memoryMegabytes), "--no-telemetry"));
        arguments.add("--file-prefix=homa" + ProcessHandle.current().pid());
        arguments.add("--log-level=*:" + (logFile.isPresent() ? "info" : "error"));
        arguments.addAll(
                usesHugePages ? List.of("--in-memory", "--single-file-segments") : List.of("--no-huge", "--no-shconf"));
        arguments.addAll(pciAddress.map(a -> List.of("-a", a)).orElse(List.of("--no-pci")));
        return arguments;
    }
}
