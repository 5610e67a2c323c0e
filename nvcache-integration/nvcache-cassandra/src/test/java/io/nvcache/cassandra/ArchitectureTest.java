// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which class loader finds what. */
@AnalyzeClasses(
    packages = "io.nvcache.cassandra",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  /** These are loaded with Cassandra's classes, where none of ours and no library is to be seen. */
  @ArchTest
  static final ArchRule WHAT_CASSANDRA_SEES_NEEDS_THE_JDK_ONLY =
      classes()
          .that()
          .resideInAPackage("io.nvcache.cassandra.agent")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("io.nvcache.cassandra.agent", "java..", "org.jspecify..");

  /** The advice is copied into Cassandra's classes, which see nothing else of ours. */
  @ArchTest
  static final ArchRule ADVICE_CALLS_WHAT_CASSANDRA_SEES =
      classes()
          .that()
          .haveSimpleName("TagOnOpen")
          .or()
          .haveSimpleNameStartingWith("Follow")
          .or()
          .haveSimpleName("ReadThrough")
          .or()
          .haveSimpleName("ReleaseOnTidy")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "io.nvcache.cassandra.agent",
              "org.apache.cassandra..",
              "net.bytebuddy..",
              "java..",
              "org.jspecify..");

  @ArchTest
  static final ArchRule ONLY_THE_WEAVING_KNOWS_BYTE_BUDDY =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.nvcache.cassandra.weave")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("net.bytebuddy..");

  /** Logging must not start before Cassandra has set it up; NodeLog knows when that is. */
  @ArchTest
  static final ArchRule ONLY_ONE_CLASS_LOGS =
      noClasses()
          .that()
          .doNotHaveSimpleName("NodeLog")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.slf4j..");
}
