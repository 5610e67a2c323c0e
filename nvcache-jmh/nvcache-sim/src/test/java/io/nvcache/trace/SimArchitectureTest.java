// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * What stands on what:
 *
 * <pre>
 *   calibrate, trace.replay
 *   trace
 *   device, rivals
 *   report, progress: of no feature
 * </pre>
 */
@AnalyzeClasses(
    packages = {
      "io.nvcache.calibrate",
      "io.nvcache.device",
      "io.nvcache.progress",
      "io.nvcache.report",
      "io.nvcache.rivals",
      "io.nvcache.trace"
    },
    importOptions = ImportOption.DoNotIncludeTests.class)
class SimArchitectureTest {
  @ArchTest
  static final ArchRule HAS_NO_CIRCLES =
      slices().matching("io.nvcache.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule KIT_KNOWS_NO_FEATURE =
      noClasses()
          .that()
          .resideInAnyPackage("io.nvcache.report..", "io.nvcache.progress")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.nvcache.calibrate", "io.nvcache.device", "io.nvcache.rivals", "io.nvcache.trace");

  @ArchTest
  static final ArchRule USES_THE_CACHE_FROM_OUTSIDE =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.nvcache.internal..");
}
