package io.posbias.report.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.posbias.report.Results;
import io.posbias.score.measure.ContentFixed.Place;
import io.posbias.score.result.Result;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class BadgeTest {
    private static String badge(Result result) {
        return Badge.render(result, result.profiles().getFirst());
    }

    private static List<Element> elements(String badge, String name) throws Exception {
        NodeList nodes = DocumentBuilderFactory.newDefaultNSInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(badge.getBytes(StandardCharsets.UTF_8)))
                .getElementsByTagNameNS("http://www.w3.org/2000/svg", name);
        return IntStream.range(0, nodes.getLength())
                .mapToObj(i -> (Element) nodes.item(i))
                .toList();
    }

    private static int number(Element element, String attribute) {
        return Integer.parseInt(element.getAttribute(attribute));
    }

    @Test
    void itHasALabelACellForEachPlaceAndTheVerdict() throws Exception {
        Result result = Results.withPlaces(
                Results.of("mini", "dense", "demo", 0.75),
                List.of(new Place(1, 1.02, null, 0.0), new Place(2, -0.01, null, 0.75)));
        String badge = badge(result);
        List<String> fills = elements(badge, "rect").stream()
                .map(cell -> cell.getAttribute("fill"))
                .toList();
        assertThat(fills).hasSize(5).containsSubsequence("#fde725", "#440154", "url(#posbias-light)");
        Element unread = elements(badge, "rect").get(3);
        assertThat(number(unread, "width")).isEqualTo(30);
        assertThat(number(unread, "x") + 30)
                .isEqualTo(number(elements(badge, "rect").get(4), "x"));
        assertThat(elements(badge, "pattern"))
                .extracting(pattern -> pattern.getAttribute("id"))
                .contains("posbias-light");
        assertThat(elements(badge, "text"))
                .extracting(Element::getTextContent)
                .containsExactly("answers by place", "content");
        assertThat(elements(badge, "title").getFirst().getTextContent())
                .startsWith("mini on demo, nDCG@10 in points ")
                .contains("1: 102.0, 2: -1.0 (75% not read); content: ");
        Element svg = elements(badge, "svg").getFirst();
        assertThat(number(svg, "height")).isEqualTo(20);
        Element last = elements(badge, "rect").getLast();
        assertThat(number(svg, "width")).isEqualTo(number(last, "x") + number(last, "width"));
        assertThat(badge(result)).isEqualTo(badge);
    }

    @Test
    void namesAreText() throws Exception {
        String nasty = "</title><script>alert(1)</script> & \" ' \u202e \u0001";
        String badge = badge(Results.of(nasty, "dense", "demo", 0.75));
        assertThat(elements(badge, "script")).isEmpty();
        assertThat(elements(badge, "pattern")).isEmpty();
        assertThat(elements(badge, "title").getFirst().getTextContent())
                .startsWith("</title><script>alert(1)</script> & \" ' \\u202e \\u0001 on demo, ");
    }

    @Test
    void manyPlacesStillHaveCells() throws Exception {
        List<Place> places = new ArrayList<>();
        IntStream.rangeClosed(1, 40).forEach(place -> places.add(new Place(place, 0.5, null, null)));
        String badge = badge(Results.withPlaces(Results.of("m", "dense", "demo", 0.75), places));
        assertThat(elements(badge, "rect")).hasSize(42).allMatch(cell -> number(cell, "width") >= 4);
    }
}
