package io.homa.dpdk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// What the kernel says about huge pages.
final class HugePages {
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");

    private HugePages() {}

    /// Returns the megabytes of default-sized huge pages that are free now; 0 if there are none or the kernel
    /// does not say.
    static long freeMegabytes() {
        long pages = 0;
        long pageKilobytes = 0;
        try {
            for (String line : Files.readAllLines(MEMORY_INFO)) {
                if (line.startsWith("HugePages_Free:")) {
                    pages = number(line);
                } else if (line.startsWith("Hugepagesize:")) {
                    pageKilobytes = number(line);
                }
            }
        } catch (IOException e) {
            return 0;
        }
        return pages * pageKilobytes / 1024;
    }

    private static long number(String line) {
        return Long.parseLong(line.replaceAll("[^0-9]", ""));
    }
}
