package io.homa.scenario;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where a run took place.
///
/// @param cpu model of the processor
/// @param cores processors that this process may use
/// @param kernel release of the operating system
/// @param jdk version and vendor
/// @param dpdk version; empty if DPDK was not used
/// @param device device spec, or `simulated`
public record MachineInfo(
        @JsonProperty("cpu") String cpu,
        @JsonProperty("cores") int cores,
        @JsonProperty("kernel") String kernel,
        @JsonProperty("jdk") String jdk,
        @JsonProperty("dpdk") String dpdk,
        @JsonProperty("device") String device) {

    /// Describes this machine.
    public static MachineInfo current(String dpdk, String device) {
        return new MachineInfo(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("os.name", "?") + " " + System.getProperty("os.version", "?"),
                Runtime.version() + " (" + System.getProperty("java.vendor", "?") + ")",
                dpdk,
                device);
    }

    private static String cpuModel() {
        try {
            return Files.readAllLines(Path.of("/proc/cpuinfo")).stream()
                    .filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }

    /// Returns the resident memory of this process in bytes, 0 if the system does not tell.
    public static long residentBytes() {
        try {
            return Files.readAllLines(Path.of("/proc/self/status")).stream()
                    .filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) * 1_024)
                    .findFirst()
                    .orElse(0);
        } catch (IOException e) {
            return 0;
        }
    }
}
