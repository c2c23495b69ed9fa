package io.posbias.score.gate;

import io.posbias.base.json.Json;
import io.posbias.base.table.Columns;
import io.posbias.base.table.Detail;
import io.posbias.base.table.Lines;
import io.posbias.base.table.NumberFormat;
import io.posbias.base.table.TableFormat;
import io.posbias.base.table.TerminalStyle;
import io.posbias.base.text.Plural;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/** Outcome of a gate. */
public record GateReport(List<Check> checks, String summary) {
    public static final String SCHEMA = "posbias/gate/1";

    private static final int SOME = 10;

    private static final List<String> EXPLANATION = List.of(
            "means in points, PSI as a fraction, losses in percent; query by query",
            "WORSE: the whole interval of the change is beyond the condition of --fail-on",
            "not decided: the interval reaches beyond the condition, but not all of it; more queries would decide (posbias plan)",
            "CHANGED, MISSING: cannot be compared; note: does not fail",
            "with m numbers tested, an interval has confidence 1 - (1 - P) / m");

    public GateReport {
        checks = List.copyOf(checks);
    }

    public boolean passes() {
        return failures(checks) == 0;
    }

    private long failures(List<Check> of) {
        return of.stream().filter(check -> check.fails()).count();
    }

    private static Columns<Check> columns(int digits) {
        return new Columns<Check>()
                .label("outcome", check -> check.fails() ? check.outcome().name() : check.outcome())
                .label("number", Check::number)
                .text("before", check -> print(check, change(check).before(), digits))
                .text("after", check -> print(check, change(check).after(), digits))
                .text("change [interval]", check -> difference(check, digits));
    }

    private static Check.Change change(Check check) {
        return Objects.requireNonNull(check.change());
    }

    private static String print(Check check, @Nullable Double value, int digits) {
        return value != null && change(check).interval() == null
                ? value.toString()
                : (check.isPsi() ? NumberFormat.FRACTION : check.isLoss() ? NumberFormat.PERCENT : NumberFormat.POINTS)
                        .print(value, digits);
    }

    private static String difference(Check check, int digits) {
        Check.Change change = change(check);
        Double difference = change.change();
        if (change.interval() == null || difference == null) {
            return NumberFormat.NONE;
        }
        NumberFormat unit = check.isPsi()
                ? NumberFormat.SIGNED_FRACTION
                : check.isLoss() ? NumberFormat.SIGNED_PERCENT : NumberFormat.SIGNED_POINTS;
        return unit.print(difference, digits) + " " + unit.print(change.interval(), digits);
    }

    /**
     * Prints the outcome, then notes, then for each cell a table of failures, of changes of PSI and, if the gate passes, of some
     * other changes.
     */
    public String text(TerminalStyle style, Detail detail) {
        List<Check> changed = checks.stream()
                .filter(check -> check.isWithin() && check.isChanged())
                .toList();
        List<Check> within = changed.stream().filter(check -> !check.isPsi()).toList();
        List<Check> some = passes() ? within.stream().limit(SOME).toList() : List.of();
        StringBuilder text = new StringBuilder(headline()).append('\n');
        Map<String, List<Check>> cells = new LinkedHashMap<>();
        for (Check check : checks) {
            boolean isShown = !check.isWithin() || (check.isPsi() && changed.contains(check)) || some.contains(check);
            if (isShown && !check.isCompared()) {
                Lines.of(check.line(), style.width(), 2)
                        .forEach(line -> text.append(line).append('\n'));
            } else if (isShown) {
                cells.computeIfAbsent(check.cell(), name -> new ArrayList<>()).add(check);
            }
        }
        cells.forEach((cell, own) -> text.append('\n')
                .append(TableFormat.TABLE.render(columns(detail.digits()).table(cell, own, List.of()), style)));
        if (some.size() < within.size() && passes()) {
            text.append("and ").append(within.size() - some.size()).append(" more changes within what is allowed\n");
        }
        if (detail.explain()) {
            text.append('\n');
            EXPLANATION.forEach(line -> text.append(line).append('\n'));
        }
        return text.toString();
    }

    private String headline() {
        long worse = failures(checks);
        long all = checks.stream()
                .filter(check -> check.outcome() != Check.Outcome.NOTE)
                .count();
        long open = checks.stream()
                .filter(check -> check.outcome() == Check.Outcome.NOT_DECIDED)
                .count();
        return (worse == 0 ? "PASS: none" : "FAIL: " + worse) + " of " + Plural.of(all, "check") + " worse"
                + (open == 0 ? "" : ", " + open + " not decided") + summary;
    }

    /** All checks as a JSON document in UTF-8. */
    public byte[] json() {
        return Json.toBytes(new GateFile(SCHEMA, passes(), headline(), checks));
    }

    private record GateFile(String schema, boolean passes, String summary, List<Check> checks) {}

    /** JUnit's XML: a test suite for each cell, a test case for each check. */
    public String junit() {
        StringWriter text = new StringWriter();
        try {
            XMLStreamWriter xml = XMLOutputFactory.newFactory().createXMLStreamWriter(text);
            xml.writeStartDocument("UTF-8", "1.0");
            open(xml, "testsuites", "posbias gate", checks);
            Map<String, List<Check>> cells = checks.stream()
                    .collect(Collectors.groupingBy(Check::cell, LinkedHashMap::new, Collectors.toList()));
            for (Map.Entry<String, List<Check>> cell : cells.entrySet()) {
                open(xml, "testsuite", cell.getKey(), cell.getValue());
                for (Check check : cell.getValue()) {
                    testcase(xml, check);
                }
                xml.writeCharacters("\n");
                xml.writeEndElement();
            }
            xml.writeCharacters("\n");
            xml.writeEndElement();
            xml.writeCharacters("\n");
            xml.writeEndDocument();
        } catch (XMLStreamException impossible) {
            throw new IllegalStateException("text is always writable", impossible);
        }
        return text.toString();
    }

    private void open(XMLStreamWriter xml, String element, String name, List<Check> of) throws XMLStreamException {
        xml.writeCharacters("\n");
        xml.writeStartElement(element);
        xml.writeAttribute("name", clean(name));
        xml.writeAttribute("tests", String.valueOf(of.size()));
        xml.writeAttribute("failures", String.valueOf(failures(of)));
    }

    private void testcase(XMLStreamWriter xml, Check check) throws XMLStreamException {
        xml.writeCharacters("\n  ");
        xml.writeStartElement("testcase");
        xml.writeAttribute("classname", "posbias." + clean(check.cell()));
        xml.writeAttribute("name", clean(check.number()));
        if (check.fails()) {
            xml.writeStartElement("failure");
            xml.writeAttribute("message", clean(check.line()));
        } else {
            xml.writeStartElement("system-out");
            xml.writeCharacters(clean(check.line()));
        }
        xml.writeEndElement();
        xml.writeEndElement();
    }

    /** XML 1.0 cannot hold control characters in any spelling. */
    private static String clean(String text) {
        return text.replaceAll("[\\p{Cntrl}&&[^\\t\\n\\r]]", "\uFFFD");
    }
}
