package io.posbias.fetch.hub;

import io.posbias.base.files.IoErrors;
import io.posbias.base.net.ServerText;
import java.net.ConnectException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Messages about failed requests to the Hub: one line, and the steps that the user can take. */
record HubProblems(HubSettings settings) {
    HubException offline(HubFile file) {
        return new HubException(
                file + " is not in the Hub's cache " + settings.hubCache() + ", and HF_HUB_OFFLINE forbids downloads",
                List.of("Unset HF_HUB_OFFLINE, or point HF_HOME at a cache that holds it."),
                null);
    }

    HubException unreachable(Exception cause) {
        return new HubException(
                "cannot reach " + settings.endpoint() + " (" + reason(cause) + ")",
                List.of(IoErrors.NO_NETWORK, "A mirror of the Hub can be named with HF_ENDPOINT=https://MIRROR."),
                cause);
    }

    /** An unusable list of files: the server does not answer as the Hub does. */
    HubException badList(HubRepository repository, String reason, @Nullable Exception cause) {
        return new HubException(
                settings.endpoint() + " gives no usable list of the files of " + repository + ": " + reason,
                List.of("Is it the Hub or a mirror of it? Try again later, or with another HF_ENDPOINT."),
                cause);
    }

    private String line(String words) {
        return ServerText.line(words, settings.token());
    }

    /** Returns why a server cannot be reached, in one line without the token. */
    String reason(Throwable failure) {
        if (IoErrors.isUnknownHost(failure)) {
            return "its name cannot be resolved";
        }
        String wordless = failure instanceof ConnectException
                ? "no connection"
                : failure.getClass().getSimpleName();
        return line(Objects.requireNonNullElse(failure.getMessage(), wordless));
    }

    HubException refused(HubFile file, HubAnswerException answer) {
        String code = answer.code.isEmpty() ? "" : ", " + line(answer.code);
        return new HubException(
                "the Hub answered " + answer.status + code + " to " + file, steps(file, answer), answer);
    }

    private List<String> steps(HubFile file, HubAnswerException answer) {
        HubRepository repository = file.repository();
        String page = repository.page(settings.endpoint());
        String tokens = settings.endpoint() + "/settings/tokens";
        // Without any token a gated repository answers 401, not 403.
        if (answer.status == 403 || answer.code.equals("GatedRepo")) {
            return List.of("Access must be granted: open " + page + ", accept its conditions, and set HF_TOKEN to a"
                    + " token of that account (" + tokens + ").");
        }
        return switch (answer.status) {
            case 401 ->
                List.of(
                        settings.token().isPresent()
                                ? "Your token is not valid (any more): make one at " + tokens + " and set HF_TOKEN."
                                : "It needs a token: make one at " + tokens + " and set HF_TOKEN.",
                        "A " + repository.type().words + " that does not exist answers the same: is " + page
                                + " there?");
            case 404 -> List.of("Is " + page + " there, with " + file.path() + " at " + repository.revision() + "?");
            case 429 -> List.of("Too many requests: wait some minutes, or set HF_TOKEN for a higher limit.");
            default -> List.of("The Hub is not well: try again later (https://status.huggingface.co).");
        };
    }
}
