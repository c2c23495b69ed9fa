package io.posbias.base.process;

import io.posbias.data.dataset.ParquetFile;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

public final class Sessions {
    static {
        ParquetFile.libraryOf(shared());
    }

    private Sessions() {}

    public static Session in(Path home) {
        return in(home, Map.of(), line -> {});
    }

    /** A session of the home that tests share. */
    public static Session shared() {
        return in(Path.of("target", "home").toAbsolutePath());
    }

    /** A session that keeps what is said. */
    public static Session saying(Path home, Consumer<String> say) {
        return in(home, Map.of(), say);
    }

    /** A session whose clock is a second later at every look: what is timed for a while is done once. */
    public static Session hurried(Path home) {
        AtomicLong seconds = new AtomicLong();
        Session session = in(home);
        return new Session(
                session.environment(),
                session.user(),
                () -> TimeUnit.SECONDS.toNanos(seconds.incrementAndGet()),
                session.progress(),
                session.say(),
                session.shutdown());
    }

    public static Session in(Path home, Map<String, String> environment, Consumer<String> say) {
        Map<String, String> all = new HashMap<>();
        all.put("POSBIAS_HOME", home.toString());
        all.put("HF_HOME", home.resolve("hf").toString());
        all.putAll(environment);
        return new Session(all, home, System::nanoTime, Progress.NONE, say, new Shutdown());
    }
}
