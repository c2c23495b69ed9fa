package io.posbias.study.build;

import com.sun.net.httpserver.HttpExchange;
import io.posbias.base.json.Configs;
import io.posbias.base.json.Json;
import io.posbias.base.net.StandInServer;
import io.posbias.data.dataset.Span;
import io.posbias.study.build.llm.ModelReplies;
import io.posbias.study.build.llm.Prompt;
import io.posbias.study.build.text.Draw;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * An OpenAI-compatible chat service that answers posbias's own prompts by rule, always the same: summaries are first sentences,
 * questions are the rarest words of a sentence, references quote it, grades count common words, translations mark each word.
 * It can misbehave on purpose, decided by a hash of the prompt, and remembers what it planted.
 *
 * <p>From the shell: {@code java -cp TESTS:MAIN:LIBRARIES io.posbias.study.build.StandInModel PORT [FAULT=RATE ...] [latency=MS]}.
 */
public final class StandInModel extends StandInServer {
    public enum Fault {
        MALFORMED,
        /** "I'm sorry". */
        REFUSAL,
        /** Questions about another third or part of the document than the one that was asked for. */
        OFF_TARGET,
        /** A reference that is in the document more than once. */
        AMBIGUOUS,
        /** A sentence that is quoted with another word. */
        MISQUOTED,
        /** A grade, or yes and no, in a sentence. */
        PROSE,
        /** A translation that begins with a remark. */
        REMARK,
        /** Status 429 with Retry-After, once per prompt. */
        BUSY;

        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** The faults that it makes, the share of prompts each; its latency. */
    public record Manner(Map<Fault, Double> rates, Duration latency) {
        public static final Manner GOOD = new Manner(Map.of(), Duration.ZERO);

        public static Manner with(Fault fault, double rate) {
            return new Manner(Map.of(fault, rate), Duration.ZERO);
        }
    }

    private static final String AGAIN = "\n\nAn earlier reply to this could not be used: ";

    private static final Pattern WORD = Pattern.compile("[\\p{L}\\p{N}]+");
    private static final Pattern SENTENCE = Pattern.compile("[^.!?。！？\\n]+[.!?。！？]*");
    private static final Set<String> COMMON = Set.of(
            "the", "a", "an", "of", "in", "on", "to", "and", "or", "is", "was", "were", "are", "be", "by", "for",
            "with", "that", "this", "it", "its", "as", "at", "from", "which", "what", "has", "have", "had", "not",
            "but", "their", "about");

    private final Manner manner;
    private final Map<String, Pattern> prompts = new TreeMap<>();
    private final Map<Fault, Set<String>> planted = new ConcurrentHashMap<>();
    private final Set<String> wasBusy = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> calls = new ConcurrentHashMap<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger mostUnderWay = new AtomicInteger();

    public StandInModel(Manner manner, int port) {
        super(port);
        this.manner = manner;
        for (String name : Configs.names("configs/prompts")) {
            prompts.put(name, asPattern(Prompt.find(name).template()));
        }
        serve(this::answer);
    }

    public StandInModel(Manner manner) {
        this(manner, 0);
    }

    /** A prompt's text with a group for each slot. */
    private static Pattern asPattern(String template) {
        StringBuilder pattern = new StringBuilder();
        int from = 0;
        Matcher slot = Pattern.compile("\\{([a-z_]+)\\}").matcher(template);
        while (slot.find()) {
            pattern.append(Pattern.quote(template.substring(from, slot.start())))
                    .append("(?<")
                    .append(slot.group(1).replace("_", ""))
                    .append(">.*?)");
            from = slot.end();
        }
        return Pattern.compile(
                pattern.append(Pattern.quote(template.substring(from))).toString(), Pattern.DOTALL);
    }

    @Override
    public String address() {
        return super.address() + "/v1";
    }

    /** How many requests it answered, by the name of the prompt; those that it made wait do not count. */
    public Map<String, Integer> calls() {
        Map<String, Integer> counts = new TreeMap<>();
        calls.forEach((name, count) -> counts.put(name, count.get()));
        return counts;
    }

