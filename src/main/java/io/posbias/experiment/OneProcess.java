package io.posbias.experiment;

import io.posbias.LockFile;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Session;
import java.nio.file.Path;

/** What several processes on one folder of results must not do at the same time. */
final class OneProcess {
    private OneProcess() {}

    /**
     * Does some work while no other process does; waits for one that does.
     *
     * @param what of the work, in words
     * @param lock the file that is held meanwhile, the same for all of them
     */
    static void at(String what, Path lock, Session session, Runnable work) {
        LockFile held = Problems.got(
                        "write",
                        lock,
                        () -> LockFile.hold(
                                lock, () -> session.say("waiting for another posbias, which is at " + what)))
                .orElseThrow(() -> new PosbiasException("this posbias is at " + what + " already"));
        try (held) {
            work.run();
        }
    }
}
