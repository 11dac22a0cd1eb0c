package io.homa.dpdk;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.jspecify.annotations.Nullable;

/// Finds and loads the native shim, once per process, and makes sure that it fits these classes.
///
/// The library is the file that the system property `homa.native.library` names, else the one inside the
/// `homa-native` jar, which is copied to a private temporary file. Loading is thread-safe (class initialisation).
@SuppressWarnings("restricted") // Loading a library and linking to it is the purpose of this class.
final class DpdkLibrary {
    private static final String RESOURCE = "/META-INF/native/linux-x86_64/libhoma_dpdk.so";
    private static final String PROPERTY = "homa.native.library";
    private static final int ABI = 1;

    private static final Linker LINKER = Linker.nativeLinker();
    private static final SymbolLookup SYMBOLS = load();

    private DpdkLibrary() {}

    /// Links a function of the shim.
    static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        MemorySegment address = SYMBOLS.find(name)
                .orElseThrow(() -> new DpdkException("The native library has no function " + name
                        + ": it belongs to another version. Rebuild it with ./homa setup."));
        return LINKER.downcallHandle(address, type, options);
    }

    private static SymbolLookup load() {
        Path file = locate();
        SymbolLookup symbols;
        try {
            symbols = SymbolLookup.libraryLookup(file, Arena.global());
        } catch (IllegalArgumentException e) {
            // The loader's own text names the library that is missing; dlopen's is lost in the lookup, so ask again.
            throw new DpdkException(
                    "The native library " + file + " cannot be loaded: " + loaderText(file)
                            + ". Is DPDK installed? On Debian or Ubuntu: apt-get install dpdk libdpdk-dev, then ./homa setup",
                    e);
        }
        checkAbi(symbols);
        return symbols;
    }

    private static String loaderText(Path file) {
        try {
            System.load(file.toString());
            return "unknown reason";
        } catch (UnsatisfiedLinkError e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static Path locate() {
        @Nullable String named = System.getProperty(PROPERTY);
        if (named != null) {
            Path file = Path.of(named).toAbsolutePath();
            if (!Files.isReadable(file)) {
                throw new DpdkException(
                        "-D" + PROPERTY + "=" + named + " is not a readable file. Correct it or leave it out.");
            }
            return file;
        }
        try (InputStream library = DpdkLibrary.class.getResourceAsStream(RESOURCE)) {
            if (library == null) {
                throw new DpdkException("The native library is not on the class path (" + RESOURCE
                        + "). Add the homa-native jar, or name the file with -D" + PROPERTY + "=…");
            }
            Path copy = Files.createTempFile("libhoma_dpdk", ".so");
            copy.toFile().deleteOnExit();
            Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
            return copy;
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The native library cannot be copied to the directory for temporary files", e);
        }
    }

    private static void checkAbi(SymbolLookup symbols) {
        MemorySegment address = symbols.find("homa_abi").orElseThrow();
        MethodHandle abi = LINKER.downcallHandle(address, FunctionDescriptor.of(ValueLayout.JAVA_INT));
        int found;
        try {
            found = (int) abi.invokeExact();
        } catch (Throwable e) {
            throw new LinkageError("homa_abi", e);
        }
        if (found != ABI) {
            throw new DpdkException("The native library has ABI " + found + ", these classes need " + ABI
                    + ". Rebuild both with ./homa setup.");
        }
    }
}
