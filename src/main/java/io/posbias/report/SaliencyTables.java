package io.posbias.report;

import io.posbias.dataset.Span;
import io.posbias.probe.SaliencyMap;
import io.posbias.probe.SaliencyProfile;
import io.posbias.probe.SaliencyProfile.Value;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the saliency of documents says, as tables, JSON and CSV. */
public final class SaliencyTables {
    private static final int SCALE = 1000;

    private SaliencyTables() {}

    /**
     * How saliency was found.
     *
     * @param method its name
     * @param unit what documents were cut into, for example "word"
     * @param window words left out at a time; 0 where none were
     * @param stride words from one window to the next; 0 likewise
     * @param minWords the fewest words of a document
     * @param scaling whether each document was taken on its own scale
     */
    public record Setup(String method, String unit, int window, int stride, int minWords, boolean scaling) {
        /** In words, for titles. */
        public String describe() {
            String windows = window == 0 ? "" : ", windows of " + window + (window == 1 ? " word" : " words");
            return method + windows + (stride < window ? ", one every " + stride : "");
        }
    }

    /** One row for each model: what each third has of the saliency above 0. */
    public static Table thirds(Setup setup, Map<String, SaliencyProfile> profiles, double confidence) {
        List<Table.Row> rows = new ArrayList<>();
        profiles.forEach((model, profile) -> {
            List<String> row = new ArrayList<>(List.of(model, String.valueOf(profile.salient())));
            for (int third = 0; third < 3; third++) {
                row.add(
                        profile.thirds().isEmpty()
                                ? Numbers.NONE
                                : Numbers.points(profile.thirds().get(third).mean()));
            }
            row.addAll(Numbers.difference(profile.frontLessBack()));
            rows.add(new Table.Row(row));
        });
        return new Table(
                "Saliency by third of the document, % of what is above 0 (" + setup.describe() + ")",
                List.of(),
                List.of("model", "n", "first", "middle", "last", "first - last", "interval", "p"),
                rows,
                List.of("means over pairs; interval: " + Numbers.percent(confidence)
                        + ", paired t; p without correction for the number of models"));
    }

    /**
     * One row for each model but the first: its first less its last third, less the same of the first model.
     *
     * @param contrasts by model; none when empty
     */
    public static List<Table> contrasts(
            String base, Map<String, SaliencyProfile.Contrast> contrasts, double confidence) {
        if (contrasts.isEmpty()) {
            return List.of();
        }
        List<Table.Row> rows = new ArrayList<>();
        contrasts.forEach((model, contrast) -> {
            List<String> row = new ArrayList<>(List.of(model, String.valueOf(contrast.pairs())));
            row.addAll(Numbers.difference(contrast.difference()));
            rows.add(new Table.Row(row));
        });
        return List.of(new Table(
                "First - last third, less that of " + base + " on the same pairs",
                List.of(),
                List.of("model", "n", "difference", "interval", "p"),
                rows,
                List.of("above 0: looks more to the front than " + base + "; interval: " + Numbers.percent(confidence)
                        + ", paired t; p without correction for the number of models")));
    }

    /** One row for each model: what the evidence has of the saliency above 0; none where no evidence is known. */
    public static List<Table> evidence(Map<String, SaliencyProfile> profiles, double confidence) {
        List<Table.Row> rows = new ArrayList<>();
        profiles.forEach((model, profile) -> {
            SaliencyProfile.EvidenceShare evidence = profile.evidence();
            if (evidence != null) {
                List<String> row = new ArrayList<>(List.of(
                        model,
                        String.valueOf(evidence.pairs()),
                        Numbers.points(evidence.saliency().mean()),
                        Numbers.points(evidence.length().mean())));
                row.addAll(Numbers.difference(evidence.difference()));
                rows.add(new Table.Row(row));
            }
        });
        if (rows.isEmpty()) {
            return List.of();
        }
        return List.of(new Table(
                "Saliency of the evidence: its share of what is above 0, and of the length, in %",
                List.of(),
                List.of("model", "n", "saliency", "length", "difference", "interval", "p"),
                rows,
                List.of("interval: " + Numbers.percent(confidence)
                        + ", paired t; p without correction for the number of models")));
    }

    /** One row for each model: mean saliency in ten parts of the document. */
    public static Table curve(Setup setup, Map<String, SaliencyProfile> profiles) {
        List<String> header = new ArrayList<>(List.of("model", "n"));
        IntStream.range(0, SaliencyProfile.BINS).forEach(bin -> header.add(10 * bin + "-" + 10 * (bin + 1) + "%"));
        List<Table.Row> rows = new ArrayList<>();
        profiles.forEach((model, profile) -> {
            List<String> row = new ArrayList<>(List.of(model, String.valueOf(profile.pairs())));
            profile.bins().forEach(bin -> row.add(signed(setup.scaling() ? bin.mean() : SCALE * bin.mean())));
            rows.add(new Table.Row(row));
        });
        return new Table(
                "Mean saliency by place in the document"
                        + (setup.scaling() ? "" : ", in the score's unit times " + SCALE),
                List.of(),
                header,
                rows,
                List.of((setup.scaling() ? "1: the 99th percentile of the document; " : "")
                        + "below 0: the score is higher without; intervals: --output, --plots"));
    }

