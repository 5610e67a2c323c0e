// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the program may use: neither hosts nor peers nor the modules that add commands to it. */
@AnalyzeClasses(
    packages = {"io.nvcache.cli", "io.nvcache.remote"},
    importOptions = ImportOption.DoNotIncludeTests.class)
class CliArchitectureTest {
  /** Beginnings of the names of jars and folders that an operator must not need. */
  private static final Pattern HOSTS_AND_PEERS =
      Pattern.compile(
          "(hbase|hadoop|cassandra|ehcache|chronicle-map|ohc|jmh|core-0|ycsb|zookeeper|netty)[^/]*"
              + "|.*nvcache-(hbase|cassandra|ycsb|bench|reproduction)/.*");

  @ArchTest
  static final ArchRule KIT_AND_CONNECTION_KNOW_NO_COMMAND =
      noClasses()
          .that()
          .resideInAnyPackage("io.nvcache.cli.kit", "io.nvcache.remote")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.nvcache.cli");

  @Test
  void shouldRunWithoutHostsAndPeers() {
    List<String> entries =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
            .map(entry -> entry.endsWith(".jar") ? Path.of(entry).getFileName().toString() : entry)
            .toList();

    assertThat(entries).anyMatch(entry -> entry.startsWith("picocli"));
    assertThat(entries).noneMatch(entry -> HOSTS_AND_PEERS.matcher(entry).matches());
  }
}
