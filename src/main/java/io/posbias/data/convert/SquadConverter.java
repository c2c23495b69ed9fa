package io.posbias.data.convert;

import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Fields;
import io.posbias.base.json.Json;
import io.posbias.base.json.Location;
import io.posbias.base.json.Setting;
import io.posbias.base.text.Plural;
import io.posbias.base.text.Printable;
import io.posbias.data.convert.QuestionRow.Answer;
import io.posbias.data.dataset.AnswerOffsets;
import io.posbias.data.dataset.Answers;
import io.posbias.data.dataset.CodePoints;
import io.posbias.data.dataset.DatasetCard;
import io.posbias.data.dataset.DatasetWriter;
import io.posbias.data.dataset.Evidence;
import io.posbias.data.dataset.RowFile;
import io.posbias.data.dataset.Span;
import io.posbias.data.input.TextInput;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.ObjectReader;

/**
 * SQuAD as SQuAD-PosQ (arXiv:2505.13950, section 3.1): every distinct context is a passage, also of unanswerable
 * questions; every question with an answer is a query whose evidence starts at its first answer.
 *
 * <p>Inputs are SQuAD's JSON (v1.1 or v2, any language) or the Hub's rows as Parquet or JSON lines, read in order.
 * Queries keep SQuAD's identifiers; the paper's code keyed them by question text, so a question asked of two
 * passages was judged only against the later one.
 */
public final class SquadConverter implements Converter {
    /** Uses {@link DatasetCard#FIFTHS} if fewer than nine in ten questions are in SQuAD-PosQ's buckets. */
    static final PublishedFormat FORMAT = new PublishedFormat(
            "squad-posq",
            "Convert SQuAD v1.1 or v2, in any language, into SQuAD-PosQ.",
            List.of(
                    "Read are SQuAD's JSON and the Hub's rows (Parquet, JSON lines); positions are the first answers' starts in code points. Answers that stand elsewhere are found by their text.",
                    "",
                    "Examples:",
                    "  posbias data build squad-posq --input train-v2.0.json --input dev-v2.0.json \\",
                    "      --out squad-posq",
                    "  posbias data build squad-posq --input xquad.zh.json --language zh \\",
                    "      --out xquad-zh"),
            "SQuAD",
            PublishedFormat.POSQ_CITATION,
            (files, card) -> card.bucketing().isEmpty() ? usual(files, card) : new SquadConverter(files, card));

    /** The upper edge of SQuAD-PosQ's last bucket. */
    private static final int LAST_START = 3_120;

    private static final double LEAST_IN_BUCKETS = 0.9;
    private static final String BETWEEN_PARAGRAPHS = "\n\n";

    private record Article(String title, List<Paragraph> paragraphs) {}

    private record Paragraph(
            String context, @Setting(usual = "[]") List<Question> qas) {}

    private record Question(
            @Setting(identifier = true) String id,
            String question,
            @Setting(usual = "[]") List<Answer> answers,
            Fields fields) {
        /** Without answers that have no text, which have no place either. */
        Question answered() {
            List<Answer> texts =
                    answers.stream().filter(answer -> !answer.text().isBlank()).toList();
            return texts.size() == answers.size() ? this : new Question(id, question, texts, fields);
        }
    }

    private final List<Path> inputs;
    private final DatasetCard card;
    private final boolean joined;
    private final boolean isAligned;
    private Reading reading = Reading.of("");
    private final DistinctTexts contexts = new DistinctTexts();
    private Predicate<Evidence> isInBucket = evidence -> true;
    private final List<String> misquoted = new ArrayList<>();
    private final AnswerOffsets offsets = new AnswerOffsets();
    private final List<String> unsettled = new ArrayList<>();

    /** True during a first pass over a user's files, which looks at all texts and offsets. */
    private boolean isLooking;

    private final List<String> absent = new ArrayList<>();
    private final List<String> repeated = new ArrayList<>();
    private final List<String> folded = new ArrayList<>();
    private int unanswerable;

    public SquadConverter(List<Path> inputs, DatasetCard card) {
        this(inputs, card, false, false);
    }

    private SquadConverter(List<Path> inputs, DatasetCard card, boolean joined, boolean isAligned) {
        this.inputs = inputs;
        this.card = card;
        this.joined = joined;
        this.isAligned = isAligned;
    }

