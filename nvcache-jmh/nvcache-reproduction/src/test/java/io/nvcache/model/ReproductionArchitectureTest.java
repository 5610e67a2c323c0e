// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model;

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
 *   model.cli
 *   model.figures
 *   model
 *   model.tier
 *   model.load
 *   model.machine
 * </pre>
 */
@AnalyzeClasses(packages = "io.nvcache.model", importOptions = ImportOption.DoNotIncludeTests.class)
class ReproductionArchitectureTest {
  @ArchTest
  static final ArchRule HAS_NO_CIRCLES =
      slices().matching("io.nvcache.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule MODEL_KNOWS_NO_COMMAND =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.nvcache.model.cli")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.nvcache.cli..", "io.nvcache.model.cli");

  @ArchTest
  static final ArchRule USES_THE_CACHE_FROM_OUTSIDE =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.nvcache.internal..");
}
