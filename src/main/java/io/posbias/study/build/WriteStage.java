package io.posbias.study.build;

import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.json.Setting;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.text.Printable;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.Evidence;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Writes the remaining questions and documents into a folder, completely or not at all, with a subfolder per
 * language of translations and per set.
 *
 * @param format one of {@link SetFormat#ALL}
 * @param to folder within the results; null: the format's name
 * @param sets {@code all} questions with all documents; {@code positions} for {@link PositionSets}, whose corpora
 *     contain only their own documents
 * @param name of the benchmark; null: the pipeline's
 * @param tokens recipe or {@code tokenizer.json} file that counts the tokens of each question's document, without
 *     special tokens, for length strata ({@code pos_token_length}); for translations, of the original; null: not
 *     counted
 */
record WriteStage(
        @Setting(usual = "benchmark") String format,
        @Nullable String to,

        @Setting(words = {"all", POSITIONS}) String sets,

        @Nullable String name,
        @Nullable String licence,
        @Nullable Integer seed,
        @Nullable String tokens)
        implements Stage {
    private static final String POSITIONS = "positions";
    private static final List<String> WITH_LENGTHS = List.of("benchmark", "posir");

    WriteStage {
        if (!SetFormat.ALL.containsKey(format)) {
            throw new Setting.Wrong(
                    "format",
                    "is " + Printable.quoted(format),
                    "it is one of " + String.join(", ", SetFormat.ALL.keySet()));
        }
        if (tokens != null && !WITH_LENGTHS.contains(format)) {
            throw new Setting.Wrong(
                    "tokens",
                    "is for a format without lengths",
                    "the formats " + String.join(", ", WITH_LENGTHS) + " have them");
        }
        String target = to == null ? format : to;
        String first = Path.of(target).getName(0).toString();
        if (!FileNames.staysInside(target)
                || first.startsWith(".")
                || List.of(PipelineRecord.FOLDER, PipelineRecord.FILE).contains(first)) {
            throw new Setting.Wrong(
                    "to",
                    "is " + Printable.quoted(target),
                    "it must be a folder within the output folder, other than " + PipelineRecord.FOLDER + " and "
                            + PipelineRecord.FILE);
        }
        if (name != null && !DatasetCard.isName(name)) {
            throw new Setting.Wrong("name", "is " + Printable.quoted(name), DatasetCard.NAME_RULE);
        }
    }

    private boolean isByPosition() {
        return sets.equals(POSITIONS);
    }

    private Optional<LengthUnit> unit() {
        return Optional.ofNullable(tokens).map(tokenizer -> new LengthUnit(LengthUnit.TOKENS + tokenizer));
    }

    @Override
    public Set<String> requiredFields() {
        Set<String> required = new HashSet<>(Set.of(Candidate.QUESTION));
        if (isByPosition()) {
            required.addAll(List.of(Candidate.BUCKET, Candidate.POSITION));
        } else if (format.equals("fineweb-posq")) {
            required.add(Candidate.POSITION);
        }
        return required;
    }

    @Override
    public Object inputs(StageContext context) {
        return unit().<Object>map(unit -> unit.inputs(context)).orElse("");
    }

    @Override
    public Optional<String> folder() {
        return Optional.of(to == null ? format : to);
    }

    @Override
    public void run(Candidates candidates, Candidates.Sink out, StageContext context) {
        Set<String> languages = new TreeSet<>();
        candidates.forEach(candidate -> languages.add(candidate.language()));
        SequencedMap<String, Object> written = new LinkedHashMap<>();
        ToIntFunction<String> lengths = lengths(context);
        String target = folder().orElseThrow();
        context.write(target, whole -> {
            for (String language : languages) {
                boolean alone = language.isEmpty() && languages.size() == 1;
                String own = language.isEmpty() ? context.language() : language;
                SourceDocuments documents = context.documents(language, candidates);
                Predicate<Candidate> isOwn = candidate -> candidate.language().equals(language);
                SetFormat.QuestionSet all = new SetFormat.QuestionSet(
                        card(alone ? "" : "/" + own, language, context),
                        visitor -> candidates.forEach(
                                candidate -> isOwn.test(candidate)
                                        && candidate.has(Candidate.QUESTION)
                                        && documents.has(candidate.document()),
                                visitor),
                        documents.passages(),
                        documents,
                        context.documents(),
                        lengths);
                Map<String, Predicate<Candidate>> sets = isByPosition()
                        ? PositionSets.draw(all.questions(), context.seed(seed))
                        : Map.of("", question -> true);
                Path folder = alone ? whole : FileNames.directlyIn(whole, own);
                sets.forEach((set, wanted) ->
                        write(set.isEmpty() ? all : all.only(set, wanted), folder.resolve(set), written));
                candidates.forEach(isOwn, candidate -> {
                    if (!documents.has(candidate.document())) {
                        out.drop(candidate, "its document was left out");
                    } else if (candidate.has(Candidate.QUESTION)
                            && sets.values().stream().noneMatch(set -> set.test(candidate))) {
                        out.drop(candidate, "not drawn for a set");
                    } else {
                        out.keep(candidate);
                    }
                });
            }
            if (written.isEmpty()) {
                throw new PosbiasException(
                        "nothing to write: no question came through the stages before; 'posbias construct show "
                                + context.out() + "' says why");
            }
        });
        out.note("folder", target);
        out.note("questions", written);
    }

    private ToIntFunction<String> lengths(StageContext context) {
        Optional<LengthUnit> unit = unit();
        if (unit.isEmpty()) {
            return document -> Evidence.UNKNOWN;
        }
        ToIntFunction<String> count = unit.get().counter(context);
        Map<String, Integer> known = new HashMap<>();
        return document -> known.computeIfAbsent(
                document, id -> count.applyAsInt(context.documents().text(id)));
    }

    private void write(SetFormat.QuestionSet set, Path folder, Map<String, Object> written) {
        long[] count = {0};
        set.questions().accept(question -> count[0]++);
        if (count[0] > 0) {
            IoErrors.run("make", folder, () -> Files.createDirectories(folder));
            Objects.requireNonNull(SetFormat.ALL.get(format), "checked when the settings were read")
                    .write(set, folder);
            written.put(set.card().name(), count[0]);
        }
    }

    private DatasetCard card(String part, String language, StageContext context) {
        DatasetCard card = context.card();
        DatasetCard own = card.withName(Objects.requireNonNullElse(name, card.name()) + part)
                .with(DatasetCard.Field.LICENCE, Objects.requireNonNullElse(licence, ""));
        return language.isEmpty()
                ? own.with(
                        DatasetCard.Field.RELEVANT, context.documents().overlap() ? DatasetCard.ANY_WITH_EVIDENCE : "")
                : own.with(DatasetCard.Field.LANGUAGE, language)
                        .with(DatasetCard.Field.EVIDENCE_TEXT, DatasetCard.ORIGINAL);
    }
}