    /** Joins the paragraphs of each article, separated by an empty line, into one passage. */
    public static SquadConverter ofArticles(List<Path> inputs, DatasetCard card) {
        return new SquadConverter(inputs, card, true, false);
    }

    private static SquadConverter usual(List<Path> files, DatasetCard card) {
        SquadConverter converter =
                new SquadConverter(files, card.with(DatasetCard.Field.BUCKETING, DatasetCard.SQUAD_POSQ_BUCKETS));
        converter.isInBucket = evidence -> evidence.start() != Evidence.UNKNOWN && evidence.start() <= LAST_START;
        return converter;
    }

    /** Reads rows with columns of other names. */
    SquadConverter read(Reading named) {
        reading = named;
        return this;
    }

    @Override
    public SquadConverter aligned() {
        SquadConverter converter = new SquadConverter(inputs, card, joined, true);
        converter.isInBucket = isInBucket;
        converter.reading = reading;
        return converter;
    }

    @Override
    public DatasetCard convert(DatasetWriter out) {
        if (isAligned) {
            isLooking = true;
            inputs.forEach(this::read);
            isLooking = false;
            contexts.mergeSpaced().ifPresent(out::note);
        }
        inputs.forEach(this::read);
        if (contexts.questions() == 0) {
            throw new BadInputException(
                    Location.of(inputs.getFirst()),
                    absent.isEmpty()
                            ? "holds no question with an answer"
                            : "holds no question whose answer stands in its context (first: " + absent.getFirst() + ")",
                    "");
        }
        contexts.write(out);
        if (unanswerable > 0) {
            out.note("left out " + Plural.of(unanswerable, "question")
                    + " without an answer; the passages stay in the corpus");
        }
        if (!misquoted.isEmpty()) {
            out.note(Plural.of(misquoted.size(), "answer") + " not at answer_start (first: " + misquoted.getFirst()
                    + "); "
                    + (isAligned ? "moved" + offsets + " to their text" : "answer_start was kept as published"));
        }
        if (!folded.isEmpty()) {
            out.note(Plural.of(folded.size(), "answer") + " found in the context " + Answers.FOLDED + " (first: "
                    + folded.getFirst() + ")");
        }
        noteLeftOut(absent, "no answer stands in the context", out);
        noteLeftOut(repeated, "no answer_start, and the answer stands in several places of its context", out);
        noteLeftOut(unsettled, "the answer stands in several places of its context, none of them at answer_start", out);
        double share = contexts.share(isInBucket);
        if (share >= LEAST_IN_BUCKETS) {
            return card;
        }
        out.note(String.format(
                Locale.ROOT,
                "only %.0f%% of the questions are in buckets %s: %s instead (--buckets chooses)",
                100 * share,
                card.bucketing(),
                DatasetCard.FIFTHS));
        return card.with(DatasetCard.Field.BUCKETING, DatasetCard.FIFTHS);
    }

    private static void noteLeftOut(List<String> questions, String why, DatasetWriter out) {
        if (!questions.isEmpty()) {
            out.note(Plural.of(questions.size(), "question") + " left out: " + why + " (first: " + questions.getFirst()
                    + ")");
        }
    }

    private void read(Path input) {
        if (isSquad(input)) {
            new SquadJson(input).forEach(joined ? this::addJoined : this::addParagraphs);
        } else {
            QuestionRow.forEach(reading.rows(input, Integer.MAX_VALUE), row -> {
                contexts.add(row.context(), row.title());
                row.others().forEach(other -> contexts.add(other.text(), other.title()));
                add(new Question(row.id(), row.question(), row.answers(), row.fields()), row.context(), 0);
            });
        }
    }

