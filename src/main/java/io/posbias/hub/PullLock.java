package io.posbias.hub;

import io.posbias.IoErrors;
import io.posbias.LockFile;
import io.posbias.PosbiasException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** One process at a time pulls into a folder. */
final class PullLock {
    private PullLock() {}

    /**
     * Does work while holding the lock {@code .NAME.lock} beside a folder, waiting first while another process holds it.
     *
     * @param name what is pulled, for messages
     * @param say takes a line when another process holds the lock
     * @throws PosbiasException if this process holds the lock already, or the lock's file cannot be written
     */
    static <T> T holding(Path folder, String name, Consumer<String> say, Supplier<T> work) {
        LockFile lock = lock(folder, name, say);
        try (lock) {
            return work.get();
        }
    }

    private static LockFile lock(Path folder, String name, Consumer<String> say) {
        Path file = folder.resolveSibling("." + folder.getFileName() + ".lock");
        try {
            return LockFile.hold(file, () -> say.accept("another posbias is pulling " + name + "; waiting for it"))
                    .orElseThrow(() -> new PosbiasException(name + " is being pulled by this process already"));
        } catch (IOException refused) {
            throw IoErrors.kept(folder, refused);
        }
    }
}
