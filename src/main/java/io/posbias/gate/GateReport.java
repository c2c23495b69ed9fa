package io.posbias.gate;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.posbias.Json;
import io.posbias.gate.Check.Change;
import java.io.StringWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.jspecify.annotations.Nullable;

/**
 * Outcome of a gate.
 *
 * @param summary how numbers were compared, for people
 */
public record GateReport(List<Check> checks, String summary) {
    /** The schema of the JSON. */
    public static final String SCHEMA = "posbias/gate/1";

    private static final int SOME = 10;

    /** Copies the checks. */
    public GateReport {
        checks = List.copyOf(checks);
    }

    /** Returns true if no check fails. */
    public boolean passes() {
        return failures(checks) == 0;
    }

    private long failures(List<Check> of) {
        return of.stream().filter(check -> check.fails()).count();
    }

    private List<Check> told() {
        return checks.stream()
                .filter(check -> check.outcome() != Check.Outcome.SAME)
                .toList();
    }

    /**
     * A line for each check that is not the same, one for each PSI that changed, and, of an open gate, some for other numbers that changed
     * no further than they may; then a last one.
     */
    public String text() {
        List<Check> changed = checks.stream()
                .filter(check -> check.outcome() == Check.Outcome.SAME && check.isChanged())
                .toList();
        List<Check> within = changed.stream().filter(check -> !check.isPsi()).toList();
        List<Check> some = passes() ? within.stream().limit(SOME).toList() : List.of();
        StringBuilder text = new StringBuilder();
        checks.stream()
                .filter(check -> check.outcome() != Check.Outcome.SAME
                        || (check.isPsi() && changed.contains(check))
                        || some.contains(check))
                .forEach(check -> text.append(check.line()).append('\n'));
        if (some.size() < within.size() && passes()) {
            text.append("and ")
                    .append(within.size() - some.size())
                    .append(" more that changed within what is allowed\n");
        }
        return text.append(last()).append('\n').toString();
    }

    private String last() {
        long compared = checks.stream().filter(check -> check.change() != null).count();
        long differing = told().stream()
                .filter(check -> check.outcome() != Check.Outcome.NOTE)
                .count();
        return compared + " numbers compared" + summary + ", " + differing + " differ"
                + (passes() ? ": pass" : ": fail");
    }

    /** All checks as a JSON document in UTF-8. */
    public byte[] json() {
        return Json.toBytes(new GateFile(
                SCHEMA,
                passes(),
                last(),
                checks.stream()
                        .map(check -> new CheckLine(
                                check.cell(),
                                check.number(),
                                check.outcome(),
                                check.fails(),
                                check.change(),
                                check.line()))
                        .toList()));
    }

    private record GateFile(String schema, boolean passes, String summary, List<CheckLine> checks) {}

    private record CheckLine(
            String cell,
            String number,
            Check.Outcome outcome,
            boolean fails,
            @JsonUnwrapped @Nullable Change change,
            String line) {}

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