    /** Returns true for JSON that is no other table: an object with a list {@code data} of articles. */
    static boolean isSquad(Path input) {
        if (!input.toString().matches("(?s).*\\.json" + RowFile.COMPRESSED)) {
            return false;
        }
        try (InputStream in = TextInput.open(input);
                JsonParser json = Json.mapper().createParser(in)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                return false;
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isData = json.currentName().equals("data");
                if (json.nextToken() != JsonToken.START_ARRAY || !isData) {
                    json.skipChildren();
                } else if (json.nextToken() != JsonToken.START_OBJECT) {
                    return json.currentToken() == JsonToken.END_ARRAY;
                } else {
                    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                        if (json.currentName().equals("paragraphs")) {
                            return true;
                        }
                        json.nextToken();
                        json.skipChildren();
                    }
                    return false;
                }
            }
            return false;
        } catch (JacksonException broken) {
            throw Json.malformed("JSON", input, broken);
        } catch (IOException unreadable) {
            throw RowFile.unreadable(input, unreadable);
        }
    }

    private void addParagraphs(Article article) {
        article.paragraphs.forEach(paragraph -> addQuestions(paragraph, paragraph.context, article.title, 0));
    }

    private void addJoined(Article article) {
        String text =
                article.paragraphs.stream().map(Paragraph::context).collect(Collectors.joining(BETWEEN_PARAGRAPHS));
        int shift = 0;
        for (Paragraph paragraph : article.paragraphs) {
            addQuestions(paragraph, text, article.title, shift);
            shift += CodePoints.count(paragraph.context) + BETWEEN_PARAGRAPHS.length();
        }
    }

    private void addQuestions(Paragraph paragraph, String context, String article, int shift) {
        contexts.add(context, article);
        paragraph.qas.forEach(question -> add(question, context, shift));
    }

    /** @param shift of the context's paragraph in it */
    private void add(Question asked, String context, int shift) {
        Question question = asked.answered();
        if (isLooking) {
            look(question, context, shift);
            return;
        }
        if (question.answers.isEmpty()) {
            unanswerable++;
            return;
        }
        Evidence evidence = isAligned ? aligned(question, context, shift) : published(question, context, shift);
        if (evidence != null && !contexts.ask(question.id, question.question, context, evidence, kept(question))) {
            throw question.fields.bad(
                    "id",
                    "is " + Printable.quoted(question.id) + ", which an earlier question has too",
                    "identifiers are unique");
        }
    }

    /** Returns the distinct answers of a question about a whole article, if there are several; readers are compared with them. */
    private List<String> kept(Question question) {
        List<String> distinct =
                question.answers.stream().map(Answer::text).distinct().toList();
        return joined && distinct.size() > 1 ? distinct : List.of();
    }

    /** Returns the place of the first answer, as the file says. */
    private Evidence published(Question question, String context, int shift) {
        Answer first = question.answers.getFirst();
        if (first.answerStart() == null) {
            throw question.fields.bad("answers", "has no answer_start", "it counts code points from 0");
        }
        Evidence evidence = at(first.text(), shift + first.answerStart(), context);
        if (evidence.start() < 0 || evidence.end() > evidence.textLength()) {
            throw question.fields.bad(
                    "answers",
                    "puts the answer at [" + evidence.start() + ", " + evidence.end() + "], outside its context of "
                            + evidence.textLength() + " code points",
                    "answer_start counts code points from 0");
        }
        if (!stands(first.text(), evidence, context)) {
            misquoted.add(place(question));
        }
        return evidence;
    }

    /** Adds the offset of the first answer that stands in the context. */
    private void look(Question question, String context, int shift) {
        standing(question, context)
                .map(Answers.Found::answer)
                .ifPresent(answer -> answer.start().ifPresent(start -> {
                    Evidence said = at(answer.text(), shift + start, context);
                    offsets.add(
                            question.id, context, context, new Span(said.start(), said.end()), List.of(answer.text()));
                }));
    }

    private static Optional<Answers.Found<Answer>> standing(Question question, String context) {
        return Answers.first(context, question.answers, Answer::text);
    }

    /** Returns the place of the first answer that stands in the context; null if none does, or nothing tells where of several. */
    private @Nullable Evidence aligned(Question question, String context, int shift) {
        Optional<Answers.Found<Answer>> found = standing(question, context);
        if (found.isEmpty()) {
            absent.add(place(question));
            return null;
        }
        Answer answer = found.get().answer();
        if (found.get().isFolded()) {
            folded.add(place(question));
        }
        Optional<Integer> start = answer.start();
        if (start.isEmpty()) {
            List<Span> places = found.get().places();
            if (places.size() > 1) {
                repeated.add(place(question));
                return null;
            }
            return evidence(CodePoints.fromUtf16(context, places).getFirst(), context);
        }
        Optional<Span> settled = offsets.place(question.id);
        if (settled.isEmpty()) {
            unsettled.add(place(question));
            return null;
        }
        if (settled.get().start() != shift + start.get()) {
            misquoted.add(place(question));
        }
        Evidence said = at(answer.text(), settled.get().start(), context);
        return stands(answer.text(), said, context) ? said : evidence(settled.get(), context);
    }

    private static String place(Question question) {
        return "question " + Printable.of(question.id) + ", "
                + question.fields.where().inFolder();
    }

    private static Evidence evidence(Span points, String context) {
        return Evidence.of(points.start(), points.end(), CodePoints.count(context));
    }

    /** Returns an answer's place, which may be outside the context. */
    private static Evidence at(String answer, int start, String context) {
        int length = CodePoints.count(context);
        // White space after an answer is not part of it, and may be missing at the end of the context.
        int least = start + CodePoints.count(answer.stripTrailing());
        int end = Math.max(least, Math.min(start + CodePoints.count(answer), length));
        return Evidence.of(start, end, length);
    }

    private static boolean stands(String answer, Evidence evidence, String context) {
        return evidence.start() >= 0
                && evidence.end() <= evidence.textLength()
                && CodePoints.toUtf16(context, evidence.start(), evidence.end())
                        .of(context)
                        .stripTrailing()
                        .equals(answer.stripTrailing());
    }

    private static final class SquadJson {
        private static final TypeReference<Map<String, @Nullable Object>> PARAGRAPH = new TypeReference<>() {};

        private final Path path;
        private final ObjectReader reader =
                Json.mapper().readerFor(PARAGRAPH).without(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
        private int article = -1;

        SquadJson(Path path) {
            this.path = path;
        }

        void forEach(Consumer<Article> consumer) {
            try (InputStream in = TextInput.open(path);
                    JsonParser json = Json.mapper().createParser(in)) {
                if (json.nextToken() != JsonToken.START_OBJECT) {
                    throw notSquad();
                }
                forEachField(json, Map.of("data", () -> forEachElement(json, () -> consumer.accept(article(json)))));
            } catch (JacksonException broken) {
                throw Json.malformed("JSON", path, broken);
            } catch (IOException unreadable) {
                throw RowFile.unreadable(path, unreadable);
            }
            if (article < 0) {
                throw notSquad();
            }
        }

        /** A title may follow its paragraphs. */
        private Article article(JsonParser json) {
            article++;
            String[] title = {""};
            List<Paragraph> paragraphs = new ArrayList<>();
            Runnable paragraph = () -> {
                String place = "data[" + article + "].paragraphs[" + paragraphs.size() + "].";
                Location where = new Location(path, json.currentTokenLocation().getLineNr());
                paragraphs.add(Json.row(new Fields(where, place, reader.readValue(json)), Paragraph.class));
            };
            forEachField(
                    json,
                    Map.of("title", () -> title[0] = title(json), "paragraphs", () -> forEachElement(json, paragraph)));
            return new Article(title[0].strip(), paragraphs);
        }

        private String title(JsonParser json) {
            JsonToken token = json.currentToken();
            if (token.isStructStart()) {
                throw new BadInputException(
                        Location.of(path),
                        "field \"data[" + article + "].title\" is not a text",
                        "it names the article");
            }
            return token == JsonToken.VALUE_NULL ? "" : json.getString();
        }

        /** Visits fields of the current object, whose parser stands at the value, to the object's end. */
        private void forEachField(JsonParser json, Map<String, Runnable> visits) {
            Map<String, @Nullable Object> names = new LinkedHashMap<>();
            Location where = new Location(path, json.currentTokenLocation().getLineNr());
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                Runnable visit = visits.get(name);
                names.put(name, "");
                json.nextToken();
                if (visit == null) {
                    json.skipChildren();
                } else {
                    visit.run();
                }
            }
            new Fields(where, names).refuseMisspelt(visits.keySet());
        }

        private void forEachElement(JsonParser json, Runnable visit) {
            if (json.currentToken() != JsonToken.START_ARRAY) {
                throw notSquad();
            }
            for (JsonToken next = json.nextToken(); next != JsonToken.END_ARRAY; next = json.nextToken()) {
                if (next != JsonToken.START_OBJECT) {
                    throw notSquad();
                }
                visit.run();
            }
        }

        private BadInputException notSquad() {
            return new BadInputException(
                    Location.of(path), "not a SQuAD file", "SQuAD JSON is { \"data\": [ { \"paragraphs\": [ … ] } ] }");
        }
    }
}
