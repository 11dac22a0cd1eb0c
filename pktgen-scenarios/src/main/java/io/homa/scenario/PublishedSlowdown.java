package io.homa.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;

/// The slowdowns by message size that the SIGCOMM 2018 paper plots: the data of its authors, as kept in
/// serhatarslan-hub/HomaL4Protocol-ns-3, `inputs/homa-paper-reproduction/original-raw-data-from-paper.txt`.
public final class PublishedSlowdown {
    private static final String RESOURCE = "/published/sigcomm18-slowdown.csv";

    /// Name of Homa's rows.
    public static final String HOMA = "Homa";

    private PublishedSlowdown() {}

    /// A class of message sizes.
    ///
    /// @param upToBytes largest size in it
    /// @param p50 median slowdown
    /// @param p99 99th percentile
    public record Bin(int upToBytes, double p50, double p99) {}

    /// Returns the bins of a workload in rising order; empty if the paper has none.
    ///
    /// @param load share of the link, headers and grants included: 0.5 or 0.8
    public static List<Bin> of(String workload, double load, String transport) {
        try (InputStream in = PublishedSlowdown.class.getResourceAsStream(RESOURCE)) {
            if (in == null) {
                throw new IllegalStateException(RESOURCE + " is missing from this build");
            }
            BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            return lines.lines()
                    .skip(1)
                    .map(line -> line.split(",", -1))
                    .filter(row ->
                            row[0].equals(workload) && Double.parseDouble(row[1]) == load && row[2].equals(transport))
                    .map(row -> new Bin(
                            (int) Double.parseDouble(row[3]), Double.parseDouble(row[7]), Double.parseDouble(row[8])))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(RESOURCE + " cannot be read", e);
        }
    }
}
