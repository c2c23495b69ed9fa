package io.posbias.fetch.hub;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Json;
import io.posbias.base.net.Http;
import io.posbias.base.net.HttpReply;
import io.posbias.base.net.Limits;
import io.posbias.base.net.RefusedException;
import io.posbias.base.net.TooLongException;
import io.posbias.base.net.Transfer;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.core.JacksonException;

/**
 * The Hugging Face Hub: finds files in its library's cache first, downloads what is missing, verifies everything. Busy
 * answers (429, 5xx) and broken connections are tried again, each time later; what has arrived is kept.
 */
public final class Hub {
    private static final Logger LOG = LoggerFactory.getLogger(Hub.class);

    /** A million files; the Hub lists a thousand at a time. */
    private static final int MOST_PAGES = 1000;

    /** The most that the Hub says of files at a time: of a thousand. */
    private static final long MOST_LISTED = 16 << 20;

    private static final Pattern NEXT_PAGE = Pattern.compile("<([^<>]+)>\\s*;\\s*rel=\"next\"");

    private final HubSettings settings;
    private final Downloader downloader;
    private final HubCache cache;
    private final HubProblems problems;
    private final Session session;

    public Hub(HubSettings settings, Session session) {
        this.settings = settings;
        this.downloader = new Downloader(settings, session);
        this.cache = new HubCache(settings.hubCache());
        this.problems = new HubProblems(settings);
        this.session = session;
    }

    /**
     * A file that is available.
     *
     * @param remote what is known of it; of a file that is only in the Hub's cache, what that says
     * @param cached its verified copy in the Hub's cache; empty if it must be downloaded
     */
    public record Located(HubFile file, Download.Remote remote, Optional<Path> cached) {
        /**
         * Limits the file's size.
         *
         * @throws PosbiasException if the Hub says that it is larger
         */
        Located atMost(long bytes) {
            if (remote.size() > bytes) {
                throw new PosbiasException(
                        file + " has " + remote.size() + " bytes; a file of settings has at most " + bytes);
            }
            return new Located(
                    file,
                    new Download.Remote(remote.address(), remote.commit(), remote.tag(), remote.size(), bytes),
                    cached);
        }

        /** Returns the file in a folder if it has the content, else this. */
        Located orIn(Path folder) throws IOException {
            Path here = FileNames.inside(folder, file.path());
            boolean same = Files.isRegularFile(here)
                    && (remote.size() < 0 || remote.size() == Files.size(here))
                    && remote.tag().isOf(here);
            return same ? new Located(file, remote, Optional.of(here)) : this;
        }
    }

    /**
     * Asks the Hub for a file and looks into the Hub's cache; downloads nothing.
     *
     * @throws HubException if it cannot be had, saying what to do
     */
    public Located find(HubFile file) {
        return IoErrors.call("read", settings.hubCache(), () -> {
            if (settings.offline()) {
                return cached(file).orElseThrow(() -> problems.offline(file));
            }
            Download.Remote remote;
            try {
                remote = describe(file);
            } catch (RefusedException refused) {
                throw problems.refused(file, refused);
            } catch (IOException unreachable) {
                Optional<Located> cached = cached(file);
                if (cached.isPresent()) {
                    cached.get().cached().ifPresent(path -> session.say("the Hub cannot be reached; using " + path));
                    return cached.get();
                }
                throw problems.unreachable(unreachable);
            }
            Optional<HubCache.Held> held = cache.find(file, remote.commit(), remote.tag());
            LOG.debug(
                    "{}: commit {}, digest {}, {} bytes, in the Hub's cache: {}",
                    file,
                    remote.commit(),
                    remote.tag().hex(),
                    remote.size(),
                    held.isPresent());
            return new Located(file, remote, held.map(HubCache.Held::path));
        });
    }

    /** All files of one commit: a branch may move while the Hub is asked for one after another. */
    public List<Located> find(HubRepository repository, List<String> paths) {
        List<Located> found = new ArrayList<>();
        HubRepository seen = repository;
        for (String path : paths) {
            Located file = find(seen.file(path));
            found.add(file);
            if (HubRepository.isCommit(file.remote().commit())) {
                seen = seen.at(file.remote().commit());
            }
        }
        return found;
    }

    /** A file that the Hub is not asked for, at the commit that the Hub's library saw last. */
    private Optional<Located> cached(HubFile file) throws IOException {
        Optional<String> commit = cache.commit(file.repository());
        if (commit.isEmpty()) {
            return Optional.empty();
        }
        Optional<HubCache.Held> held = cache.find(file, commit.get(), null);
        if (held.isEmpty()) {
            return Optional.empty();
        }
        Path path = held.get().path();
        Download.Remote remote = new Download.Remote(
                file.address(settings.endpoint()), commit.get(), held.get().tag(), Files.size(path));
        return Optional.of(new Located(file, remote, Optional.of(path)));
    }

