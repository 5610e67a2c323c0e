// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.control.CacheEvent;
import io.nvcache.control.Condition;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.FlashMedium;
import io.nvcache.medium.Medium;
import io.nvcache.medium.NativeMedium;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That a cache on the drive of the store's own files says so. */
final class NoGainTest {
  @TempDir private Path directory;

  private static BlockCache over(Medium medium) {
    return BlockCache.builder().medium(medium).maxBlockBytes(4096).maintainedByCaller().build();
  }

  @Test
  void shouldWarnOnceOfTheStoresOwnDrive() throws Exception {
    Medium medium = FlashMedium.create(directory.resolve("cache"), 1 << 20);
    List<CacheEvent> events = new ArrayList<>();
    try (BlockCache cache = over(medium)) {
      cache.control().addListener(events::add);
      cache.control().addStoreDirectory(Path.of("/proc"));
      assertThat(cache.control().conditions()).isEmpty();
      cache.control().addStoreDirectory(directory.resolve("not/yet"));
      cache.control().addStoreDirectory(directory);
      assertThat(events).hasSize(1);
      assertThat(events.get(0).begun()).isTrue();
      assertThat(cache.control().conditions()).containsOnlyKeys(Condition.NO_GAIN);
      assertThat(cache.control().conditions().get(Condition.NO_GAIN))
          .contains(directory.resolve("not/yet").toString())
          .contains(directory.resolve("cache").toString());
    }
  }

  @Test
  void shouldSayNothingOfMemory() {
    try (BlockCache cache = over(NativeMedium.allocate(1 << 20))) {
      cache.control().addStoreDirectory(directory);
      assertThat(cache.control().conditions()).isEmpty();
      assertThatThrownBy(() -> cache.control().addStoreDirectory(null))
          .isInstanceOf(NullPointerException.class);
    }
  }

  @Test
  void shouldBearAMediumThatDoesNotKnowItsPlace() {
    Medium medium =
        new FaultyMedium(NativeMedium.allocate(1 << 20)) {
          @Override
          public Optional<Path> path() {
            throw new IllegalStateException("for the test");
          }
        };
    try (BlockCache cache = over(medium)) {
      cache.control().addStoreDirectory(directory);
      assertThat(cache.control().conditions()).isEmpty();
    }
  }
}
