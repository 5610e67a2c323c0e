// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The packages of this module, and those of all modules below it. */
@AnalyzeClasses(
    packages = {"io.nvcache"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class BenchArchitectureTest {
  @ArchTest
  static void shouldHaveNoCircles(JavaClasses classes) {
    slices()
        .matching("io.nvcache.(**)")
        .should()
        .beFreeOfCycles()
        .check(classes.that(resideInAnyPackage("io.nvcache.bench..", "io.nvcache.stress")));
  }

  /** A package in two modules would keep both from ever becoming modules of Java. */
  @ArchTest
  static void shouldHaveEachPackageInOneModule(JavaClasses classes) {
    Map<String, Set<String>> places = new TreeMap<>();
    for (JavaClass type : classes) {
      String uri = type.getSource().orElseThrow().getUri().toString();
      String place = uri.substring(0, uri.lastIndexOf("io/nvcache/"));
      if (!place.contains("tests.jar") && !place.contains("test-classes")) {
        places.computeIfAbsent(type.getPackageName(), name -> new TreeSet<>()).add(place);
      }
    }
    assertThat(places).hasSizeGreaterThan(20);
    assertThat(places).allSatisfy((name, in) -> assertThat(in).as(name).hasSize(1));
  }
}
