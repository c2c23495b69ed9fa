package io.posbias.model.inside;

import io.posbias.base.files.Checksums;
import io.posbias.base.files.Staging;
import io.posbias.base.process.Closing;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.process.UsageException;
import io.posbias.base.text.Plural;
import io.posbias.data.dataset.Span;
import io.posbias.model.encode.Engine;
import io.posbias.model.encode.Role;
import io.posbias.model.encode.check.SameVectors;
import io.posbias.model.encode.model.DenseSettings;
import io.posbias.model.encode.model.Pooling;
import io.posbias.model.encode.onnx.LinearHead.HeadSettings;
import io.posbias.model.encode.worker.Python;
import io.posbias.model.encode.worker.WorkerInside;
import io.posbias.model.encode.worker.WorkerSettings;
import io.posbias.model.retrieve.DenseRecipe;
import io.posbias.model.retrieve.Recipe;
import io.posbias.model.retrieve.RecipeBook;
import io.posbias.model.retrieve.WorkerRecipe;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ObjIntConsumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * A dense model that is looked into by workers: one that sentence-transformers loads, or a recipe of a {@link Family} with an
 * ONNX file, whose weights are written to a temporary folder for it. Safe for several threads.
 */
public final class InsideModel implements AutoCloseable {
    private static final int TIMEOUT_SECONDS = 600;

    private final List<Closing.Close> opened = new ArrayList<>();
    private final WorkerInside passages;
    private final WorkerInside queries;
    private final double distance;
    private final int threads;
    private final UnaryOperator<WorkerSettings> change;

    private InsideModel(Recipe recipe, UnaryOperator<WorkerSettings> change, Engine engine) {
        this.change = change;
        this.threads = engine.threads();
        try {
            if (recipe instanceof DenseRecipe dense) {
                SameVectors graph = SameVectors.of(dense.model(), engine);
                this.passages = opened(dense, Role.PASSAGE, engine);
                this.queries = dense.model().queryFiles() == null ? passages : opened(dense, Role.QUERY, engine);
                this.distance = compared(dense, graph);
            } else {
                this.passages = ((WorkerRecipe) recipe).inside(change, engine);
                opened.addFirst(passages::close);
                this.queries = passages;
                this.distance = 0;
            }
        } catch (RuntimeException refused) {
            close();
            throw refused;
        }
    }

    /**
     * Loads a model, and compares it with its recipe's ONNX file if there is one.
     *
     * @throws UsageException if the model cannot be looked into
     * @throws PosbiasException if Python or a library is missing, or the weights are those of another model
     */
    public static InsideModel open(Recipe recipe, Engine engine) {
        return open(recipe, UnaryOperator.identity(), engine);
    }

    /** Loads a model to train it, as {@link #open}. */
    static InsideModel forTraining(Recipe recipe, Engine engine) {
        return open(recipe, WorkerSettings::training, engine);
    }

    private static InsideModel open(Recipe recipe, UnaryOperator<WorkerSettings> change, Engine engine) {
        check(recipe, engine.session());
        return new InsideModel(recipe, change, engine);
    }

    private WorkerInside opened(DenseRecipe recipe, Role role, Engine engine) {
        Staging scratch = Staging.temporary("checkpoint", engine.session().shutdown());
        opened.addFirst(scratch::close);
        // Its notes say what the recipe says.
        new Checkpoint(recipe, engine.silent()).write(scratch.folder(), role);
        WorkerSettings settings = new WorkerSettings(
                WorkerSettings.Gives.DENSE,
                List.of(
                        "python3",
                        WorkerSettings.OWN,
                        "--model",
                        scratch.folder().toString()),
                1,
                TIMEOUT_SECONDS,
                1,
                false,
                false);
        WorkerInside worker = new WorkerInside(recipe.name(), change.apply(settings), engine.silent());
        opened.addFirst(worker::close);
        return worker;
    }

    private double compared(DenseRecipe recipe, SameVectors graph) {
        double distance = graph.distance(
                (text, role) -> encoder(role).vectors(List.of(text), role).getFirst());
        if (!(distance <= graph.rounding())) {
            throw new PosbiasException(String.format(
                    Locale.ROOT,
                    "%s: the transformer of its recipe is another model than %s: the vectors of eight texts differ by up to"
                            + " %.2g of their length, rounding explains at most %s; are family, heads and weights those of"
                            + " the model?",
                    recipe.name(),
                    recipe.model().graph().files().graph(),
                    distance,
                    graph.rounding()));
        }
        return distance;
    }

    private WorkerInside encoder(Role role) {
        return role == Role.QUERY ? queries : passages;
    }

    /** Returns the largest distance of two vectors of the model and its ONNX file, as a share of their length; 0 without one. */
    double distance() {
        return distance;
    }

    /** Returns versions of libraries, device, type of numbers and threads, for results. */
    public String engine() {
        return passages.engine() + ", " + Plural.of(threads, "thread");
    }

