// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nvcache.medium.Durability;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** All that a log does, written by PMDK, with the grade that the memory has. */
@EnabledIf("io.nvcache.writelog.Pmdk#isRun")
class PmdkWriteLogTest extends WriteLogTest {
  @Override
  WriteLogBuilder builder(Path log) {
    return super.builder(log).persistence(Persistence.PMDK).require(Durability.PROCESS_CRASH);
  }

  @Override
  boolean absorbsForce() {
    return isOnPersistentMemory();
  }

  private boolean isOnPersistentMemory() {
    try (WriteLog open =
        WriteLog.builder(directory.resolve("probe"))
            .root(root())
            .persistence(Persistence.SYNC_MAPPING)
            .open()) {
      return open.grade() == Durability.POWER_FAIL;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void shouldPromiseNoMoreThanTheMemoryKeeps() throws IOException {
    assumeTrue(!isOnPersistentMemory());
    assertThatThrownBy(() -> builder(log()).require(Durability.POWER_FAIL).open())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("survives PROCESS_CRASH as PMDK");
    assertThat(Files.exists(log())).isFalse();
  }
}
