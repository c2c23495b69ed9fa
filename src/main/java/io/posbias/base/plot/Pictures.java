package io.posbias.base.plot;

import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2D;
import de.rototor.pdfbox.graphics2d.PdfBoxGraphics2DFontTextDrawer;
import io.posbias.base.files.FileNames;
import io.posbias.base.files.IoErrors;
import io.posbias.base.files.Staging;
import io.posbias.base.process.PosbiasException;
import io.posbias.base.process.Session;
import io.posbias.base.text.Printable;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.font.FontRenderContext;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.text.AttributedCharacterIterator;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import javax.imageio.ImageIO;
import javax.imageio.stream.MemoryCacheImageOutputStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.ParserConfigurationException;
import org.apache.batik.svggen.SVGGeneratorContext;
import org.apache.batik.svggen.SVGGraphics2D;
import org.apache.batik.svggen.SVGIDGenerator;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.common.PDRectangle;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** Writes figures. Bytes are reproducible with the same fonts and Java. */
public final class Pictures {
    static final int SCALE = 3;

    private static final double POINTS_PER_UNIT = 72.0 / Figure.UNITS_PER_INCH;

    /** File formats; the lower-case name is the ending. */
    public enum Format {
        /** Text stays text. */
        SVG {
            @Override
            void write(Figure figure, Figure.Frame frame, Path file) throws IOException {
                String name = String.valueOf(file.getFileName());
                Files.writeString(file, svg(figure, frame, name.substring(0, name.lastIndexOf('.'))));
            }
        },
        /** {@value Pictures#SCALE} pixels for each unit. */
        PNG {
            @Override
            void write(Figure figure, Figure.Frame frame, Path file) throws IOException {
                Files.write(file, png(figure, frame));
            }
        },
        /** One page of the figure's size; letters are outlines, so that no font has to be on the reader's machine. */
        PDF {
            @Override
            void write(Figure figure, Figure.Frame frame, Path file) throws IOException {
                Files.write(file, pdf(figure, frame));
            }
        };

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        abstract void write(Figure figure, Figure.Frame frame, Path file) throws IOException;

        String ending() {
            return "." + this;
        }
    }

    /**
     * Formats and size of files.
     *
     * @param formats at least one
     */
    public record Form(Set<Format> formats, Figure.Frame frame) {
        /** SVG and PNG. */
        public static final Form USUAL = new Form(EnumSet.of(Format.SVG, Format.PNG), Figure.Frame.USUAL);
    }

    /** Replaces Batik's header, whose document type some readers fetch from the network. */
    private static final String HEADER = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

    private static final Pattern NO_XML =
            Pattern.compile("[^\\t\\n\\r\\x{20}-\\x{D7FF}\\x{E000}-\\x{FFFD}\\x{10000}-\\x{10FFFF}]");

    private static final String HEADLESS = "java.awt.headless";

    private static final String SVG = "http://www.w3.org/2000/svg";

    private Pictures() {}

    public static Map<String, Figure> named(List<Figure> figures) {
        Map<String, Figure> byName = new LinkedHashMap<>();
        figures.forEach(figure -> byName.put(figure.name(), figure));
        return byName;
    }

    /**
     * Writes figures, all or none.
     *
     * @param figures by file name without extension
     * @throws PosbiasException if the folder cannot be written to, or Java finds no fonts
     */
    public static List<Path> write(Map<String, Figure> figures, Form form, Path folder, Session session) {
        if (figures.isEmpty()) {
            return List.of();
        }
        requireFonts();
        List<String> names = new ArrayList<>();
        try (Staging staging = Staging.within(folder, session)) {
            figures.forEach((name, figure) -> form.formats().forEach(format -> {
                names.add(name + format.ending());
                write(figure, format, form.frame(), FileNames.directlyIn(staging.folder(), names.getLast()));
            }));
            staging.commitFiles(names.getLast());
        }
        return names.stream().map(folder::resolve).toList();
    }

    public static void write(Figure figure, Format format, Figure.Frame frame, Path file) {
        IoErrors.run("write", file, () -> format.write(figure, frame, file));
    }

    private static void requireFonts() {
        if (System.getProperty(HEADLESS) == null) {
            System.setProperty(HEADLESS, "true");
        }
        try {
            Style.TEXT.getStringBounds("x", new FontRenderContext(null, true, true));
        } catch (RuntimeException | Error noFonts) {
            throw new PosbiasException(
                    "--plots: Java finds no fonts on this machine; install fontconfig and a font like DejaVu", noFonts);
        }
    }

    /** Renders SVG whose ids begin with a name, so that one page can contain several figures. */
    private static String svg(Figure figure, Figure.Frame frame, String name) throws IOException {
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
        Dimension size = figure.size(frame);
        g2.setSVGCanvasSize(size);
        figure.draw(g2, frame);
        Element root = g2.getRoot();
        root.setAttributeNS(null, "viewBox", "0 0 " + size.width + " " + size.height);
        root.setAttributeNS(null, "role", "img");
        Element title = document.createElementNS(SVG, "title");
        title.setTextContent(Printable.of(figure.title()));
        root.insertBefore(title, root.getFirstChild());
        StringWriter writer = new StringWriter();
        g2.stream(root, writer, false, false);
        String text = writer.toString();
        return HEADER + valid(text.substring(text.indexOf("<svg")));
    }

    /** Replaces characters that XML cannot contain, and line ends, which Batik takes from the platform. */
    private static String valid(String text) {
        return NO_XML.matcher(text).replaceAll("\uFFFD").replace("\r\n", "\n").replace('\r', '\n');
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

    private static byte[] png(Figure figure, Figure.Frame frame) throws IOException {
        Dimension size = figure.size(frame);
        BufferedImage image = new BufferedImage(SCALE * size.width, SCALE * size.height, BufferedImage.TYPE_INT_RGB);
        Graphics2D g2 = image.createGraphics();
        g2.scale(SCALE, SCALE);
        figure.draw(g2, frame);
        g2.dispose();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        // Given a plain stream, ImageIO would go through a temporary file.
        try (MemoryCacheImageOutputStream stream = new MemoryCacheImageOutputStream(bytes)) {
            ImageIO.write(image, "png", stream);
        }
        return bytes.toByteArray();
    }

    private static byte[] pdf(Figure figure, Figure.Frame frame) throws IOException {
        Dimension size = figure.size(frame);
        PDRectangle page =
                new PDRectangle((float) (size.width * POINTS_PER_UNIT), (float) (size.height * POINTS_PER_UNIT));
        try (PDDocument document = new PDDocument()) {
            // Otherwise the document's identifier is made of the time.
            document.setDocumentId(0L);
            document.getDocumentInformation().setTitle(Printable.of(figure.title()));
            PDPage only = new PDPage(page);
            document.addPage(only);
            PdfBoxGraphics2D g2 = new PdfBoxGraphics2D(document, page);
            g2.setFontTextDrawer(new OutlinedText());
            g2.scale(POINTS_PER_UNIT, POINTS_PER_UNIT);
            figure.draw(g2, frame);
            g2.dispose();
            try (PDPageContentStream content = new PDPageContentStream(document, only)) {
                content.drawForm(g2.getXFormObject());
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            document.save(bytes);
            return bytes.toByteArray();
        }
    }

    private static final class OutlinedText extends PdfBoxGraphics2DFontTextDrawer {
        @Override
        public boolean canDrawText(AttributedCharacterIterator text, IFontTextDrawerEnv env) {
            return false;
        }
    }
}
