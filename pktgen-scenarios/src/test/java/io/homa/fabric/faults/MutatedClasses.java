package io.homa.fabric.faults;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/// Loads the engine and its simulation anew, one class of it with a mistake. Assertions are off, as in production:
/// what only an assertion of the engine would notice counts as unnoticed.
final class MutatedClasses extends ClassLoader {
    private final Mutation mutation;

    MutatedClasses(Mutation mutation) {
        super(MutatedClasses.class.getClassLoader());
        this.mutation = mutation;
        setDefaultAssertionStatus(false);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("io.homa.engine.") && !name.startsWith("io.homa.fabric.faults.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : define(name);
        }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        byte[] bytes;
        try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (in == null) {
                throw new ClassNotFoundException(name);
            }
            bytes = in.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        if (name.equals(mutation.className())) {
            bytes = mutation.apply(bytes);
        }
        return defineClass(name, bytes, 0, bytes.length);
    }
}
