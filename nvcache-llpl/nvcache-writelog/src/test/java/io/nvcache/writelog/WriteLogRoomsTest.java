// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * The rooms of the write log, and which other rooms each may use.
 *
 * <pre>
 *   nio      recovery         the file systems and streams over a log  |  what a crash left
 *    |  \       |
 *    |   \      |
 *  weave  +--- log            the JDK's own classes  |  the engine of an open log
 *    |          |
 *  woven      pages  mapped   pages that only the log has  |  its file as memory
 *               |     /
 *             format          records, lanes, the table of files
 *               |
 *             disk            the file system below
 *
 *   The package above them all is what a program uses. It puts the parts together, and lends them
 *   the records and choices in which they speak to the program.
 * </pre>
 */
@AnalyzeClasses(
    packages = "io.nvcache.writelog",
    importOptions = ImportOption.DoNotIncludeTests.class)
class WriteLogRoomsTest {
  @ArchTest
  static final ArchRule ROOMS_USE_ONLY_THE_ROOMS_BELOW =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("nio")
          .definedBy("io.nvcache.writelog.nio")
          .layer("weave")
          .definedBy("io.nvcache.writelog.weave")
          .layer("woven")
          .definedBy("io.nvcache.writelog.woven")
          .layer("recovery")
          .definedBy("io.nvcache.writelog.recovery")
          .layer("log")
          .definedBy("io.nvcache.writelog.log")
          .layer("pages")
          .definedBy("io.nvcache.writelog.pages")
          .layer("mapped")
          .definedBy("io.nvcache.writelog.mapped")
          .layer("format")
          .definedBy("io.nvcache.writelog.format")
          .layer("disk")
          .definedBy("io.nvcache.writelog.disk")
          .whereLayer("nio")
          .mayOnlyAccessLayers("weave", "woven", "log", "disk")
          .whereLayer("weave")
          .mayOnlyAccessLayers("woven")
          .whereLayer("recovery")
          .mayOnlyAccessLayers("log", "pages", "format", "disk")
          .whereLayer("log")
          .mayOnlyAccessLayers("pages", "format", "disk")
          .whereLayer("pages")
          .mayOnlyAccessLayers("format", "disk")
          .whereLayer("mapped")
          .mayOnlyAccessLayers("format", "disk")
          .whereLayer("format")
          .mayOnlyAccessLayers("disk")
          .whereLayer("woven")
          .mayNotAccessAnyLayer()
          .whereLayer("disk")
          .mayNotAccessAnyLayer();

  @ArchTest
  static final ArchRule NO_ROOM_BELOW_NIO_KNOWS_THE_LOG_AS_A_WHOLE =
      noClasses()
          .that()
          .resideInAnyPackage(
              "io.nvcache.writelog.recovery",
              "io.nvcache.writelog.log",
              "io.nvcache.writelog.pages",
              "io.nvcache.writelog.mapped",
              "io.nvcache.writelog.format",
              "io.nvcache.writelog.disk")
          .should()
          .dependOnClassesThat()
          .belongToAnyOf(WriteLog.class, WriteLogBuilder.class);
}
