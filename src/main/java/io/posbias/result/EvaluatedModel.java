package io.posbias.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model in results.
 *
 * @param recipe as read, or known fields for a run of another system
 * @param sha256 of all that results depend on; empty if files that determine it are not installed
 */
public record EvaluatedModel(String name, String family, Map<String, @Nullable Object> recipe, String sha256) {
    /** Returns the model with the digest of a result that is of it, if its own is not known. */
    public EvaluatedModel orOf(Result result) {
        return sha256.isEmpty()
                ? new EvaluatedModel(name, family, recipe, result.provenance().recipeSha256())
                : this;
    }
}
