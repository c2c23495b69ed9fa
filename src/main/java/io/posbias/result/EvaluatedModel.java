package io.posbias.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model in results.
 *
 * @param recipe as read, or known fields for a run of another system
 */
public record EvaluatedModel(String name, String family, Map<String, @Nullable Object> recipe, String sha256) {}
