package io.posbias.plot;

import io.posbias.FileNames;
import io.posbias.PosbiasException;
import io.posbias.Problems;
import io.posbias.Staging;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Figures as files. The same figure gives the same bytes on a machine with the same fonts and Java. */
public final class Pictures {
    /** Pixels for each unit of length: printed 7 inches wide, 300 to the inch. */
    static final int SCALE = 3;

    /** Batik's own header names a document type, which some readers would fetch from the network. */
    private static final String HEADER = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

    private static final Pattern NO_XML =
            Pattern.compile("[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private static final String HEADLESS = "java.awt.headless";

    private static final String SVG = "http://www.w3.org/2000/svg";

    private Pictures() {}

    /** Figures by their own names. */
    public static Map<String, Figure> named(List<Figure> figures) {
        Map<String, Figure> byName = new LinkedHashMap<>();
        figures.forEach(figure -> byName.put(figure.name(), figure));
        return byName;
    }

    /**
     * Writes figures, all of them or none.
     *
     * @param figures by their files' names, without the ending
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> write(Map<String, Figure> figures, Path folder) {
        if (figures.isEmpty()) {
            return List.of();
        }
        requireFonts();
        List<String> names = new ArrayList<>();
        try (Staging staging = Staging.within(folder)) {
            figures.forEach((name, figure) -> {
                writeSvg(figure, FileNames.directlyIn(staging.folder(), name + ".svg"));
                writePng(figure, FileNames.directlyIn(staging.folder(), name + ".png"));
                names.add(name + ".svg");
                names.add(name + ".png");
            });
            staging.commitFiles(names.getLast());
        }
        return names.stream().map(folder::resolve).toList();
    }

    /** Java without a single font fails in the middle of a drawing, with an error that says nothing. */
    private static void requireFonts() {
        if (System.getProperty(HEADLESS) == null) {
            System.setProperty(HEADLESS, "true");
        }
        try {
            Style.TEXT.getStringBounds("x", new FontRenderContext(null, true, true));
        } catch (RuntimeException | Error noFonts) {
            throw new PosbiasException(
                    "--plots: Java finds no fonts on this machine; install fontconfig and a font, such as DejaVu",
                    noFonts);
        }
    }

    /** Writes a figure as SVG, in which text stays text, to a file whose name has an ending. */
    public static void writeSvg(Figure figure, Path file) {
        try {
            String name = String.valueOf(file.getFileName());
            Files.writeString(file, svg(figure, name.substring(0, name.lastIndexOf('.'))), StandardCharsets.UTF_8);
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }

    /** The figure as a document whose ids begin with a name, so that several can be put into one page. */
    private static String svg(Figure figure, String name) throws IOException {
        Document document = document();
        SVGGeneratorContext context = SVGGeneratorContext.createDefault(document);
        context.setComment("made by posbias");
        context.setIDGenerator(new SVGIDGenerator() {
            @Override
            public String generateID(String prefix) {
                return super.generateID(name + "-" + prefix);
            }
        });
        SVGGraphics2D g2 = new SVGGraphics2D(context, false);
        Dimension size = figure.size();
        g2.setSVGCanvasSize(size);
        figure.draw(g2);
        Element root = g2.getRoot();
        root.setAttributeNS(null, "viewBox", "0 0 " + size.width + " " + size.height);
        root.setAttributeNS(null, "role", "img");
        Element title = document.createElementNS(SVG, "title");
        title.setTextContent(figure.title());
        root.insertBefore(title, root.getFirstChild());
        StringWriter writer = new StringWriter();
        g2.stream(root, writer, false, false);
        String text = writer.toString();
        return HEADER + valid(text.substring(text.indexOf("<svg")));
    }

    /** Characters that XML cannot hold, not even escaped, are replaced; names of models may come from anywhere. */
    private static String valid(String text) {
        return NO_XML.matcher(text).replaceAll("\uFFFD");
    }

    private static Document document() {
        try {
            DocumentBuilderFactory factory = DocumentBuilderFactory.newDefaultNSInstance();
            factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
            return factory.newDocumentBuilder().getDOMImplementation().createDocument(SVG, "svg", null);
        } catch (ParserConfigurationException defect) {
            throw new IllegalStateException(defect);
        }
    }

    /** Writes a figure as PNG, {@value #SCALE} pixels for each unit. */
    public static void writePng(Figure figure, Path file) {
        Dimension size = figure.size();
        BufferedImage image = new BufferedImage(SCALE * size.width, SCALE * size.height, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        g2.scale(SCALE, SCALE);
        figure.draw(g2);
        g2.dispose();
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            // Given a plain stream, ImageIO would go through a temporary file.
            try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(bytes)) {
                ImageIO.write(image, "png", stream);
            }
            Files.write(file, bytes.toByteArray());
        } catch (IOException refused) {
            throw new PosbiasException(Problems.describe("write", file, refused), refused);
        }
    }
}
