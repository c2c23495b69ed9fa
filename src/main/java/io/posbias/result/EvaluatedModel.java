package io.posbias.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A model as results keep it.
 *
 * @param family heading in reports
 * @param recipe as read, or known fields of a run from elsewhere
 * @param sha256 digest of all that results depend on
 */
public record EvaluatedModel(String name, String family, Map<String, @Nullable Object> recipe, String sha256) {}