    public int mostUnderWay() {
        return mostUnderWay.get();
    }

    /**
     * What it planted: the questions that are off target, questions with an ambiguous reference, texts it would not translate
     * properly; for other faults the digest of the prompt.
     */
    public Set<String> planted(Fault fault) {
        return Set.copyOf(planted.getOrDefault(fault, Set.of()));
    }

    private void plant(Fault fault, String what) {
        planted.computeIfAbsent(fault, none -> ConcurrentHashMap.newKeySet()).add(what);
    }

    private boolean decides(Fault fault, String prompt) {
        double rate = manner.rates().getOrDefault(fault, 0.0);
        // 53 bits are all that a double takes.
        return rate > 0 && (Draw.priority(0, fault + prompt) >>> 11) * 0x1.0p-53 < rate;
    }

    private void answer(HttpExchange exchange, Seen request) throws IOException, InterruptedException {
        if (!request.path().equals("/v1/chat/completions")) {
            send(exchange, 404, new byte[0]);
            return;
        }
        String prompt =
                request.body().get("messages") instanceof List<?> list && list.getFirst() instanceof Map<?, ?> message
                        ? String.valueOf(message.get("content"))
                        : "";
        mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
        if (manner.latency().isPositive()) {
            Thread.sleep(manner.latency());
        }
        underWay.decrementAndGet();
        if (decides(Fault.BUSY, prompt) && wasBusy.add(prompt)) {
            plant(Fault.BUSY, digest(prompt));
            exchange.getResponseHeaders().set("Retry-After", "0");
            sendJson(exchange, 429, utf8("{\"error\": {\"message\": \"too many requests\"}}"));
            return;
        }
        String reply = reply(prompt);
        Map<String, Object> answer = Map.of(
                "choices", List.of(Map.of("message", Map.of("role", "assistant", "content", reply))),
                "usage", usage(words(prompt).size(), words(reply).size()));
        sendJson(exchange, 200, Json.mapper().writeValueAsBytes(answer));
    }

    private static Map<String, Integer> usage(int read, int written) {
        return Map.of("prompt_tokens", read, "completion_tokens", written, "total_tokens", read + written);
    }

    private String reply(String whole) {
        int again = whole.lastIndexOf(AGAIN);
        String prompt = again < 0 ? whole : whole.substring(0, again);
        for (Map.Entry<String, Pattern> known : prompts.entrySet()) {
            Matcher slots = known.getValue().matcher(prompt);
            if (slots.matches()) {
                calls.computeIfAbsent(known.getKey(), none -> new AtomicInteger())
                        .incrementAndGet();
                return reply(known.getKey(), slots, prompt, whole);
            }
        }
        throw new IllegalArgumentException(
                "no prompt of posbias: " + prompt.substring(0, Math.min(80, prompt.length())));
    }

    private String reply(String name, Matcher slots, String prompt, String whole) {
        if (decides(Fault.REFUSAL, prompt)) {
            plant(Fault.REFUSAL, digest(prompt));
            return "I'm sorry, but I can't help with that.";
        }
        String reply = switch (name) {
            case "summary" -> summary(slots.group("document"));
            case "questions-third" -> third(slots.group("document"), slots.group("third"), prompt);
            case "questions-part" -> questions(slots.group("part"), 3);
            case "question-segment", "query-segment" -> questions(slots.group("part"), 1);
            case "query-configuration" -> configuration(slots.group("personas"));
            case "question-sentence" -> quoting(slots.group("part"), prompt);
            case "reference" -> reference(slots.group("question"), slots.group("document"), prompt);
            case "audit" -> reasoned(slots.group("question"), slots.group("passage"));
            case "relevance" -> grade(slots.group("question"), slots.group("passage"), prompt);
            case "refusal" -> ModelReplies.isRefusal(slots.group("text")) ? "Yes." : "no";
            case "rating" -> rating(prompt);
            default -> translation(slots.group("text").strip(), slots.group("language"), prompt);
        };
        // Whole at the second try for half of them: asking again is of use.
        if (reply.endsWith("]")
                && decides(Fault.MALFORMED, prompt)
                && (whole.equals(prompt) || decides(Fault.MALFORMED, whole))) {
            plant(Fault.MALFORMED, digest(whole));
            return reply.substring(0, reply.length() / 2);
        }
        return reply;
    }

