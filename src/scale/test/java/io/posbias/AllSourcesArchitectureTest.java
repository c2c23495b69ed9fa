package io.posbias;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTag;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;

/** The rules of {@link ArchitectureTest}, also for {@code src/scale}. */
@ArchTag("slow")
@AnalyzeClasses(packages = "io.posbias", importOptions = ImportOption.DoNotIncludeTests.class)
class AllSourcesArchitectureTest {
    @ArchTest
    static final ArchTests RULES = ArchTests.in(ArchitectureTest.class);
}
