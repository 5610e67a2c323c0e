// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.BlockWalk;
import io.nvcache.medium.Fault;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class BlockWalkTest {
  private static final long SEED = 20261122;
  private static final long TEBIBYTE = 1L << 40;

  private final BlockCache cache = builder().nativeMemory(16 << 20).build();

  private static BlockCacheBuilder builder() {
    return BlockCache.builder()
        .maxBlockBytes(16 << 10)
        .expectedBlockBytes(512) // So that no bucket of the index is ever full.
        .admission(AdmissionPresets.admitAll())
        .maintainedByCaller();
  }

  private record Name(long fileId, long offset) {
    int lengthBytes() {
      return 100 + (int) ((fileId * 31 + offset) % 4000);
    }

    ByteBuffer block() {
      ByteBuffer block = ByteBuffer.allocate(lengthBytes());
      while (block.remaining() >= Long.BYTES) {
        block.putLong(fileId * 1_000_003 + offset);
      }
      return block.clear();
    }
  }

  @AfterEach
  void close() {
    cache.close();
  }

  private void offer(Name name) {
    assertThat(cache.offer(name.fileId, name.offset, name.block(), Source.READ))
        .isIn(OfferResult.ADMITTED, OfferResult.ALREADY_CACHED);
  }

  private Map<Name, Integer> walk() {
    Map<Name, Integer> told = new HashMap<>();
    for (BlockWalk walk = cache.control().walk(); walk.next(); ) {
      Name name = new Name(walk.fileId(), walk.offset());
      assertThat(told.put(name, walk.lengthBytes())).as("%s, told twice", name).isNull();
    }
    return told;
  }

  @Test
  void shouldTellWhatIsCachedAndNothingElse() {
    Random random = new Random(SEED);
    Map<Name, Integer> model = new HashMap<>();
    for (int i = 0; i < 4000; i++) {
      long segment = random.nextInt(4) == 0 ? TEBIBYTE : 0;
      Name name = new Name(1 + random.nextInt(9), segment + random.nextInt(200));
      switch (random.nextInt(40)) {
        case 0 -> {
          cache.invalidateFile(name.fileId);
          model.keySet().removeIf(other -> other.fileId == name.fileId);
        }
        case 1, 2, 3 ->
            assertThat(cache.invalidate(name.fileId, name.offset))
                .isEqualTo(model.remove(name) != null);
        default -> {
          offer(name);
          model.put(name, name.lengthBytes());
        }
      }
    }
    assertThat(walk()).as("seed %d", SEED).isEqualTo(model);
    for (long file = 0; file < 11; file++) {
      long fileId = file;
      assertThat(cache.control().countBlocks(fileId))
          .as("file %d, seed %d", fileId, SEED)
          .isEqualTo(model.keySet().stream().filter(name -> name.fileId == fileId).count());
    }
  }

  @Test
  void shouldShowTheFirstBytesWithoutCountingALookup() {
    Name name = new Name(5, 77);
    offer(name);
    BlockWalk walk = cache.control().walk();
    assertThat(walk.next()).isTrue();
    ByteBuffer head = ByteBuffer.allocate(16);
    assertThat(walk.peek(head)).isEqualTo(16);
    assertThat(head.flip()).isEqualTo(name.block().limit(16));
    ByteBuffer all = ByteBuffer.allocate(1 << 20);
    assertThat(walk.peek(all)).isEqualTo(name.lengthBytes());
    assertThat(all.flip()).isEqualTo(name.block());
    assertThat(cache.stats().lookups()).isZero();

    cache.invalidate(5, 77);
    assertThat(walk.peek(head.clear())).isEqualTo(BlockCache.MISS);
    assertThat(head.position()).isZero();
    assertThat(walk.next()).isFalse();
    assertThat(walk.next()).isFalse();
    assertThatThrownBy(walk::fileId).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void shouldShowNoBytesThatAreNotThoseWritten() {
    Name name = new Name(5, 77);
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    try (BlockCache summed = builder().medium(medium).checksum(Checksum.CRC32C).build()) {
      summed.offer(name.fileId, name.offset, name.block(), Source.READ);
      BlockWalk walk = summed.control().walk();
      assertThat(walk.next()).isTrue();
      medium.inject(Fault.BIT_FLIP);
      ByteBuffer dst = ByteBuffer.allocate(4096);
      assertThat(walk.peek(dst)).isEqualTo(BlockCache.MISS);
      assertThat(walk.peek(dst.limit(16))).as("of a part").isEqualTo(BlockCache.MISS);
      medium.heal();
      assertThat(walk.peek(dst)).isEqualTo(16);
      assertThat(dst.flip()).isEqualTo(name.block().limit(16));
    }
  }

  @Test
  void shouldShowAPartOfABlockThatCanBeReadWholeOnly() {
    Name name = new Name(5, 77);
    try (BlockCache encrypted = builder().nativeMemory(1 << 20).encrypted().build()) {
      encrypted.offer(name.fileId, name.offset, name.block(), Source.READ);
      BlockWalk walk = encrypted.control().walk();
      assertThat(walk.next()).isTrue();
      ByteBuffer head = ByteBuffer.allocate(16);
      assertThat(walk.peek(head)).isEqualTo(16);
      assertThat(head.flip()).isEqualTo(name.block().limit(16));
    }
  }

  @Test
  void shouldLeaveAMediumAloneThatIsOutOfService() {
    offer(new Name(5, 77));
    BlockWalk walk = cache.control().walk();
    assertThat(walk.next()).isTrue();
    cache.control().takeOutOfService("it is to be replaced");
    assertThat(walk.peek(ByteBuffer.allocate(16))).isEqualTo(BlockCache.MISS);
    cache.control().returnToService();
    assertThat(walk.peek(ByteBuffer.allocate(16))).isEqualTo(16);
  }

  @Test
  void shouldEndWhenTheCacheIsClosed() {
    for (int i = 0; i < 3000; i++) {
      offer(new Name(1, i * 10L));
    }
    BlockWalk walk = cache.control().walk();
    assertThat(walk.next()).isTrue();
    cache.close();
    int rest = 0;
    while (walk.next()) {
      rest++;
    }
    assertThat(rest).isLessThan(512);
    assertThat(walk()).isEmpty();
  }

  @Test
  void shouldTellEachBlockUnderItsOwnFileWhileFilesComeAndGo() throws Exception {
    int staying = 500;
    for (int i = 0; i < staying; i++) {
      offer(new Name(1, i));
    }
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      Future<?> churn =
          threads.submit(
              () -> {
                for (long file = 2; !done.get(); file++) {
                  for (int i = 0; i < 20; i++) {
                    Name name = new Name(file, 1000 + i);
                    cache.offer(file, name.offset, name.block(), Source.READ);
                  }
                  cache.invalidateFile(file);
                  cache.control().maintain();
                }
              });
      ByteBuffer head = ByteBuffer.allocate(Long.BYTES);
      for (int round = 0; round < 200; round++) {
        int stayed = 0;
        for (BlockWalk walk = cache.control().walk(); walk.next(); ) {
          Name name = new Name(walk.fileId(), walk.offset());
          assertThat(walk.lengthBytes()).as("%s", name).isEqualTo(name.lengthBytes());
          if (walk.peek(head.clear()) != BlockCache.MISS) {
            assertThat(head.flip()).as("%s", name).isEqualTo(name.block().limit(Long.BYTES));
          }
          stayed += name.fileId == 1 ? 1 : 0;
        }
        assertThat(stayed).isEqualTo(staying);
      }
      done.set(true);
      churn.get();
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }
}
