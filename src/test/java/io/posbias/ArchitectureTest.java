package io.posbias;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The house: data goes one way, dataset to retrieve to measure to report. */
@AnalyzeClasses(packages = "io.posbias", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    @ArchTest
    static final ArchRule DATA_GOES_ONE_WAY = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("hall")
            .definedBy("io.posbias")
            .layer("dataset")
            .definedBy("io.posbias.dataset..")
            .layer("position")
            .definedBy("io.posbias.position..")
            .layer("hub")
            .definedBy("io.posbias.hub..")
            .layer("encode")
            .definedBy("io.posbias.encode..")
            .layer("retrieve")
            .definedBy("io.posbias.retrieve..")
            .layer("probe")
            .definedBy("io.posbias.probe..")
            .layer("stats")
            .definedBy("io.posbias.stats..")
            .layer("measure")
            .definedBy("io.posbias.measure..")
            .layer("report")
            .definedBy("io.posbias.report..")
            .layer("gate")
            .definedBy("io.posbias.gate..")
            .layer("cli")
            .definedBy("io.posbias.cli..")
            .whereLayer("cli")
            .mayNotBeAccessedByAnyLayer()
            .whereLayer("gate")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("report")
            .mayOnlyBeAccessedByLayers("gate", "cli")
            .whereLayer("measure")
            .mayOnlyBeAccessedByLayers("report", "gate", "cli")
            .whereLayer("stats")
            .mayOnlyBeAccessedByLayers("measure", "report", "gate", "probe", "cli")
            .whereLayer("retrieve")
            .mayOnlyBeAccessedByLayers("measure", "cli")
            .whereLayer("encode")
            .mayOnlyBeAccessedByLayers("retrieve", "cli")
            .whereLayer("probe")
            .mayOnlyBeAccessedByLayers("report", "cli")
            .whereLayer("hub")
            .mayOnlyBeAccessedByLayers("cli")
            .whereLayer("position")
            .mayOnlyBeAccessedByLayers("measure", "report", "gate", "cli")
            .whereLayer("dataset")
            .mayOnlyBeAccessedByLayers("position", "hub", "probe", "retrieve", "measure", "report", "cli");

    @ArchTest
    static final ArchRule ROOMS_HAVE_NO_CYCLES =
            slices().matching("io.posbias.(*)..").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule THE_HALL_KNOWS_NO_ROOM = noClasses()
            .that()
            .resideInAPackage("io.posbias")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.posbias.(*)..");

    @ArchTest
    static final ArchRule ONLY_RETRIEVE_KNOWS_LUCENE = noClasses()
            .that()
            .resideOutsideOfPackages("io.posbias.retrieve..")
            .and()
            .doNotHaveFullyQualifiedName("io.posbias.cli.Environment")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("org.apache.lucene..");

    @ArchTest
    static final ArchRule ONLY_THE_HUB_AND_THE_APIS_TOUCH_THE_NETWORK = noClasses()
            .that()
            .resideOutsideOfPackages("io.posbias.hub..", "io.posbias.encode.api..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.net.http..");

    @ArchTest
    static final ArchRule THE_APIS_KNOW_ONLY_THE_HALL = classes()
            .that()
            .resideInAPackage("io.posbias.encode.api..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage("io.posbias.encode.api..", "io.posbias", "java..", "tools.jackson..", "org.jspecify..");

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
    static final ArchRule ONLY_PLOTS_KNOW_THE_CHART_LIBRARY = noClasses()
            .that()
            .resideOutsideOfPackage("io.posbias.report.plot..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.jfree..", "org.apache.batik..", "java.awt..", "javax.imageio..");

    @ArchTest
    static final ArchRule REPORTS_DO_NOT_KNOW_PLOTS = noClasses()
            .that()
            .resideInAPackage("io.posbias.report")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.posbias.report.plot..");

    @ArchTest
    static final ArchRule STATISTICS_ARE_ABOUT_NUMBERS = classes()
            .that()
            .resideInAPackage("io.posbias.stats..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(
                    "io.posbias.stats..", "io.posbias", "java..", "org.apache.commons.math3..", "org.jspecify..");
}
