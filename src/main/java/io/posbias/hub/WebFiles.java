package io.posbias.hub;

import io.posbias.FileNames;
import io.posbias.Problems;
import io.posbias.Progress;
import io.posbias.dataset.convert.CatalogEntry;
import io.posbias.net.TooLongException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Downloads files that are on other servers than the Hub, which get no token. What has arrived is kept and
 * continued; a file with a published digest is compared with it.
 */
final class WebFiles {
    private static final int MD5_LENGTH = 32;

    private final HubSettings settings;
    private final HubRequests requests;
    private final Progress progress;
    private final Consumer<String> say;

    /**
     * @param say takes a line for each file that is fetched
     */
    WebFiles(HubSettings settings, Progress progress, Consumer<String> say) {
        this.settings = settings;
        this.requests = new HubRequests(settings);
        this.progress = progress;
        this.say = say;
    }

    /**
     * Makes a file available.
     *
     * @param folder where it goes, under the last part of its address
     * @throws HubException if it cannot be had
     */
    Path fetch(CatalogEntry.WebFile file, Path folder) {
        return fetch(file, file.address().toString(), folder);
    }

    /**
     * The same for a file that messages call otherwise.
     *
     * @param name what it is and where it is from
     */
    Path fetch(CatalogEntry.WebFile file, String name, Path folder) {
        Path target = FileNames.directlyIn(folder, file.name());
        try {
            // Without a digest a file of the final name is whole all the same: it got that name last.
            if (Files.exists(target) && (file.digest().isEmpty() || tag(file).isOf(target))) {
                return target;
            }
            if (settings.offline()) {
                throw problem(name, "is not here, and HF_HUB_OFFLINE forbids fetching it", null);
            }
            say.accept("fetching " + name + Hub.size(file.bytes()));
            return download(file, name, target);
        } catch (HubAnswerException refused) {
            throw problem(name, "was answered with status " + refused.status, refused);
        } catch (FileSystemException refused) {
            throw Problems.kept(folder, refused);
        } catch (TooLongException tooLong) {
            throw problem(name, HubProblems.endless(tooLong), tooLong);
        } catch (IOException unreachable) {
            throw problem(
                    name, "cannot be reached (" + new HubProblems(settings).reason(unreachable) + ")", unreachable);
        }
    }

    private static ETag tag(CatalogEntry.WebFile file) {
        if (file.digest().isEmpty()) {
            return new ETag("unverified");
        }
        return isMd5(file) ? ETag.md5(file.digest()) : new ETag(file.digest());
    }

    private static boolean isMd5(CatalogEntry.WebFile file) {
        return file.digest().length() == MD5_LENGTH;
    }

    private Path download(CatalogEntry.WebFile file, String name, Path target) throws IOException, HubAnswerException {
        Download.Remote remote = new Download.Remote(file.address(), "", tag(file), file.bytes());
        Download download = new Download(requests, name, remote, target);
        String digest = isMd5(file) ? "MD5" : "SHA-256";
        Runnable wrong = () -> say.accept(name + " has another " + digest + " than published; fetching it again");
        return switch (download.run(progress, file.name(), wrong)) {
            case DONE -> target;
            case WRONG ->
                throw problem(
                        name, "has another " + digest + " than " + file.digest() + ", twice; it was deleted", null);
            case BROKEN ->
                throw problem(
                        name,
                        "broke off " + HubRequests.TRIES + " times; run the same command again: it continues after the "
                                + download.kept() + " bytes that arrived",
                        null);
        };
    }

    private static HubException problem(String name, String what, @Nullable Exception cause) {
        return new HubException(name + " " + what, List.of(Problems.NO_NETWORK), cause);
    }
}
