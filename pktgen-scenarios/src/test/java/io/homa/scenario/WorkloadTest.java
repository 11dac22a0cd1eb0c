package io.homa.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The published distributions are those of their papers, and files are checked.
class WorkloadTest {
    private static final int LIMIT = 1_000_000;

    @ParameterizedTest
    @CsvSource({
        "W1, 185.09, 28, 500, 1867",
        "W2, 440.79, 269, 512, 3151",
        "W3, 2927.35, 268, 1755, 31013",
        "W4, 127796.6, 662, 120373, 3430822",
        "W5, 2515863, 70658, 4806186, 26917814"
    })
    void meanAndQuantilesAreThePublishedOnes(String name, double mean, int p50, int p90, int p99) {
        Workload workload = Workload.builtIn(name);
        assertEquals(mean, workload.mean(), mean * 0.0005);
        assertEquals(p50, workload.quantile(0.5));
        assertEquals(p90, workload.quantile(0.9));
        assertEquals(p99, workload.quantile(0.99));
    }

    @ParameterizedTest
    @CsvSource({"W1, 189.2", "W2, 433.3", "W3, 2423.1", "W4, 60175", "W5, 385316"})
    void tablesCutAtTheLongestMessageHaveTheMeanOfTheKernelsBenchmark(String name, double mean) {
        Workload workload = Workload.builtIn("atc21/" + name).cutAt(LIMIT);
        assertEquals(mean, workload.mean(), mean * 0.001);
        assertTrue(workload.largest() <= LIMIT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"W1", "W2", "W3", "W4", "W5", "atc21/W1", "ai/grad_tensors_resnet50_fp32"})
    void samplesFollowTheDistribution(String name) {
        Workload workload = Workload.builtIn(name).cutAt(LIMIT);
        SplittableRandom random = new SplittableRandom(7);
        int count = 2_000_000;
        double sum = 0;
        double squares = 0;
        for (int i = 0; i < count; i++) {
            double size = workload.sample(random);
            sum += size;
            squares += size * size;
        }
        double mean = sum / count;
        double errorOfMean = Math.sqrt((squares / count - mean * mean) / count);
        assertEquals(workload.mean(), mean, 5 * errorOfMean + 1e-9);
    }

    @Test
    void quantileIsTheFirstRowThatReachesU() {
        Workload workload = Workload.builtIn("W3");
        SplittableRandom random = new SplittableRandom(1);
        for (int i = 0; i < 10_000; i++) {
            double u = random.nextDouble();
            int size = workload.quantile(u);
            assertTrue(size <= workload.quantile(Math.min(u + 0.01, Math.nextDown(1.0))));
        }
        assertEquals(3, workload.quantile(0));
        assertEquals(3, workload.quantile(0.06488262300276));
        assertEquals(32, workload.quantile(Math.nextUp(0.06488262300276)));
    }

    @Test
    void rowOfProbabilityZeroIsNeverDrawn(@TempDir Path directory) throws Exception {
        Workload workload = Workload.read(write(directory, "size,p\n5,0\n10,0.5\n20,1\n"));
        assertEquals(10, workload.quantile(0));
        assertEquals(10, workload.quantile(0.5));
        assertEquals(20, workload.quantile(Math.nextUp(0.5)));
        assertEquals(15, workload.mean());
    }

    @Test
    void sameSeedGivesTheSameSizes() {
        Workload workload = Workload.builtIn("W4");
        SplittableRandom one = new SplittableRandom(3);
        SplittableRandom two = new SplittableRandom(3);
        for (int i = 0; i < 1_000; i++) {
            assertEquals(workload.sample(one), workload.sample(two));
        }
    }

    @Test
    void cuttingKeepsSmallerSizesAndTheirShares(@TempDir Path directory) throws Exception {
        Workload workload = Workload.read(write(directory, "size,p\n10,0.25\n20,0.5\n400,1\n"))
                .cutAt(100);
        assertEquals(10 * 0.25 + 20 * 0.25 + 100 * 0.5, workload.mean());
        assertEquals(100, workload.largest());
        assertEquals(10, workload.quantile(0.25));
        assertEquals(20, workload.quantile(0.5));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''| :1: the file is empty",
                "'size,p\n'| :1: there is no row",
                "'size,p\n10,0.5\nabc,1\n'| :3: expected size_bytes,cumulative_probability and found 'abc,1'",
                "'size,p\n10\n'| :2: expected",
                "'size,p\n10,0.5,1\n'| :2: expected",
                "'size,p\n10,0.5\n10,1\n'| :3: sizes must increase",
                "'size,p\n10,0.5\n20,0.4\n30,1\n'| :3: probabilities must never decrease",
                "'size,p\n0,1\n'| :2: size is 0",
                "'size,p\n10,NaN\n'| :2: probability is NaN",
                "'size,p\n10,1.5\n'| :2: probability is 1.5",
                "'size,p\n10,0.9\n'| the last probability is 0.9 and must be 1"
            })
    void badFileIsRefusedWithFileAndLine(String text, String message, @TempDir Path directory) throws Exception {
        Path file = write(directory, text);
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> Workload.read(file));
        assertTrue(error.getMessage().startsWith(file + ":"), error.getMessage());
        assertTrue(error.getMessage().contains(message), error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"W6", "../W1", "ai/", ""})
    void unknownNameIsRefusedWithTheAllowedOnes(String name) {
        IllegalArgumentException error = assertThrows(IllegalArgumentException.class, () -> Workload.builtIn(name));
        assertTrue(error.getMessage().contains("W1 to W5"), error.getMessage());
    }

    private static Path write(Path directory, String text) throws Exception {
        return Files.writeString(directory.resolve("sizes.csv"), text);
    }
}