    /**
     * Returns the bytes of a file that must still be downloaded.
     *
     * @param folder target of {@link #download}
     * @return bytes; 0 when the Hub does not say
     */
    long missing(Located found, Path folder) {
        Download.Remote remote = found.remote();
        Path target = FileNames.inside(folder, found.file().path());
        return IoErrors.call("read", target, () -> {
            boolean whole = Files.exists(target) && Files.size(target) == remote.size();
            return found.cached().isPresent() || whole
                    ? 0L
                    : Math.max(
                            0,
                            remote.size()
                                    - new Download(downloader, found.file().toString(), remote, target).kept());
        });
    }

    /**
     * Makes a file available that was found.
     *
     * @param folder where it goes, under its path in the repository, if it must be downloaded
     * @return the file, in the Hub's cache or in the folder; its content is verified
     * @throws HubException if it cannot be had, saying what to do
     */
    public Path download(Located found, Path folder) {
        return IoErrors.call(
                "write",
                folder,
                () -> found.cached().isPresent()
                        ? found.cached().get()
                        : download(found.file(), found.remote(), folder));
    }

    /** Asks for headers; stops at the redirect that carries the Hub's own headers for a large file. */
    private Download.Remote describe(HubFile file) throws IOException {
        URI address = file.address(settings.endpoint());
        Http.Request request = settings.request("HEAD", address, Map.of());
        try (HttpReply reply = patiently(request, Hub::isDescription)) {
            String tag =
                    reply.header("X-Linked-Etag").or(() -> reply.header("ETag")).orElse("");
            String size = reply.header("X-Linked-Size")
                    .or(() -> reply.header("Content-Length"))
                    .filter(text -> text.matches("[0-9]{1,18}"))
                    .orElse("-1");
            String commit = reply.header("X-Repo-Commit").orElse("");
            return new Download.Remote(address, commit, ETag.parse(tag), Long.parseLong(size));
        }
    }

    private static boolean isDescription(HttpReply reply) {
        boolean linked = reply.header("X-Linked-Etag").isPresent();
        return reply.status() == 200 || (linked && reply.status() / 100 == 3);
    }

    private HttpReply patiently(Http.Request request, Predicate<HttpReply> takes) throws IOException {
        Limits limits = new Limits(settings.silence(), settings.silence().multipliedBy(2), MOST_LISTED);
        Transfer transfer = downloader.transfer();
        return transfer.tried(
                request.address(), () -> transfer.send(request, limits, takes), (failure, next, pause) -> {});
    }

    private Path download(HubFile file, Download.Remote remote, Path folder) throws IOException {
        Path target = FileNames.inside(folder, file.path());
        if (Files.exists(target) && remote.tag().isOf(target)) {
            return target;
        }
        session.say("fetching " + file + Downloader.size(remote.size()) + " from " + settings.endpoint());
        try {
            return new Download(downloader, file.toString(), remote, target).fetch();
        } catch (RefusedException refused) {
            throw problems.refused(file, refused);
        } catch (FileSystemException refused) {
            throw refused;
        } catch (IOException unreachable) {
            throw problems.unreachable(unreachable);
        }
    }

    public List<String> list(HubRepository repository) {
        HubFile any = repository.file("README.md");
        if (settings.offline()) {
            List<String> cached = IoErrors.call("read", settings.hubCache(), () -> cache.list(repository));
            if (cached.isEmpty()) {
                throw problems.offline(any);
            }
            return cached;
        }
        List<String> paths = new ArrayList<>();
        Set<URI> seen = new HashSet<>();
        try {
            for (URI next = repository.list(settings.endpoint()); next != null; ) {
                if (!seen.add(next) || seen.size() > MOST_PAGES) {
                    throw problems.badList(repository, "it does not end", null);
                }
                next = addPage(next, paths);
            }
        } catch (RefusedException refused) {
            throw problems.refused(any, refused);
        } catch (TooLongException tooLong) {
            throw problems.badList(repository, "it is " + tooLong.getMessage(), tooLong);
        } catch (JacksonException unreadable) {
            throw problems.badList(repository, "it cannot be read", unreadable);
        } catch (IOException unreachable) {
            throw problems.unreachable(unreachable);
        }
        return paths;
    }

    /** Adds the files of one page, and returns the next; null after the last. */
    private @Nullable URI addPage(URI page, List<String> paths) throws IOException {
        try (HttpReply reply = patiently(settings.request("GET", page, Map.of()), HttpReply::isFine)) {
            addPaths(reply.body().readAllBytes(), paths);
            Matcher link = NEXT_PAGE.matcher(reply.header("Link").orElse(""));
            return link.find() ? Transfer.follow("a next page", page, link.group(1)) : null;
        }
    }

    private record Entry(@Nullable String type, @Nullable String path) {}

    private static void addPaths(byte[] json, List<String> paths) {
        for (Entry entry : Json.mapper().readValue(json, Entry[].class)) {
            if ("file".equals(entry.type()) && entry.path() != null) {
                paths.add(entry.path());
            }
        }
    }
}
