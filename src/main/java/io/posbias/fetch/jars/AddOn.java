package io.posbias.fetch.jars;

import io.posbias.base.files.FileNames;
import io.posbias.base.process.Session;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;

/**
 * Parts of posbias whose libraries are in no archive. A released archive has the part's classes in {@code lib/posbias-NAME.jar}
 * and downloads its libraries from Maven Central on first use. A build with the part's profile has both on the class path.
 */
public enum AddOn {
    /** {@code --engine spark}: {@code -Pspark}. */
    SPARK("Apache Spark");

    private final String title;

    AddOn(String title) {
        this.title = title;
    }

    /**
     * Returns the part's implementation of a service; empty in a build that lacks the part.
     *
     * @param session whose home has the libraries, and which keeps them loaded
     * @throws io.posbias.base.process.PosbiasException if its libraries cannot be downloaded
     */
    public <S> Optional<S> service(Class<S> type, Session session) {
        Optional<S> onClassPath = load(type, AddOn.class.getClassLoader());
        return onClassPath.isPresent() ? onClassPath : loader(session).flatMap(own -> load(type, own));
    }

    private static <S> Optional<S> load(Class<S> type, ClassLoader loader) {
        try {
            return ServiceLoader.load(type, loader).findFirst();
        } catch (ServiceConfigurationError left) {
            // target/ has the resources of an earlier build with the profile.
            return Optional.empty();
        }
    }

    private Optional<ClassLoader> loader(Session session) {
        Path classes = classes();
        return Files.isRegularFile(classes)
                ? Optional.of((ClassLoader) session.made().computeIfAbsent(name(), part -> loader(classes, session)))
                : Optional.empty();
    }

    /** The libraries find their own parts through the thread's class loader, which is set too. */
    private ClassLoader loader(Path classes, Session session) {
        ClassLoader loader = LibraryJars.loader(title, word(), List.of(classes), session);
        Thread.currentThread().setContextClassLoader(loader);
        return loader;
    }

    private String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** {@code lib/posbias-NAME.jar} beside {@code posbias.jar}. */
    private Path classes() {
        return FileNames.holding(AddOn.class).resolveSibling("lib").resolve("posbias-" + word() + ".jar");
    }
}
