// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JdkTest {
  @TempDir Path home;

  private Jdk withVersion(String version) throws IOException {
    Files.writeString(home.resolve("release"), "JAVA_VERSION=\"" + version + "\"\nOS_ARCH=\"x\"\n");
    return Jdk.at(home);
  }

  @Test
  void shouldReadItsVersionFromItsDirectory() throws IOException {
    assertThat(withVersion("17.0.19").feature()).isEqualTo(17);
    assertThat(withVersion("25").feature()).isEqualTo(25);
    assertThat(withVersion("25").java()).startsWith(home.toString()).endsWith("java");
    assertThat(Jdk.at(Jdk.current().home())).isEqualTo(Jdk.current());
  }

  @Test
  void shouldAllowNativeAccessOnlyWhereTheFlagsAreKnown() throws IOException {
    assertThat(withVersion("17.0.19").flags()).isEmpty();
    assertThat(withVersion("25").flags()).isNotEmpty().allMatch(Jdk::isOfSomeVersions);
    assertThat(Jdk.isOfSomeVersions("-XX:+UseParallelGC")).isFalse();
  }

  @Test
  void shouldNameADirectoryThatIsNoJdk() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Jdk.at(home.resolve("nowhere")))
        .withMessageContainingAll("--java-home", "nowhere", "release");
  }
}
