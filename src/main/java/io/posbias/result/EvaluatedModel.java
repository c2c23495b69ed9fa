package io.posbias.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model as results keep it.
 *
 * @param recipe as read, or known fields of a run from elsewhere
 */
public record EvaluatedModel(String name, String family, Map<String, @Nullable Object> recipe, String sha256) {}
