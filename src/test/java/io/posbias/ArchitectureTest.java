package io.posbias;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.posbias.base.process.Session;
import io.posbias.base.table.Columns;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "io.posbias", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String HALL = "io.posbias";

    /** Data goes one way: what is further right may use what is further left, never the other way. */
    private static final List<String> ROOMS = List.of(
            "", // the hall
            "net",
            "stats",
            "table",
            "dataset",
            "position",
            "plot",
            "hub",
            "encode",
            "retrieve",
            "scale",
            "inside",
            "measure",
            "result",
            "evaluate",
            "probe",
            "diagnose",
            "report",
            "gate",
            "calibrate",
            "build",
            "experiment",
            "api",
            "cli");

    private static final int MOST_FILES = 45;

    private static final Pattern BY_CHANCE = Pattern.compile("\\$\\d{6,}");

    private static String room(JavaClass javaClass) {
        String below = javaClass.getPackageName().substring(HALL.length());
        return below.isEmpty() ? "" : below.substring(1).split("\\.", -1)[0];
    }

    @ArchTest
    static final ArchRule DATA_GOES_ONE_WAY = classes()
            .should(new ArchCondition<>("only use rooms that stand before their own in ROOMS") {
                @Override
                public void check(JavaClass user, ConditionEvents events) {
                    int own = ROOMS.indexOf(room(user));
                    if (own < 0) {
                        events.add(SimpleConditionEvent.violated(user, user.getName() + " is in no known room"));
                    }
                    user.getDirectDependenciesFromSelf().stream()
                            .filter(use -> use.getTargetClass().getPackageName().startsWith(HALL))
                            .filter(use -> ROOMS.indexOf(room(use.getTargetClass())) > own)
                            .forEach(use -> events.add(SimpleConditionEvent.violated(
                                    user,
                                    room(user) + " may not know " + room(use.getTargetClass()) + ": "
                                            + use.getDescription())));
                }
            });

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.posbias.(**)").should().beFreeOfCycles();

    /**
     * Java has no privacy for a room of several packages: these classes of a room's parts are for other rooms, all others
     * are public for their own room's sake only.
     */
    private static final Map<String, Set<String>> FOR_OTHER_ROOMS = Map.ofEntries(
            Map.entry("build.windows", Set.of("WindowedBenchmark")),
            Map.entry("build.llm", Set.of("ChatRole")),
            Map.entry("build.text", Set.of()),
            Map.entry(
                    "dataset.convert",
                    Set.of(
                            "BeirConverter",
                            "BeirInput",
                            "Catalog",
                            "CatalogEntry",
                            "Converter",
                            "DemoGenerator",
                            "GoldSentences",
                            "PosirConverter",
                            "PosirNames",
                            "PublishedFormat",
                            "PythonShuffle",
                            "Sampler",
                            "SquadConverter",
                            "SubsetConverter")),
            Map.entry(
                    "encode.api",
                    Set.of(
                            "ApiEncoder",
                            "ApiException",
                            "ApiMeter",
                            "ApiReranker",
                            "CachedChat",
                            "ChatReply",
                            "ChatSettings",
                            "EmbeddingSettings",
                            "RerankSettings",
                            "Sampling",
                            "TokenPrice")),
            Map.entry(
                    "encode.cache",
                    Set.of("CacheFolders", "CachedEncoder", "CachedScorer", "VectorCache", "VectorSource", "Vectors")),
            Map.entry("encode.check", Set.of("EncoderCheck", "SameVectors", "ScorerCheck", "TokenCheck")),
            Map.entry(
                    "encode.model",
                    Set.of(
                            "AttentionCalibration",
                            "CausalReranker",
                            "CrossEncoder",
                            "DenseEncoder",
                            "DenseSettings",
                            "GraphEncoder",
                            "GraphScorer",
                            "GraphSettings",
                            "InferredRecipe",
                            "ModelFolder",
                            "Pooling",
                            "TokenEncoder",
                            "TokenVectors")),
            Map.entry(
                    "encode.onnx",
                    Set.of(
                            "ModelFiles",
                            "ModelSource",
                            "OnnxGraph",
                            "LinearHead",
                            "ModelSize",
                            "OnnxRuntime",
                            "OnnxWeights",
                            "Safetensors",
                            "TextRows",
                            "TokenRow",
                            "Weight",
                            "TokenPlaces",
                            "Tokenizer",
                            "Tokens")),
            Map.entry("encode.worker", Set.of("WorkerEncoder", "WorkerScorer", "WorkerSettings")),
            Map.entry("probe.rag", Set.of("RagProbe", "RagPrompts", "RagResult", "RagSample", "RagTables")),
            Map.entry(
                    "probe.redocred",
                    Set.of("ColderImport", "ProbeFolder", "QuestionTemplates", "RedocredBenchmark", "RedocredProbes")),
            Map.entry("retrieve.strategy", Set.of("Strategy")),
            Map.entry("retrieve.text", Set.of("Terms")),
            Map.entry("retrieve.trec", Set.of("RunReader", "TrecRunWriter")),
            Map.entry("report.leaderboard", Set.of("Layout", "Leaderboard", "MtebFiles")),
            Map.entry("report.mitigate", Set.of("Advice", "Mitigation", "Mitigations")),
            Map.entry("report.page", Set.of("Drilldowns", "ResultPage", "SaliencyPage")),
            Map.entry("report.plot", Set.of("Plots")),
            Map.entry("report.profile", Set.of("ProfileTables")),
            Map.entry(
                    "report.query",
                    Set.of("Benchmarks", "QueryLookup", "QueryText", "Selected", "Selection", "ShownQuery")));

    @ArchTest
    static final ArchRule PARTS_KEEP_TO_THEIR_ROOM = classes()
            .should(new ArchCondition<>("use only those classes of other rooms' parts that are for other rooms") {
                @Override
                public void check(JavaClass user, ConditionEvents events) {
                    user.getDirectDependenciesFromSelf().stream()
                            .filter(use -> isPrivate(use.getTargetClass(), room(user)))
                            .forEach(use -> events.add(SimpleConditionEvent.violated(user, use.getDescription())));
                }
            });

    private static boolean isPrivate(JavaClass used, String user) {
        String name = used.getName();
        if (!name.startsWith(HALL + ".") || room(used).equals(user)) {
            return false;
        }
        String part = used.getPackageName().substring(HALL.length()).replaceFirst("^\\.", "");
        String outermost = name.substring(used.getPackageName().length() + 1).split("\\$", -1)[0];
        return part.contains(".")
                && !FOR_OTHER_ROOMS.getOrDefault(part, Set.of()).contains(outermost);
    }

    @ArchTest
    static void noPackageIsTooBig(JavaClasses all) {
        Map<String, Long> files = all.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        assertThat(files).allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_FILES));
    }

    @ArchTest
    static final ArchRule ONLY_RETRIEVE_KNOWS_LUCENE = noClasses()
            .that()
            .resideOutsideOfPackages("io.posbias.model.retrieve..")
            .and()
            .doNotHaveFullyQualifiedName("io.posbias.score.evaluate.Environment")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.lucene..");

    @ArchTest
    static final ArchRule ONLY_SCALE_KNOWS_SPARK = noClasses()
            .that()
            .resideOutsideOfPackage("io.posbias.model.scale..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.spark..", "org.apache.hadoop..", "scala..");

    /** Commands print to picocli's writer, whose errors end them. */
    @ArchTest
    static final ArchRule ONLY_MAIN_PRINTS = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.posbias.cli.Main")
            .should()
            .accessField(System.class, "out");

    @ArchTest
    static final ArchRule ONE_ROOM_SENDS_REQUESTS = noClasses()
            .that()
            .resideOutsideOfPackage("io.posbias.base.net..")
            .and()
            // It reads libraries out of the program's own jars.
            .doNotHaveFullyQualifiedName("io.posbias.base.jars.NativeLibraries")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..")
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.net.URLConnection.class)
            .orShould()
            .dependOnClassesThat()
            .areAssignableTo(java.net.Socket.class);

    @ArchTest
    static final ArchRule MODELS_KNOW_ONLY_TEXTS = noClasses()
            .that()
            .resideInAPackage("io.posbias.model.encode..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.posbias.data.dataset..", "io.posbias.model.hub..", "io.posbias.data.position..");

    @ArchTest
    static final ArchRule ONLY_THE_FRONT_DOOR_PRINTS = noClasses()
            .that()
            .resideOutsideOfPackage("io.posbias.cli..")
            .should()
            .accessField(System.class, "out")
            .orShould()
            .accessField(System.class, "err")
            .orShould()
            .dependOnClassesThat()
            .resideInAPackage("picocli..");

    @ArchTest
    static final ArchRule ONLY_THE_FRONT_DOOR_READS_THE_ENVIRONMENT = noClasses()
            .that()
            .doNotHaveFullyQualifiedName("io.posbias.cli.common.Terminal")
            .and()
            .doNotHaveFullyQualifiedName("io.posbias.api.Posbias")
            .should()
            .callMethod(System.class, "getenv")
            .orShould()
            .callMethod(System.class, "getenv", String.class);

    @ArchTest
    static final ArchRule THE_FRONT_DOOR_HOLDS_COMMANDS_AND_OPTIONS = classes()
            .that()
            .resideInAPackage("io.posbias.cli..")
            .and()
            .areTopLevelClasses()
            .should()
            .haveNameMatching(
                    ".*(Command|Options?|Names)|.*\\.(Main|BaseCommand|Group|Terminal|TableLook|ProgressLines|UsageErrors|Format|Checks"
                            + "|StandardOutput|Heading|HelpSections|Least|BelongsTo|Checked|package-info)");

    @ArchTest
    static final ArchRule ONLY_PLOTS_KNOW_THE_CHART_LIBRARY = noClasses()
            .that()
            .resideOutsideOfPackages("io.posbias.base.plot..", "io.posbias.report.plot..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "org.jfree..",
                    "org.apache.batik..",
                    "org.apache.pdfbox..",
                    "de.rototor..",
                    "java.awt..",
                    "javax.imageio..");

    @ArchTest
    static final ArchRule STATISTICS_ARE_ABOUT_NUMBERS = classes()
            .that()
            .resideInAPackage("io.posbias.base.stats..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.posbias.base.stats..",
                    "io.posbias",
                    "java..",
                    "org.apache.commons.math3..",
                    "org.jspecify..",
                    "com.fasterxml.jackson.annotation..");

    /** What changes belongs to an object that is passed on, above all {@link Session}: a process may have several. */
    @ArchTest
    static void noStaticFieldChanges(JavaClasses all) {
        assertThat(all.stream()
                        .flatMap(javaClass -> javaClass.getFields().stream())
                        .filter(field -> field.getModifiers().contains(JavaModifier.STATIC))
                        .filter(ArchitectureTest::changes)
                        // Until its layouts are files: docs/adr/0040-one-session.md.
                        .filter(field -> !field.getOwner().getPackageName().equals("io.posbias.report.leaderboard"))
                        .map(JavaField::getFullName))
                .isEmpty();
    }

    private static boolean changes(JavaField field) {
        JavaClass type = field.getRawType();
        return isSet(field)
                || type.getPackageName().startsWith("java.util.concurrent")
                || Stream.of(ThreadLocal.class, Appendable.class, BitSet.class).anyMatch(type::isAssignableTo)
                || hasState(type)
                || (Stream.of(Collection.class, Map.class).anyMatch(type::isAssignableTo) && isMutable(field));
    }

    private static boolean isSet(JavaField field) {
        return !field.getModifiers().contains(JavaModifier.FINAL);
    }

    /** A type of ours whose objects change, except for columns, which only the expression that makes them changes. */
    private static boolean hasState(JavaClass type) {
        return !type.isEquivalentTo(Columns.class)
                && type.getAllFields().stream()
                        .filter(own -> own.getOwner().getName().startsWith(HALL))
                        .anyMatch(own -> !own.getModifiers().contains(JavaModifier.STATIC) && isSet(own));
    }

    /** Java has no type for collections that cannot change: the value is looked at. */
    private static boolean isMutable(JavaField field) {
        try {
            Field reflected = field.reflect();
            reflected.setAccessible(true);
            Object value = reflected.get(null);
            if (value instanceof Map<?, ?> map) {
                return !refuses(map::clear);
            }
            return value instanceof Collection<?> collection && !refuses(collection::clear);
        } catch (IllegalAccessException closed) {
            throw new IllegalStateException(closed);
        }
    }

    private static boolean refuses(Runnable change) {
        try {
            change.run();
            return false;
        } catch (UnsupportedOperationException refused) {
            return true;
        }
    }

    /**
     * An element of an array of boxed numbers that is counted up ({@code counts[i]++}) gives local variables that javac names
     * after a hash code, another one in each build: what is released would not be the same bytes twice.
     */
    @ArchTest
    static void noClassDiffersFromBuildToBuild(JavaClasses all) {
        assertThat(all.stream().filter(ArchitectureTest::namesVariablesByChance).map(JavaClass::getName))
                .isEmpty();
    }

    private static boolean namesVariablesByChance(JavaClass javaClass) {
        try (InputStream in =
                javaClass.getSource().orElseThrow().getUri().toURL().openStream()) {
            return BY_CHANCE
                    .matcher(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
                    .find();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
