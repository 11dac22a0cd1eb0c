package io.homa.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A key and its self-signed certificate, made for one run by the JDK's `keytool`. The store is removed again at once.
///
/// @param key of the server
/// @param certificate for it, valid for a day
record SelfSigned(PrivateKey key, X509Certificate certificate) {
    private static final String ALIAS = "bench";
    private static final String PASSWORD = "changeit";
    private static final int LIMIT_SECONDS = 30;

    /// Makes one.
    ///
    /// @param directory for a file meanwhile
    static SelfSigned make(Path directory) {
        Path store = directory.resolve("key-" + ProcessHandle.current().pid() + ".p12");
        try {
            Files.deleteIfExists(store);
            keytool(store);
            KeyStore keys = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(store)) {
                keys.load(in, PASSWORD.toCharArray());
            }
            return new SelfSigned((PrivateKey) keys.getKey(ALIAS, PASSWORD.toCharArray()), (X509Certificate)
                    keys.getCertificate(ALIAS));
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate could be made: " + e.getMessage(), e);
        } finally {
            delete(store);
        }
    }

    private static void keytool(Path store) throws IOException {
        List<String> line = List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-keyalg",
                "EC",
                "-alias",
                ALIAS,
                "-dname",
                "CN=localhost",
                "-validity",
                "1",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString());
        Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        try {
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException("keytool failed: " + output.strip());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    private static void delete(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new IllegalStateException("cannot remove " + file, e);
        }
    }
}
