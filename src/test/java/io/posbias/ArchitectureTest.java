package io.posbias;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
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
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

@AnalyzeClasses(packages = "io.posbias", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String HALL = "io.posbias";

    /** Data goes one way: what is further right may use what is further left, never the other way. */
    private static final List<String> WINGS =
            List.of("base", "fetch", "data", "rank", "score", "report", "model", "run", "study", "cli", "api");

    private static final int MOST_FILES = 45;

    /** A file in a circle is understood only with all others of it. */
    private static final int MOST_IN_A_CIRCLE = 8;

    /** Commands that read what is stored: they load no model, and nothing that runs one. */
    private static final Set<String> READERS =
            Set.of("GateCommand", "CompareCommand", "PoolCommand", "CorrelateCommand", "PlanCommand");

    private static final Pattern BY_CHANCE = Pattern.compile("\\$\\d{6,}");

    /** The parts of a package's name behind the house's own: wing, room, part of the room. */
    private static List<String> places(JavaClass javaClass) {
        String below = javaClass.getPackageName().substring(HALL.length());
        return below.isEmpty() ? List.of("") : List.of(below.substring(1).split("\\.", -1));
    }

    private static String wing(JavaClass javaClass) {
        return places(javaClass).getFirst();
    }

    /** A wing's own classes are in the room without a name; the commands are one room. */
    private static String room(JavaClass javaClass) {
        List<String> places = places(javaClass);
        return places.size() < 2 || places.getFirst().equals("cli") ? "" : places.get(1);
    }

    private static Stream<Dependency> uses(JavaClass user) {
        return user.getDirectDependenciesFromSelf().stream()
                .filter(use -> use.getTargetClass().getPackageName().startsWith(HALL));
    }

    @ArchTest
    static final ArchRule DATA_GOES_ONE_WAY = classes().should(keepOrder("wings", WINGS, ArchitectureTest::wing));

    @ArchTest
    static final ArchRule BASE = rooms("base", "text", "process", "files", "json", "net", "stats", "table", "plot");

    @ArchTest
    static final ArchRule FETCH = rooms("fetch", "jars", "hub");

    @ArchTest
    static final ArchRule DATA = rooms("data", "input", "dataset", "position", "convert", "named");

    @ArchTest
    static final ArchRule RANK = rooms("rank", "", "trec");

    @ArchTest
    static final ArchRule SCORE = rooms("score", "measure", "result", "position", "over", "gate", "plan");

    @ArchTest
    static final ArchRule REPORT = rooms("report", "mitigate", "profile", "leaderboard", "", "plot", "query", "page");

    @ArchTest
    static final ArchRule MODEL = rooms("model", "encode", "chat", "retrieve", "strategy", "scale", "inside", "store");

    @ArchTest
    static final ArchRule RUN = rooms("run", "", "placing", "experiment", "check");

    @ArchTest
    static final ArchRule STUDY = rooms("study", "build", "annotate", "probe", "diagnose", "calibrate");

    private static ArchRule rooms(String wing, String... rooms) {
        return classes()
                .that()
                .resideInAPackage(HALL + "." + wing + "..")
                .should(keepOrder(
                        "rooms of " + wing,
                        List.of(rooms),
                        javaClass -> wing(javaClass).equals(wing) ? room(javaClass) : rooms[0]));
    }

    private static ArchCondition<JavaClass> keepOrder(
            String what, List<String> order, Function<JavaClass, String> place) {
        return new ArchCondition<>("only use what stands before them in the order of " + what) {
            @Override
            public void check(JavaClass user, ConditionEvents events) {
                int own = order.indexOf(place.apply(user));
                if (own < 0 && !user.getSimpleName().equals("package-info")) {
                    events.add(SimpleConditionEvent.violated(user, user.getName() + " is in none of the " + what));
                }
                uses(user)
                        .filter(use -> order.indexOf(place.apply(use.getTargetClass())) > own)
                        .forEach(use -> events.add(SimpleConditionEvent.violated(user, use.getDescription())));
            }
        };
    }

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("io.posbias.(**)").should().beFreeOfCycles();

    /**
     * Java has no privacy for a room of several packages, nor for a wing: these classes of a room's parts are for other
     * rooms, and these of rooms for other wings; all others there are public for their own sake only.
     */
    private static final Map<String, Set<String>> FOR_OTHER_ROOMS = Map.ofEntries(
            Map.entry("build.windows", Set.of("WindowedBenchmark")),
            Map.entry("build.llm", Set.of("ChatRole")),
            Map.entry("build.text", Set.of("BoundedDraw", "Draw")),
            Map.entry(
                    "data.convert",
                    Set.of(
                            "BeirConverter",
                            "BeirInput",
                            "Catalog",
                            "CatalogEntry",
                            "OwnData",
                            "Converter",
                            "DemoGenerator",
                            "GoldSentences",
                            "PosirConverter",
                            "PosirNames",
                            "PublishedFormat",
                            "PythonShuffle",
                            "Reading",
                            "Sampler",
                            "SquadConverter",
                            "SubsetConverter")),
            Map.entry(
                    "encode.api",
                    Set.of(
                            "ApiEncoder",
                            "ApiException",
                            "ApiConnection",
                            "ApiMeter",
                            "ApiReranker",
                            "ApiSettings",
                            "ConfiguredIn",
                            "EmbeddingSettings",
                            "Reply",
                            "RerankSettings",
                            "Service",
                            "Texts",
                            "TokenPrice",
                            "Usage")),
            Map.entry(
                    "encode.cache",
                    Set.of("CacheFolders", "CachedEncoder", "CachedScorer", "VectorCache", "VectorSource", "Vectors")),
            Map.entry("encode.check", Set.of("EncoderCheck", "SameVectors", "ScorerCheck", "TokenCheck")),
            Map.entry(
                    "encode.model",
                    Set.of(
                            "CausalReranker",
                            "CrossEncoder",
                            "DenseEncoder",
                            "DraftRecipe",
                            "DenseSettings",
                            "GraphEncoder",
                            "GraphScorer",
                            "GraphSettings",
                            "InferredRecipe",
                            "Kind",
                            "KnownModel",
                            "ModelFolder",
                            "Pooling",
                            "TokenEncoder",
                            "TokenVectors")),
            Map.entry(
                    "encode.onnx",
                    Set.of(
                            // A kind of retriever with a graph or a table is one file, also in another jar.
                            "FileSettings",
                            "OnnxModel",
                            "OnnxSettings",
                            "Precision",
                            "RowReader",
                            "Template",
                            "TokenBatch",
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
            Map.entry(
                    "encode.worker",
                    Set.of(
                            "Python",
                            "WorkerEncoder",
                            "WorkerInside",
                            "WorkerScorer",
                            "WorkerSettings",
                            "WorkerTraining")),
            Map.entry(
                    "probe.rag",
                    Set.of(
                            "RagProbe",
                            "RagPrompts",
                            "RagResult",
                            "RagSample",
                            "RagTables",
                            "PositionAnswers",
                            "PositionAnswersTables",
                            "PositionCalls",
                            "PositionQuestions",
                            "PositionStudy",
                            "PromptPlace")),
            Map.entry(
                    "probe.redocred",
                    Set.of("ColderImport", "ProbeFolder", "QuestionTemplates", "RedocredBenchmark", "RedocredProbes")),
            Map.entry("model.strategy", Set.of("Strategy")),
            Map.entry("retrieve.text", Set.of("Terms", "UnspacedWords")),
            Map.entry("rank.trec", Set.of("RunReader", "TrecRunWriter")),
            Map.entry("report.leaderboard", Set.of("Layout", "Leaderboard", "MtebFiles", "PairwiseTests")),
            Map.entry("report.mitigate", Set.of("Advice", "Mitigation", "Mitigations")),
            Map.entry("report.page", Set.of("Badge", "Drilldowns", "Html", "ResultPage", "TextsPage")),
            Map.entry("report.plot", Set.of("Plots")),
            Map.entry("report.profile", Set.of("BlindRow", "CommandWords", "ProfileTables", "ProfileValues", "Strip")),
            Map.entry("run.check", Set.of("Finding", "PositionCheck", "SampleDraw")),
            Map.entry(
                    "report.query",
                    Set.of("Benchmarks", "QueryLookup", "QueryText", "Selected", "Selection", "ShownQuery")));

    @ArchTest
    static final ArchRule PARTS_KEEP_TO_THEIR_ROOM = classes()
            .should(new ArchCondition<>("use only those classes of other rooms' parts that are for other rooms") {
                @Override
                public void check(JavaClass user, ConditionEvents events) {
                    uses(user)
                            .filter(use -> isPrivate(use.getTargetClass(), user))
                            .forEach(use -> events.add(SimpleConditionEvent.violated(user, use.getDescription())));
                }
            });

    private static boolean isPrivate(JavaClass type, JavaClass user) {
        JavaClass used = type.getBaseComponentType();
        List<String> places = places(used);
        boolean isPart = places.size() > 2;
        if (wing(used).equals(wing(user)) && (!isPart || room(used).equals(room(user)))) {
            return false;
        }
        Set<String> open = FOR_OTHER_ROOMS.get(String.join(".", isPart ? places.subList(1, places.size()) : places));
        String outermost =
                used.getName().substring(used.getPackageName().length() + 1).split("\\$", -1)[0];
        return open == null ? isPart : !open.contains(outermost);
    }

    private static String file(JavaClass javaClass) {
        return javaClass.getBaseComponentType().getName().split("\\$", -1)[0];
    }

    /** The files of ours that each file uses, directly or through others. */
    private static Map<String, Set<String>> reach(JavaClasses all) {
        Map<String, Set<String>> uses = new TreeMap<>();
        for (JavaClass user : all) {
            Set<String> used = uses.computeIfAbsent(file(user), file -> new TreeSet<>());
            uses(user).map(use -> file(use.getTargetClass())).forEach(used::add);
        }
        Map<String, Set<String>> reach = new TreeMap<>();
        uses.keySet().forEach(start -> {
            Set<String> seen = new HashSet<>();
            Deque<String> next = new ArrayDeque<>(uses.get(start));
            while (!next.isEmpty()) {
                String file = next.pop();
                if (seen.add(file)) {
                    next.addAll(uses.getOrDefault(file, Set.of()));
                }
            }
            reach.put(start, seen);
        });
        return reach;
    }

    @ArchTest
    static void noCircleIsTooBig(JavaClasses all) {
        Map<String, Set<String>> reach = reach(all);
        assertThat(reach.entrySet().stream()
                        .map(file -> file.getValue().stream()
                                .filter(other ->
                                        reach.getOrDefault(other, Set.of()).contains(file.getKey()))
                                .sorted()
                                .toList())
                        .filter(circle -> circle.size() > MOST_IN_A_CIRCLE)
                        .distinct())
                .isEmpty();
    }

    @ArchTest
    static void readersOfResultsLoadNoModel(JavaClasses all) {
        Map<String, Set<String>> reach = reach(all);
        READERS.forEach(command -> assertThat(reach.getOrDefault(HALL + ".cli." + command, Set.of()))
                .as(command)
                .isNotEmpty()
                .noneMatch(file ->
                        Stream.of("model", "run", "study").anyMatch(wing -> file.startsWith(HALL + "." + wing + "."))));
    }

    @ArchTest
    static void noPackageIsTooBig(JavaClasses all) {
        Map<String, Long> files = all.stream()
                .filter(JavaClass::isTopLevelClass)
                .collect(Collectors.groupingBy(JavaClass::getPackageName, TreeMap::new, Collectors.counting()));
        assertThat(files).allSatisfy((name, count) -> assertThat(count).as(name).isLessThanOrEqualTo(MOST_FILES));
    }

    @ArchTest
    static final ArchRule ONLY_RANKING_KNOWS_LUCENE = noClasses()
            .that()
            .resideOutsideOfPackages("io.posbias.rank..", "io.posbias.model.retrieve..")
            .and()
            .doNotHaveFullyQualifiedName("io.posbias.score.result.Environment")
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
            .doNotHaveFullyQualifiedName("io.posbias.fetch.jars.NativeLibraries")
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
            .resideInAnyPackage("io.posbias.data.dataset..", "io.posbias.fetch.hub..", "io.posbias.data.position..");

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
            // PDF documents are read, too.
            .resideOutsideOfPackages("io.posbias.base.plot..", "io.posbias.report.plot..", "io.posbias.data.input..")
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
                    "io.posbias.base.process",
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
