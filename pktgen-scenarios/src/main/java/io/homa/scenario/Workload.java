package io.homa.scenario;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/// A distribution of message sizes as a cumulative step function. Immutable; sampling allocates nothing.
///
/// A sample draws u in [0, 1) and takes the first row whose cumulative probability is u or more, as the simulator
/// of the SIGCOMM 2018 paper does. A row with probability 0 is never drawn.
public final class Workload {
    /// Names of the published workloads, from the smallest messages to the largest.
    public static final List<String> PUBLISHED = List.of("W1", "W2", "W3", "W4", "W5");

    private static final String DIRECTORY = "/workloads/";
    private static final int GUIDE_BUCKETS = 4_096;

    private final String name;
    private final int[] sizes;
    private final double[] cumulative;
    /// For each bucket of u the first row that can be the answer, so that sampling looks at one or two rows.
    private final int[] guide = new int[GUIDE_BUCKETS];

    private Workload(String name, int[] sizes, double[] cumulative) {
        this.name = name;
        this.sizes = sizes;
        this.cumulative = cumulative;
        int row = 0;
        for (int i = 0; i < GUIDE_BUCKETS; i++) {
            while (isBefore(row, (double) i / GUIDE_BUCKETS)) {
                row++;
            }
            guide[i] = row;
        }
    }

    private boolean isBefore(int row, double u) {
        // A row of probability 0 lies before u = 0 too.
        return cumulative[row] < u || cumulative[row] == 0;
    }

    /// Returns a workload that comes with the program: `W1`…`W5`, `atc21/W1`…`atc21/W5`, or a file name below `ai/`.
    ///
    /// @throws IllegalArgumentException if there is none of that name
    public static Workload builtIn(String name) {
        String resource = DIRECTORY + name + ".csv";
        boolean isName = name.matches("[A-Za-z0-9_]+(/[A-Za-z0-9_]+)?");
        try (InputStream in = isName ? Workload.class.getResourceAsStream(resource) : null) {
            if (in == null) {
                throw new IllegalArgumentException("no workload '" + name
                        + "'; allowed are W1 to W5, atc21/W1 to atc21/W5, names of files in workloads/ai (such as"
                        + " ai/grad_tensors_resnet50_fp32), or the path of a CSV file");
            }
            return parse(name, resource, new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + resource, e);
        }
    }

    /// Returns the workload of a file `size_bytes,cumulative_probability`.
    ///
    /// @throws IllegalArgumentException with file and line if a row is wrong
    public static Workload read(Path file) throws IOException {
        try (BufferedReader reader = Files.newBufferedReader(file)) {
            return parse(String.valueOf(file.getFileName()), file.toString(), reader);
        }
    }

    /// Returns a file's workload if `nameOrFile` looks like a path, else the built-in one of that name.
    public static Workload of(String nameOrFile) throws IOException {
        return nameOrFile.endsWith(".csv") ? read(Path.of(nameOrFile)) : builtIn(nameOrFile);
    }

    private static Workload parse(String name, String source, BufferedReader reader) throws IOException {
        int[] sizes = new int[64];
        double[] cumulative = new double[64];
        int rows = 0;
        int number = 1;
        require(reader.readLine() != null, source, number, "the file is empty; the first line names the columns");
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            number++;
            if (line.isBlank()) {
                continue;
            }
            if (rows == sizes.length) {
                sizes = Arrays.copyOf(sizes, 2 * rows);
                cumulative = Arrays.copyOf(cumulative, 2 * rows);
            }
            parseRow(line, source, number, sizes, cumulative, rows);
            if (rows > 0) {
                require(sizes[rows] > sizes[rows - 1], source, number, "sizes must increase from line to line");
                require(cumulative[rows] >= cumulative[rows - 1], source, number, "probabilities must never decrease");
            }
            rows++;
        }
        require(rows > 0, source, number, "there is no row");
        require(
                cumulative[rows - 1] == 1,
                source,
                number,
                "the last probability is " + cumulative[rows - 1] + " and must be 1");
        return new Workload(name, Arrays.copyOf(sizes, rows), Arrays.copyOf(cumulative, rows));
    }

    private static void parseRow(String line, String source, int number, int[] sizes, double[] cumulative, int row) {
        int comma = line.indexOf(',');
        String form = "expected size_bytes,cumulative_probability and found '" + line + "'";
        require(comma > 0 && comma == line.lastIndexOf(','), source, number, form);
        try {
            sizes[row] = Integer.parseInt(line.substring(0, comma).strip());
            cumulative[row] = Double.parseDouble(line.substring(comma + 1).strip());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(source + ":" + number + ": " + form, e);
        }
        require(sizes[row] >= 1, source, number, "size is " + sizes[row] + "; allowed are 1 to 2147483647");
        require(
                cumulative[row] >= 0 && cumulative[row] <= 1,
                source,
                number,
                "probability is " + cumulative[row] + "; allowed are 0 to 1");
    }

    private static void require(boolean holds, String source, int line, String otherwise) {
        if (!holds) {
            throw new IllegalArgumentException(source + ":" + line + ": " + otherwise);
        }
    }

    /// Returns the same workload with every size above `maxBytes` cut to it.
    public Workload cutAt(int maxBytes) {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("maxBytes is " + maxBytes + "; allowed are 1 and more");
        }
        int rows = 0;
        while (rows < sizes.length && sizes[rows] < maxBytes) {
            rows++;
        }
        if (rows == sizes.length) {
            return this;
        }
        int[] cutSizes = Arrays.copyOf(sizes, rows + 1);
        double[] cutCumulative = Arrays.copyOf(cumulative, rows + 1);
        cutSizes[rows] = maxBytes;
        cutCumulative[rows] = 1;
        return new Workload(name, cutSizes, cutCumulative);
    }

    /// Draws a size in bytes.
    public int sample(RandomGenerator random) {
        return quantile(random.nextDouble());
    }

    /// Returns the size at cumulative probability `u`, which is in [0, 1).
    public int quantile(double u) {
        int row = guide[(int) (u * GUIDE_BUCKETS)];
        while (isBefore(row, u)) {
            row++;
        }
        return sizes[row];
    }

    /// Tells each size and its probability, in rising order.
    public void forEachSize(SizeVisitor visitor) {
        double before = 0;
        for (int i = 0; i < sizes.length; i++) {
            visitor.visit(sizes[i], cumulative[i] - before);
            before = cumulative[i];
        }
    }

    /// Receives the sizes of a workload.
    public interface SizeVisitor {
        /// Is told one size in bytes.
        void visit(int size, double probability);
    }

    /// Returns the exact mean size in bytes.
    public double mean() {
        double sum = 0;
        double before = 0;
        for (int i = 0; i < sizes.length; i++) {
            sum += sizes[i] * (cumulative[i] - before);
            before = cumulative[i];
        }
        return sum;
    }

    /// Returns the largest size in bytes.
    public int largest() {
        return sizes[sizes.length - 1];
    }

    /// Returns the name it was asked for by.
    public String name() {
        return name;
    }
}
