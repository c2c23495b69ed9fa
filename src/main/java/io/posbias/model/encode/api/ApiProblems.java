package io.posbias.model.encode.api;

import io.posbias.base.net.AnswerException;
import io.posbias.base.net.RefusedException;
import io.posbias.base.net.RetryPolicy;
import io.posbias.base.net.Secret;
import io.posbias.base.net.ServerText;
import io.posbias.base.net.Unreachable;
import io.posbias.base.process.PosbiasException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.List;

/**
 * Messages about failed calls of a service: one line without the key, and the steps that the user can take.
 *
 * @param secrets masked in messages
 */
record ApiProblems(ApiSettings settings, Collection<Secret> secrets) {
    /** The service or model and its host: "voyage at api.voyageai.com". */
    String who() {
        return settings.who() + " at " + settings.host();
    }

    /** What went wrong, for a sentence about the service. */
    String words(IOException failure) {
        return switch (failure) {
            case RefusedException refusal -> refusal.problem();
            case AnswerException wrong -> ServerText.line(wrong.problem(), secrets);
            default -> "no whole answer (" + reason(failure) + ")";
        };
    }

    private String reason(IOException failure) {
        return ServerText.line(Unreachable.reason(failure, settings.endpoint()), secrets);
    }

    /**
     * Returns the error that ends a call.
     *
     * @param gaveUp true if it was tried as often as it may be
     */
    ApiException of(IOException failure, boolean gaveUp) {
        int status = failure instanceof RefusedException refusal ? refusal.status() : 0;
        if (gaveUp) {
            return new ApiException(
                    who() + " failed " + RetryPolicy.TRIES + " times, the last with: " + words(failure),
                    List.of("Check the service and the network, and try again later."),
                    status);
        }
        return switch (failure) {
            case InterruptedIOException ended ->
                throw new PosbiasException("the call to " + who() + " was " + ended.getMessage());
            case RefusedException refusal -> new ApiException(who() + " " + words(refusal), steps(refusal), status);
            case AnswerException wrong ->
                new ApiException(
                                "the answer of " + who() + " cannot be used: " + words(wrong),
                                List.of(settings.setup().wrong),
                                status)
                        .at(wrong.place());
            default ->
                new ApiException(
                        "cannot reach " + who() + ": " + reason(failure),
                        Unreachable.steps(failure, settings.endpoint()),
                        status);
        };
    }

    private List<String> steps(RefusedException refusal) {
        if (refusal.isOfQuota()) {
            return List.of("The account has no credit left, or has reached its limit of spending.");
        }
        if (refusal.status() / 100 == 3) {
            return List.of("It wants the request elsewhere, where the key will not follow; if you trust that place, "
                    + settings.setup().elsewhere + ".");
        }
        return switch (refusal.status()) {
            case 401, 403 ->
                List.of(settings.keyVariable()
                        .map(variable -> "Is the key in " + variable + " valid, and may it use " + settings.model()
                                + "?" + settings.setup().otherHeader)
                        .orElse(settings.setup().keyWanted));
            case 402 -> List.of("The account has no credit left.");
            case 404 ->
                List.of("Check the endpoint's path " + settings.endpoint().getPath() + " and the model's name "
                        + settings.model() + ".");
            default ->
                settings.setup() == ConfiguredIn.RECIPE
                        ? settings.service().optional().stream()
                                .filter(refusal.problem()::contains)
                                .map(field -> "Leave the field out with omit: [" + field + "] in the recipe.")
                                .toList()
                        : List.of();
        };
    }
}
