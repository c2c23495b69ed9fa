package io.posbias.data.input;

import io.posbias.base.files.Pointers;
import io.posbias.base.json.BadInputException;
import io.posbias.base.json.Location;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/**
 * Text of a document: {@code .html}, {@code .pdf} or {@code .docx}. Paragraphs are separated by an empty line.
 */
public final class DocumentText {
    public static final Pattern KIND = Pattern.compile("(?is).*\\.(html?|pdf|docx)");

    private static final long MOST_BYTES = 200_000_000;
    private static final int MOST_PAGES = 5_000;
    private static final String PARAGRAPH = "\n\n";
    /** Ends a block of HTML, whose white space is not part of the text. */
    private static final char BLOCK = '\u2029';

    /** Elements of HTML that are not the text of a page. */
    private static final String AROUND = "script, style, noscript, template, nav, svg, form, head";

    private DocumentText() {}

    /**
     * Returns the text; blank for a document without one, as a scan is.
     *
     * @throws BadInputException if the file is broken, encrypted or too large
     */
    public static String of(Path file) {
        try {
            return read(file).strip();
        } catch (IOException | XMLStreamException problem) {
            String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
            String kind = name.substring(name.lastIndexOf('.') + 1);
            throw new BadInputException(
                    Location.of(file),
                    "cannot be read as " + kind + ": " + problem.getMessage(),
                    "save it again, or as text",
                    problem);
        }
    }

    private static String read(Path file) throws IOException, XMLStreamException {
        String name = file.toString().toLowerCase(Locale.ROOT);
        if (Files.size(file) > MOST_BYTES) {
            throw new BadInputException(
                    Location.of(file), "has " + Files.size(file) + " bytes", "a document has at most " + MOST_BYTES);
        }
        if (name.endsWith(".pdf") || name.endsWith(".docx")) {
            Pointers.refuse(file);
            return name.endsWith(".pdf") ? pdf(file) : docx(file);
        }
        return html(file);
    }

    private static String html(Path file) throws IOException {
        Document page = Jsoup.parse(file.toFile());
        page.select(AROUND).remove();
        for (Element element : page.select("body *")) {
            if (element.isBlock()) {
                element.before(new TextNode(String.valueOf(BLOCK))).appendText(String.valueOf(BLOCK));
            }
        }
        return Arrays.stream(page.body().text().split(String.valueOf(BLOCK)))
                .map(String::strip)
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(PARAGRAPH));
    }

    private static String pdf(Path file) throws IOException {
        try (PDDocument document = Loader.loadPDF(file.toFile())) {
            if (document.getNumberOfPages() > MOST_PAGES) {
                throw new BadInputException(
                        Location.of(file),
                        "has " + document.getNumberOfPages() + " pages",
                        "a document has at most " + MOST_PAGES);
            }
            PDFTextStripper stripper = new PDFTextStripper();
            stripper.setLineSeparator("\n");
            stripper.setParagraphEnd(PARAGRAPH);
            return stripper.getText(document)
                    .replaceAll("(?<=\\p{L})[-\u00AD]\\n(?=\\p{Ll})", "")
                    .replaceAll("(?<!\\n)\\n(?!\\n)", " ")
                    .replaceAll("\\s*\\n\\s*\\n\\s*", PARAGRAPH);
        } catch (BadInputException said) {
            throw said;
        } catch (RuntimeException | LinkageError broken) {
            // Broken files end in many ways, encrypted ones for lack of a library.
            throw new IOException(broken.toString(), broken);
        }
    }

    /** Reads the paragraphs of Word's body: no external entities, no document types, no deleted text. */
    private static String docx(Path file) throws IOException, XMLStreamException {
        XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
        StringBuilder text = new StringBuilder();
        try (ZipFile zip = new ZipFile(file.toFile())) {
            ZipEntry body = zip.getEntry("word/document.xml");
            if (body == null) {
                throw new IOException("it has no word/document.xml");
            }
            UnpackLimit limit = new UnpackLimit(file, "text");
            try (InputStream in = new Limited(zip.getInputStream(body), limit)) {
                XMLStreamReader xml = factory.createXMLStreamReader(in);
                for (int event = xml.next(); event != XMLStreamConstants.END_DOCUMENT; event = xml.next()) {
                    String name = xml.isStartElement() || xml.isEndElement() ? xml.getLocalName() : "";
                    if (xml.isStartElement() && name.equals("t")) {
                        text.append(xml.getElementText());
                    } else if (xml.isStartElement() && (name.equals("tab") || name.equals("br") || name.equals("cr"))) {
                        text.append(' ');
                    } else if (xml.isStartElement() && name.equals("Fallback")) {
                        skip(xml);
                    } else if (xml.isEndElement() && name.equals("p")) {
                        text.append(PARAGRAPH);
                    }
                }
            }
        }
        return text.toString();
    }

    /** Skips an element that repeats the text of another one. */
    private static void skip(XMLStreamReader xml) throws XMLStreamException {
        for (int depth = 1; depth > 0; ) {
            int event = xml.next();
            depth += event == XMLStreamConstants.START_ELEMENT ? 1 : event == XMLStreamConstants.END_ELEMENT ? -1 : 0;
        }
    }

    private static final class Limited extends FilterInputStream {
        private final UnpackLimit limit;

        Limited(InputStream in, UnpackLimit limit) {
            super(in);
            this.limit = limit;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            limit.take(Math.max(read, 0));
            return read;
        }
    }
}