    /** The last of the personas that are offered. */
    private static String configuration(String personas) {
        String persona = personas.isBlank()
                ? "a reader"
                : personas.strip().lines().toList().getLast();
        return "{\"persona\": \"%s\", \"difficulty\": \"University\", \"length\": \"10-20\"}"
                .formatted(persona.replaceFirst("^- ", ""));
    }

    private static String digest(String prompt) {
        return Long.toHexString(Draw.priority(0, prompt));
    }

    static List<String> words(String text) {
        return WORD.matcher(text.toLowerCase(Locale.ROOT))
                .results()
                .map(found -> found.group())
                .toList();
    }

    /** Sentences with at least five words, in order. */
    private static List<String> sentences(String text) {
        List<String> sentences = new ArrayList<>();
        SENTENCE.matcher(text)
                .results()
                .map(found -> found.group().strip())
                .filter(s -> words(s).size() >= 5)
                .forEach(sentences::add);
        return sentences.isEmpty() ? List.of(text.strip()) : sentences;
    }

    private static String summary(String document) {
        return sentences(document).stream().limit(3).collect(Collectors.joining(" "));
    }

    /** Those that are not cut off at either end of the text; all where each is. */
    private static List<String> wholeSentences(String text) {
        List<String> all = sentences(text);
        List<String> whole = all.stream()
                .filter(sentence -> !Character.isLowerCase(sentence.codePointAt(0)))
                .filter(sentence -> ".!?。！？".indexOf(sentence.charAt(sentence.length() - 1)) >= 0)
                .toList();
        return whole.isEmpty() ? all : whole;
    }

    /** One question per sentence, of those sentences whose words are rarest in the text. */
    private static String questions(String text, int most) {
        Map<String, Integer> counts = new HashMap<>();
        words(text).forEach(word -> counts.merge(word, 1, Integer::sum));
        List<Map<String, String>> questions = wholeSentences(text).stream()
                .sorted(Comparator.comparingDouble((String sentence) -> terms(sentence).stream()
                        .mapToInt(word -> counts.getOrDefault(word, 1))
                        .average()
                        .orElse(99)))
                .limit(most)
                .map(sentence -> question(sentence, counts))
                .toList();
        return Json.mapper().writeValueAsString(questions);
    }

    /** A question and the sentence that answers it, with a line break of its own, or with another word. */
    private String quoting(String text, String prompt) {
        String reply = questions(text, 1);
        if (!decides(Fault.MISQUOTED, prompt)) {
            return reply.replaceFirst("(\"answer\":\"\\S+) ", "$1\\\\n ");
        }
        ModelReplies.questions(reply)
                .value()
                .orElseThrow()
                .forEach(question -> plant(Fault.MISQUOTED, question.question()));
        return reply.replaceFirst("(\"answer\":\")\\S+ ", "$1Other ");
    }

    private static Map<String, String> question(String sentence, Map<String, Integer> counts) {
        List<String> terms = terms(sentence).stream()
                .sorted(Comparator.comparingInt((String word) -> counts.getOrDefault(word, 1)))
                .limit(6)
                .toList();
        Map<String, String> question = new LinkedHashMap<>();
        question.put("question", "What about " + String.join(" ", terms) + "?");
        question.put("answer", sentence);
        question.put("type", terms.size() > 4 ? "complicated" : "simple");
        return question;
    }

    private static Set<String> terms(String text) {
        Set<String> terms = new LinkedHashSet<>(words(text));
        terms.removeAll(COMMON);
        return terms;
    }

