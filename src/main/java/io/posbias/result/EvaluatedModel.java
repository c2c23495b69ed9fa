package io.posbias.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What made a run: what of it goes into the result.
 *
 * @param name the recipe's, or what a run made elsewhere is called
 * @param family under which heading reports put it
 * @param recipe as read, or what is known of a run that was made elsewhere
 * @param sha256 what results of it depend on, as a digest
 */
public record EvaluatedModel(String name, String family, Map<String, @Nullable Object> recipe, String sha256) {}
