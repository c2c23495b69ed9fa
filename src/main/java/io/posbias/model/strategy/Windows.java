package io.posbias.model.strategy;

import io.posbias.data.dataset.Dataset;
import io.posbias.data.dataset.Judgments;
import io.posbias.data.dataset.Passage;
import io.posbias.data.dataset.PassageIds;
import io.posbias.data.dataset.Passages;
import io.posbias.data.dataset.Qrels;
import io.posbias.data.dataset.Query;
import io.posbias.data.dataset.Span;
import io.posbias.rank.Ranking;
import io.posbias.rank.Run;
import io.posbias.rank.TruncationReport;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Windows of a corpus, as a corpus. */
final class Windows {
    /**
     * Separates a passage's identifier and a number. Identifiers do not contain control characters, so windows' are
     * new; a tab sorts before every other character, so windows are in the order of their passages.
     */
    private static final char BEFORE_NUMBER = '\t';

    private final Dataset whole;
    private final Dataset windows;
    private final int[] owners;

    /** By window: its index among its passage's windows. */
    private final int[] numbers;

    /** By passage: its windows' ordinals and spans. */
    private final int[][] ordinals;

    private final Span[][] spans;
    private final int[] leads;

    /** Factory of a window's passage. */
    @FunctionalInterface
    interface Maker {
        /**
         * @param window in the cut text
         */
        Passage make(String id, Passage passage, Span window);
    }

    /** Part of a passage that is cut. */
    enum Part {
        /** The text; every window has the title. */
        TEXT,
        /** Title and text, as one text. */
        CONTENT;

        private String of(Passage passage) {
            return this == TEXT ? passage.text() : passage.content();
        }

        private int lead(Passage passage) {
            return of(passage).length() - passage.text().length();
        }
    }

    /** Cuts all passages; a passage of one window is kept. */
    Windows(Dataset whole, TextWindows cutter, Part part, Maker maker) {
        this.whole = whole;
        int passages = whole.passages().size();
        this.spans = new Span[passages][];
        this.leads = new int[passages];
        List<String> ids = new ArrayList<>();
        whole.passages().inFileOrder((ordinal, passage) -> {
            spans[ordinal] = cutter.cut(part.of(passage)).toArray(Span[]::new);
            leads[ordinal] = part.lead(passage);
            for (int number = 0; number < spans[ordinal].length; number++) {
                ids.add(id(passage.id(), number, spans[ordinal].length));
            }
        });
        PassageIds all = new PassageIds(ids);
        this.ordinals = new int[passages][];
        this.owners = new int[all.size()];
        this.numbers = new int[all.size()];
        for (int ordinal = 0; ordinal < passages; ordinal++) {
            String id = whole.passages().ids().id(ordinal);
            int count = spans[ordinal].length;
            ordinals[ordinal] = IntStream.range(0, count)
                    .map(number -> all.ordinal(id(id, number, count)))
                    .toArray();
            for (int number = 0; number < count; number++) {
                owners[ordinals[ordinal][number]] = ordinal;
                numbers[ordinals[ordinal][number]] = number;
            }
        }
        Passages texts = Passages.streamed(
                visitor -> whole.passages().inFileOrder((ordinal, passage) -> {
                    Span[] own = spans[ordinal];
                    for (int number = 0; number < own.length; number++) {
                        visitor.accept(
                                own.length == 1
                                        ? passage
                                        : maker.make(id(passage.id(), number, own.length), passage, own[number]));
                    }
                }),
                all);
        this.windows = new Dataset(
                whole.card(), whole.checksums(), texts, whole.queries(), qrels(), whole.parts(), whole.notes());
    }

    private static String id(String passage, int number, int count) {
        return count == 1 ? passage : passage + BEFORE_NUMBER + number;
    }

    /** Gives the windows of a judged passage its grade. */
    private Qrels qrels() {
        Map<String, Judgments> all = new LinkedHashMap<>();
        for (Query query : whole.judgedQueries()) {
            Judgments judged = Objects.requireNonNull(whole.qrels().of(query.id()));
            Map<Integer, Integer> grades = new HashMap<>();
            for (int passage : judged.passages()) {
                for (int window : ordinals[passage]) {
                    grades.put(window, judged.grade(passage));
                }
            }
            all.put(query.id(), Judgments.of(grades));
        }
        return new Qrels(all);
    }

    /** Returns the benchmark whose passages are the windows. */
    Dataset dataset() {
        return windows;
    }

    int size() {
        return owners.length;
    }

    int passages() {
        return ordinals.length;
    }

    int owner(int window) {
        return owners[window];
    }

    /** Returns a window's index among its passage's windows. */
    int number(int window) {
        return numbers[window];
    }

    int count(int passage) {
        return ordinals[passage].length;
    }

    /** Replaces passages by their windows, in the order of the passages, without scores. */
    Run expand(Run run) {
        List<Ranking> rankings = IntStream.range(0, run.queries().size())
                .mapToObj(query -> {
                    int[] all = Arrays.stream(run.ranking(query).passages())
                            .flatMap(passage -> Arrays.stream(ordinals[passage]))
                            .toArray();
                    return Ranking.of(all, new float[all.length]);
                })
                .toList();
        return new Run(windows.passages().ids(), run.queries(), rankings);
    }

    /**
     * Converts truncation of windows into truncation of passages: up to the first character that is unread in all
     * windows.
     */
    TruncationReport truncation(TruncationReport ofWindows) {
        if (ofWindows.unit() == TruncationReport.Unit.PASSAGES) {
            int[] byPassage = new int[passages()];
            Arrays.setAll(
                    byPassage, passage -> seen(passage, window -> ofWindows.byPassage()[window]));
            return TruncationReport.ofPassages(
                    ofWindows.stage(), ofWindows.maxTokens(), byPassage, ofWindows.queriesCut());
        }
        Map<String, Map<Integer, Integer>> byPair = new HashMap<>();
        ofWindows.byPair().forEach((query, cut) -> {
            Map<Integer, Integer> seen = new HashMap<>();
            cut.keySet().forEach(window -> {
                int passage = owners[window];
                int reach = seen(passage, other -> ofWindows.seen(query, other));
                if (reach >= 0) {
                    seen.put(passage, reach);
                }
            });
            byPair.put(query, seen);
        });
        return new TruncationReport(
                ofWindows.stage(),
                ofWindows.maxTokens(),
                ofWindows.unit(),
                ofWindows.total(),
                ofWindows.cut(),
                ofWindows.queriesCut(),
                ofWindows.known(),
                new int[0],
                byPair);
    }

    private int seen(int passage, IntUnaryOperator ofWindow) {
        int reach = 0;
        for (int number = 0; number < ordinals[passage].length; number++) {
            int seen = ofWindow.applyAsInt(ordinals[passage][number]);
            Span span = spans[passage][number];
            if (seen == TruncationReport.UNKNOWN || seen == TruncationReport.NEVER_READ) {
                return seen;
            }
            if (span.start() > reach) {
                break;
            }
            reach = Math.max(reach, seen == TruncationReport.WHOLE ? span.end() : span.start() + seen);
        }
        boolean whole = reach >= spans[passage][ordinals[passage].length - 1].end();
        return whole ? TruncationReport.WHOLE : Math.max(0, reach - leads[passage]);
    }
}
