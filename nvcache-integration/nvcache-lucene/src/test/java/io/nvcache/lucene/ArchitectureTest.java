// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.belongToAnyOf;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The rooms of this module, and which other rooms each may use.
 *
 * <pre>
 *   lucene      what users name: the directory, the cache and its builder (all wiring)
 *      |    \
 *   reading  \      inputs, and the blocks that they are at
 *      |      |
 *   merges    |     what merges write, and the hot blocks that they carry over
 *      |      |
 *   loads     |     blocks on their way: reads of delegates, lookups in batches
 *      |      |
 *   files ----+     what a name means, its blocks, class and rules
 *
 *   remote          a directory over an object store: it sees no other room
 *   contracts of io.nvcache.lucene: rules, counts and what a delegate says; all may use them
 * </pre>
 */
@AnalyzeClasses(
    packages = "io.nvcache.lucene",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  private static final Class<?>[] CONTRACTS = {
    CacheRule.class, DelegateCounts.class, DescribedInput.class, FileClassCounts.class
  };

  @ArchTest
  static final ArchRule roomsUseOnlyTheRoomsBelow =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("reading")
          .definedBy("io.nvcache.lucene.reading")
          .layer("merges")
          .definedBy("io.nvcache.lucene.merges")
          .layer("loads")
          .definedBy("io.nvcache.lucene.loads")
          .layer("files")
          .definedBy("io.nvcache.lucene.files")
          .layer("remote")
          .definedBy("io.nvcache.lucene.remote")
          .whereLayer("reading")
          .mayOnlyAccessLayers("merges", "loads", "files")
          .whereLayer("merges")
          .mayOnlyAccessLayers("loads", "files")
          .whereLayer("loads")
          .mayOnlyAccessLayers("files")
          .whereLayer("files")
          .mayNotAccessAnyLayer()
          .whereLayer("remote")
          .mayNotAccessAnyLayer();

  @ArchTest
  static final ArchRule roomsKnowContractsAlone =
      noClasses()
          .that()
          .resideInAPackage("io.nvcache.lucene.*")
          .should()
          .dependOnClassesThat(
              resideInAPackage("io.nvcache.lucene").and(not(belongToAnyOf(CONTRACTS))));

  @ArchTest
  static final ArchRule contractsKnowNoRoom =
      classes()
          .that(belongToAnyOf(CONTRACTS))
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.nvcache", "io.nvcache.lucene", "java..", "org.apache.lucene..", "org.jspecify..");
}