    /** Returns true if scores are cosines, else inner products. */
    public boolean isCosine() {
        return passages.isCosine();
    }

    /** Returns the workers of passages, for gradients and layers. */
    public WorkerInside passages() {
        return passages;
    }

    /** Returns the vectors of queries, as scores compare them. */
    public List<float[]> queries(List<String> texts) {
        return queries.vectors(texts, Role.QUERY);
    }

    /**
     * Splits the vectors of texts by token.
     *
     * @param sink takes each text's, with its index, in no particular order
     */
    public void decompose(List<String> texts, Role role, BiasShares biases, ObjIntConsumer<Decomposed> sink) {
        encoder(role)
                .contributions(texts, role, biases.toString(), (own, text) -> sink.accept(Decomposed.of(own), text));
    }

    /**
     * A text's vector by token.
     *
     * @param parts of the tokens of the reading
     */
    public record Decomposed(Reading reading, TokenParts parts) {
        private static Decomposed of(WorkerInside.Contributions own) {
            List<Reading.Token> tokens = new ArrayList<>();
            for (int i = 0; i < own.pieces().size(); i++) {
                int token = i - own.first();
                boolean isText = token >= 0 && token < own.read().tokens();
                tokens.add(new Reading.Token(
                        own.pieces().get(i),
                        isText ? new Span(own.read().starts()[token], own.read().ends()[token]) : null));
            }
            int width = own.values().length / own.pieces().size();
            return new Decomposed(
                    new Reading(List.copyOf(tokens), own.read().cut()), new TokenParts(width, own.values()));
        }
    }

    /** Returns the reason, to follow the model's name, if it cannot be looked into; else empty. Loads nothing. */
    public static Optional<String> unfit(Recipe recipe) {
        if (recipe instanceof WorkerRecipe worker && worker.isDense()) {
            return Optional.empty();
        }
        if (!(recipe instanceof DenseRecipe dense)) {
            String inside = recipe.innermost() instanceof DenseRecipe
                    ? ", for example " + recipe.innermost().name()
                    : "";
            return Optional.of("is of kind " + recipe.kind() + ": only dense encoders can be looked into" + inside);
        }
        DenseSettings settings = dense.model();
        boolean isUsual =
                Stream.of(Pooling.CLS, Pooling.MEAN, Pooling.MAX, Pooling.LAST).anyMatch(settings::pools)
                        && settings.graph().onnx().append().isEmpty();
        Map<String, Object> transformer = dense.transformer();
        boolean isFormer = transformer != null && transformer.containsKey("torchscript");
        boolean isKnown =
                transformer != null && !isFormer && Architecture.of(dense).heads() > 0;
        if (isKnown && isUsual) {
            return Optional.empty();
        }
        String checkpoint = RecipeBook.hubNames(recipe).findFirst().orElse("FOLDER");
        return Optional.of((isKnown
                        ? "pools or ends its texts in a way that only its graph has"
                        : isFormer
                                ? "names a TorchScript file, which posbias no longer reads"
                                : "is an ONNX file without 'family' in its recipe's 'transformer'")
                + ": give the checkpoint that sentence-transformers loads, --model st:" + checkpoint);
    }

    /** Returns the reason as {@link #unfit}, also if vectors are no sums by token as far as the recipe says. */
    public static Optional<String> unfitForParts(Recipe recipe) {
        Optional<String> closed = unfit(recipe);
        if (closed.isPresent() || !(recipe instanceof DenseRecipe dense)) {
            return closed;
        }
        String why = dense.model().pools(Pooling.MAX)
                ? "pools by maximum"
                : dense.model().graph().head().stream().anyMatch(HeadSettings::tanh)
                        ? "has a head with a hyperbolic tangent"
                        : "";
        return why.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        why + ": DecompX takes BERT and RoBERTa with pooling cls, mean or last and no head that is"
                                + " not linear");
    }

    /**
     * Returns a SHA-256 of what looks into models here: posbias's worker, Python, its libraries, and the number of threads.
     *
     * @throws UsageException if the model cannot be looked into
     * @throws PosbiasException what to install
     */
    public static String key(Recipe recipe, Engine engine) {
        String versions = check(recipe, engine.session());
        return Checksums.sha256(Stream.of(WorkerSettings.ownDigest(), versions, "threads " + engine.threads()));
    }

    /** Refuses a model that cannot be looked into, and a machine that lacks what is needed. Returns the versions of it. */
    public static String check(Recipe recipe, Session session) {
        unfit(recipe).ifPresent(why -> {
            throw new UsageException(recipe.name() + " " + why);
        });
        return recipe instanceof WorkerRecipe worker && !worker.given().isOwn() ? "" : Python.versions(session);
    }

    @Override
    public void close() {
        opened.forEach(Closing.Close::close);
    }
}
