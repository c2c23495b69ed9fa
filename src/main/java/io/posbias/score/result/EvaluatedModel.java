package io.posbias.score.result;

import io.posbias.base.text.Printable;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A model in results.
 *
 * @param recipe as read, or known fields for a run of another system
 * @param sha256 of all that results depend on; empty if files that determine it are not installed
 */
public record EvaluatedModel(String name, String family, Map<String, @Nullable Object> recipe, String sha256) {
    private static final String KIND = "kind";

    /** Field of a dense model's recipe with its architecture, for white-box analysis. */
    public static final String TRANSFORMER = "transformer";

    /** Field with the settings of a training; what its seeds have in common. */
    public static final String TRAINED = "trained";

    /** Fields of recipes without effect on rankings. */
    public static final Set<String> LABELS = Set.of(
            "description", "citation", "licence", "hub-names", "unknown", "published-as", TRANSFORMER, TRAINED, "size");

    /** Lists the fields of two recipes that differ and affect rankings, {@code model.pooling mean -> cls}; of
     * another kind, the fields of the second. */
    public static List<String> changes(Map<String, @Nullable Object> before, Map<String, @Nullable Object> after) {
        List<String> changes = new ArrayList<>();
        add("", before, after, changes);
        return changes;
    }

    private static void add(String path, @Nullable Object before, @Nullable Object after, List<String> to) {
        if (before instanceof Map<?, ?> was && after instanceof Map<?, ?> is) {
            Set<Object> names = new LinkedHashSet<>(was.keySet());
            names.addAll(is.keySet());
            names.removeAll(LABELS);
            if (!Objects.equals(was.get(KIND), is.get(KIND))) {
                names.retainAll(is.keySet());
            }
            String prefix = path.isEmpty() ? "" : path + ".";
            names.forEach(name -> add(prefix + name, was.get(name), is.get(name), to));
        } else if (before instanceof List<?> was && after instanceof List<?> is && was.size() == is.size()) {
            IntStream.range(0, was.size()).forEach(i -> add(path + "." + (i + 1), was.get(i), is.get(i), to));
        } else if (!text(before).equals(text(after))) {
            to.add(path + " " + Printable.cut(text(before)) + " -> " + Printable.cut(text(after)));
        }
    }

    /** A record by its name; numbers as text, as one read from a file may have another type. */
    private static String text(@Nullable Object value) {
        return switch (value) {
            case null -> "none";
            case Map<?, ?> record -> Objects.toString(record.containsKey("name") ? record.get("name") : record);
            case Double number -> number == Math.rint(number) ? String.valueOf(number.longValue()) : number.toString();
            default -> value.toString();
        };
    }

    /** Returns true if the recipe is of a strategy around a model, or around another one that is. */
    public boolean isAround(String model) {
        for (Object inner = recipe.get("model"); inner instanceof Map<?, ?> wrapped; inner = wrapped.get("model")) {
            if (model.equals(wrapped.get("name"))) {
                return true;
            }
        }
        return false;
    }

    /** Returns the model with the digest of a result that is of it, if its own is not known. */
    public EvaluatedModel orOf(Result result) {
        return sha256.isEmpty()
                ? new EvaluatedModel(name, family, recipe, result.provenance().recipeSha256())
                : this;
    }
}