    /** The curves in full precision, a row for each model and point. */
    public static Table tidy(Map<String, SaliencyProfile> profiles) {
        List<Table.Row> rows = new ArrayList<>();
        profiles.forEach((model, profile) -> {
            for (int point = 0; point < profile.points().size(); point++) {
                Value value = profile.points().get(point);
                List<String> row = new ArrayList<>(List.of(
                        model,
                        String.valueOf(point + 1),
                        String.valueOf(profile.pairs()),
                        String.valueOf(value.mean()),
                        Plain.number(value.deviation())));
                row.addAll(Plain.ends(value.interval()));
                rows.add(new Table.Row(row));
            }
        });
        return new Table(
                "",
                List.of(),
                List.of("model", "point", "n", "mean", "deviation", "interval_low", "interval_high"),
                rows,
                List.of());
    }

    /** Adding 0 turns a negative zero into a plain one. */
    private static String signed(double value) {
        double rounded = Math.rint(value * 1e3) / 1e3 + 0.0;
        return String.format(Locale.ROOT, "%+.3f", rounded);
    }

    /**
     * A profile for {@link DiagnoseTables#document}.
     *
     * @param base the first model's name
     * @param contrast with it; null for that model itself
     */
    public static Map<String, Object> fields(
            Setup setup, SaliencyProfile profile, String base, SaliencyProfile.@Nullable Contrast contrast) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("method", setup.method());
        map.put("unit", setup.unit());
        if (setup.window() > 0) {
            map.put("window", setup.window());
            map.put("stride", setup.stride());
        }
        map.put("min_words", setup.minWords());
        map.put("scaled", setup.scaling());
        map.put("pairs", profile.pairs());
        map.put("points", profile.points().stream().map(SaliencyTables::toMap).toList());
        map.put("bins", profile.bins().stream().map(SaliencyTables::toMap).toList());
        map.put("salient_pairs", profile.salient());
        map.put("thirds", profile.thirds().stream().map(SaliencyTables::toMap).toList());
        if (profile.frontLessBack() != null) {
            map.put("first_less_last", ProfileFields.estimate(profile.frontLessBack()));
        }
        if (contrast != null) {
            map.put("first_less_last_against", toMap(base, contrast));
        }
        SaliencyProfile.EvidenceShare evidence = profile.evidence();
        if (evidence != null) {
            map.put("evidence", toMap(evidence));
        }
        return Map.of("saliency", map);
    }

    private static Map<String, Object> toMap(String base, SaliencyProfile.Contrast contrast) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("model", base);
        map.put("pairs", contrast.pairs());
        if (contrast.difference() != null) {
            map.put("difference", ProfileFields.estimate(contrast.difference()));
        }
        return map;
    }

    private static Map<String, Object> toMap(SaliencyProfile.EvidenceShare evidence) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("pairs", evidence.pairs());
        map.put("saliency", toMap(evidence.saliency()));
        map.put("length", toMap(evidence.length()));
        if (evidence.difference() != null) {
            map.put("difference", ProfileFields.estimate(evidence.difference()));
        }
        return map;
    }

    private static Map<String, Object> toMap(Value value) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("mean", value.mean());
        if (value.deviation() != null) {
            map.put("sd", value.deviation());
        }
        if (value.interval() != null) {
            map.put("interval", List.of(value.interval().low(), value.interval().high()));
        }
        return map;
    }

    /** One line for each window or token: where it stands, in code points, and its saliency as it was found. */
    public static String csv(List<SaliencyMap> maps) {
        return CsvTable.lines(lines -> {
            lines.accept(List.of("query", "score", "part", "start", "end", "saliency"));
            for (SaliencyMap map : maps) {
                String score = String.valueOf(map.score());
                Offsets offsets = new Offsets(map.text());
                int number = 0;
                for (SaliencyMap.Part part : map.parts()) {
                    Span span = map.span(part);
                    lines.accept(List.of(
                            map.id(),
                            score,
                            String.valueOf(++number),
                            String.valueOf(offsets.of(span.start())),
                            String.valueOf(offsets.of(span.end())),
                            String.valueOf(part.saliency())));
                }
                if (map.rest() != null) {
                    lines.accept(List.of(map.id(), score, "rest", "", "", String.valueOf(map.rest())));
                }
            }
        });
    }

    /** From UTF-16 units to code points; asked for ascending places it walks once. */
    private static final class Offsets {
        private final String text;
        private int unit;
        private int point;

        Offsets(String text) {
            this.text = text;
        }

        int of(int place) {
            if (place < unit) {
                unit = 0;
                point = 0;
            }
            point += text.codePointCount(unit, place);
            unit = place;
            return point;
        }
    }
}
