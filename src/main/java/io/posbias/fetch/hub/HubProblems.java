package io.posbias.fetch.hub;

import io.posbias.base.net.AnswerException;
import io.posbias.base.net.RefusedException;
import io.posbias.base.net.ServerText;
import io.posbias.base.net.Unreachable;
import java.net.URI;
import java.util.List;
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
                "cannot reach " + settings.endpoint() + " (" + reason(cause, settings.endpoint()) + ")",
                List.of(Unreachable.NO_NETWORK, "A mirror of the Hub can be named with HF_ENDPOINT=https://MIRROR."),
                cause);
    }

    HubException badList(HubRepository repository, String reason, @Nullable Exception cause) {
        return new HubException(
                settings.endpoint() + " gives no usable list of the files of " + repository + ": " + reason,
                List.of("Is it the Hub or a mirror of it? Try again later, or with another HF_ENDPOINT."),
                cause);
    }

    /** Returns why there is no answer, in one line without the token. */
    String reason(Exception failure, URI address) {
        return ServerText.line(
                failure instanceof AnswerException answer ? answer.problem() : Unreachable.reason(failure, address),
                settings.secrets());
    }

    HubException refused(HubFile file, RefusedException refusal) {
        return new HubException(file + ": the Hub " + refusal.problem(), steps(file, refusal), refusal);
    }

    private List<String> steps(HubFile file, RefusedException refusal) {
        HubRepository repository = file.repository();
        String page = repository.page(settings.endpoint());
        String tokens = settings.endpoint() + "/settings/tokens";
        // Without any token a gated repository answers 401, not 403.
        if (refusal.status() == 403 || refusal.code().equals("GatedRepo")) {
            return List.of("Access must be granted: open " + page + ", accept its conditions, and set HF_TOKEN to a"
                    + " token of that account (" + tokens + ").");
        }
        return switch (refusal.status()) {
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
