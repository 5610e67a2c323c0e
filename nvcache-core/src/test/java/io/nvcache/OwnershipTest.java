// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPresets;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.medium.CloseAction;
import io.nvcache.medium.Durability;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.MappedFileMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.testing.ChildJvm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Media and policies belong to one cache from its building on, and what a cache hands out ends with
 * it: each misuse is an exception and neither the JVM's end nor another cache's loss.
 */
final class OwnershipTest {
  private static final String OTHERS =
      "IllegalStateException: this %s belongs to another cache; make a new one for each";
  private static final String ENDED =
      "IllegalStateException: this %s belonged to a cache that is closed; make a new one";
  private static final String HELD =
      "IllegalStateException: this %s belongs to a cache, which closes it; close the cache instead";

  @TempDir Path directory;

  private String run(String scene, String... arguments) throws Exception {
    String[] all = new String[2 + arguments.length];
    all[0] = scene;
    all[1] = directory.toString();
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    return ChildJvm.run(OwnershipFaults.class, all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "encrypted"})
  void shouldGiveAMediumToOneCacheOnly(String kind) throws Exception {
    assertThat(run("mediumTwice", kind)).contains(OTHERS.formatted("medium") + " right 100");
    assertThat(run("mediumAgain", kind)).contains(ENDED.formatted("medium"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped", "encrypted"})
  void shouldNotCloseAMediumUnderItsCache(String kind) throws Exception {
    assertThat(run("mediumClosedUnder", kind))
        .contains(HELD.formatted("medium") + " right 100, then done");
  }

  @ParameterizedTest
  @ValueSource(strings = {"native", "mapped"})
  void shouldTellThatAMediumIsClosed(String kind) throws Exception {
    String closed = "IllegalStateException: the medium is closed; make a new one";
    assertThat(run("mediumClosedBefore", kind)).contains(closed + "; " + closed + "; " + closed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "lfru", "clock", "worth"})
  void shouldGiveAnEvictionPolicyToOneCacheOnly(String kind) throws Exception {
    assertThat(run("policyTwice", kind))
        .contains(
            OTHERS.formatted("eviction policy")
                + " right 100; "
                + ENDED.formatted("eviction policy"));
  }

  @Test
  void shouldGiveAnAdmissionPolicyToOneCacheOnly() throws Exception {
    assertThat(run("policyTwice", "admission"))
        .contains(
            OTHERS.formatted("admission policy") + "; " + ENDED.formatted("admission policy"));
  }

  /** As a lambda that captures nothing is: the JVM makes one of it. */
  @Test
  void shouldShareAPolicyThatHasNoState() {
    AdmissionFactory factory = context -> candidate -> AdmissionDecision.ADMIT;
    for (int i = 0; i < 2; i++) {
      BlockCache.builder()
          .nativeMemory(8 << 20)
          .admission(factory)
          .maintainedByCaller()
          .build()
          .close();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"fifo", "lfru"})
  void shouldNotCloseAPolicyUnderItsCache(String kind) throws Exception {
    assertThat(run("policyClosedUnder", kind))
        .contains(
            HELD.formatted("eviction policy")
                + " right 100; IllegalStateException: the memory was freed");
  }

  @Test
  void shouldEndMarksWithTheirCache() throws Exception {
    String gone = "IllegalStateException: the cache is closed, and its marks are gone with it";
    assertThat(run("marks"))
        .containsPattern("IndexOutOfBoundsException: slot is 1073741824; it must be between 0 and")
        .contains(gone + "; " + gone + "; " + gone);
  }

  @Test
  void shouldEndASweepWithItsCall() throws Exception {
    String over = "IllegalStateException: the sweep is over, or another thread's";
    assertThat(run("sweep"))
        .contains(over)
        .contains("; " + over + "; use it within EvictionPolicy.sweep right 100; " + over);
  }

  @Test
  void shouldCheckTheBoundsOfOffHeapMemory() throws Exception {
    assertThat(run("parts"))
        .contains(
            "IndexOutOfBoundsException: 8 bytes at 1099511627776 do not lie in 64 bytes;"
                + " IllegalStateException: the memory was freed; its cache or policy is closed;"
                + " IndexOutOfBoundsException");
  }

  @Test
  void shouldBuildOneCacheForEachBuilder() {
    BlockCacheBuilder builder = BlockCache.builder().nativeMemory(8 << 20).maintainedByCaller();
    try (BlockCache cache = builder.build()) {
      assertThatThrownBy(builder::build)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("this builder has built its cache");
    }
  }

  @Test
  void shouldBuildAfterAFailure() throws Exception {
    Path missing = directory.resolve("missing");
    BlockCacheBuilder builder =
        BlockCache.builder().mappedFile(missing.resolve("medium"), 8 << 20).maintainedByCaller();
    assertThatThrownBy(builder::build).hasMessageContaining("its directory does not exist");

    Files.createDirectory(missing);

    builder.build().close();
  }

  /** Neither file, nor lock, nor thread: the same path serves at once. */
  @Test
  void shouldLeaveNothingOfACacheThatCouldNotBeBuilt() throws Exception {
    Path path = directory.resolve("medium");
    Set<Thread> before = Thread.getAllStackTraces().keySet(); // Of other tests, if they still end.
    AtomicInteger made = new AtomicInteger();
    BlockCacheBuilder builder =
        BlockCache.builder()
            .mappedFile(path, 8 << 20)
            .eviction(
                context -> {
                  if (made.getAndIncrement() > 0) {
                    throw new AssertionError("no policy for a shadow");
                  }
                  return new ClockEviction(context);
                })
            .shadows(0.1);

    assertThatThrownBy(builder::build).hasMessage("no policy for a shadow");

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> thread.getName().startsWith("nvcache-maintenance"))
        .filteredOn(thread -> thread.isAlive() && !before.contains(thread))
        .isEmpty();
    BlockCache.builder().mappedFile(path, 8 << 20).maintainedByCaller().build().close();
  }

  @Test
  void shouldCloseAMediumThatFailsWhileTheCacheIsBuilt() {
    FaultyMedium medium =
        new FaultyMedium(NativeMedium.allocate(8 << 20)) {
          @Override
          public Durability durability() {
            throw new AssertionError("durability unknown");
          }
        };
    BlockCacheBuilder builder = BlockCache.builder().medium(medium).maintainedByCaller();

    assertThatThrownBy(builder::build).hasMessage("durability unknown");

    assertThat(medium.closed).hasValue(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"DELETE", "WIPE"})
  void shouldDeleteNoFileButItsOwn(CloseAction atClose) throws Exception {
    Path path = directory.resolve("medium");
    Path moved = directory.resolve("moved");
    BlockCache cache =
        BlockCache.builder()
            .medium(MappedFileMedium.create(path, 8 << 20, atClose))
            .admission(AdmissionPresets.admitAll())
            .maintainedByCaller()
            .build();
    Files.move(path, moved);
    Files.writeString(path, "a stranger's");

    cache.close();

    assertThat(path).hasContent("a stranger's");
    assertThat(moved).exists();
  }

  @Test
  void shouldDeleteNoFileOfAnotherCache() throws Exception {
    Path path = directory.resolve("medium");
    BlockCache first =
        BlockCache.builder()
            .medium(MappedFileMedium.create(path, 8 << 20, CloseAction.DELETE))
            .maintainedByCaller()
            .build();
    Files.delete(path);
    try (BlockCache second =
        BlockCache.builder()
            .medium(MappedFileMedium.create(path, 8 << 20, CloseAction.DELETE))
            .maintainedByCaller()
            .build()) {
      first.close();

      assertThat(path).exists();
      assertThat(second.control().health().inService()).isTrue();
    }
    assertThat(path).doesNotExist();
  }

  @Test
  void shouldRefuseACapacityThatNoFileHas() {
    assertThatThrownBy(() -> MappedFileMedium.create(directory.resolve("m"), Long.MAX_VALUE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("capacityBytes is 9223372036854775807; it must be between 1 and");
  }
}