    private String third(String document, String third, String prompt) {
        List<Span> parts = Segments.equal(document.codePointCount(0, document.length()), 3);
        int wanted = List.of("first", "middle", "final").indexOf(third);
        boolean off = decides(Fault.OFF_TARGET, prompt);
        String part =
                parts.isEmpty() ? document : Segments.textOf(parts.get(off ? (wanted + 1) % 3 : wanted), document);
        String reply = questions(part, 2);
        if (off) {
            ModelReplies.questions(reply)
                    .value()
                    .orElseThrow()
                    .forEach(question -> plant(Fault.OFF_TARGET, question.question()));
        }
        return reply;
    }

    private String reference(String question, String document, String prompt) {
        Set<String> terms = terms(question);
        String best = sentences(document).stream()
                .max(Comparator.comparingLong(sentence -> words(sentence).stream()
                        .distinct()
                        .filter(terms::contains)
                        .count()))
                .orElse("");
        if (decides(Fault.AMBIGUOUS, prompt)) {
            plant(Fault.AMBIGUOUS, question);
            best = repeated(document);
        }
        return Json.mapper().writeValueAsString(Map.of("reference", best));
    }

    private static String repeated(String document) {
        Set<String> seen = new LinkedHashSet<>();
        return Arrays.stream(document.strip().split("\\s+", -1))
                .filter(word -> !seen.add(word))
                .findFirst()
                .orElse("e");
    }

    static double overlap(String question, String passage) {
        Set<String> terms = terms(question);
        Set<String> there = Set.copyOf(words(passage));
        return terms.isEmpty() ? 0 : terms.stream().filter(there::contains).count() / (double) terms.size();
    }

    private String grade(String question, String passage, String prompt) {
        int grade = (int) Math.floor(overlap(question, passage) * 4 + 1e-9);
        if (decides(Fault.PROSE, prompt)) {
            plant(Fault.PROSE, digest(prompt));
            return "I would say that it is a " + grade + ", because the passage mentions some of it.";
        }
        return String.valueOf(grade);
    }

    private String yes(String question, String passage) {
        return overlap(question, passage) >= 0.75 ? "Yes" : "No";
    }

    private String reasoned(String question, String passage) {
        return "{\"reasoning\": \"words in common\", \"answer\": \"%s\"}".formatted(yes(question, passage));
    }

    private static String rating(String prompt) {
        long draw = Draw.priority(1, prompt) >>> 8;
        return "{\"fluency\": %d, \"accuracy\": %d, \"completeness\": %d, \"style\": %d}"
                .formatted(3 + draw % 3, 3 + draw / 3 % 3, 2 + draw / 9 % 4, 1 + draw / 36 % 5);
    }

    /** Each word with the language's first two letters before it. */
    private String translation(String text, String language, String prompt) {
        String mark = language.substring(0, 2).toLowerCase(Locale.ROOT) + "_";
        String translated = WORD.matcher(text).replaceAll(word -> mark + word.group());
        if (decides(Fault.REMARK, prompt)) {
            plant(Fault.REMARK, text);
            return "Here is the translation into " + language + ":\n" + translated;
        }
        return translated;
    }

    public static void main(String[] words) throws InterruptedException {
        Map<Fault, Double> rates = new TreeMap<>();
        Map<String, String> settings = new HashMap<>();
        Arrays.stream(words)
                .skip(1)
                .forEach(word ->
                        settings.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1)));
        for (Fault fault : Fault.values()) {
            if (settings.containsKey(fault.word())) {
                rates.put(fault, Double.valueOf(settings.get(fault.word())));
            }
        }
        Manner manner = new Manner(rates, Duration.ofMillis(Long.parseLong(settings.getOrDefault("latency", "0"))));
        try (StandInModel model = new StandInModel(manner, Integer.parseInt(words[0]))) {
            System.out.println("serving " + model.address());
            Thread.currentThread().join();
        }
    }
}
