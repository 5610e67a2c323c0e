// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionChain;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import io.nvcache.medium.WriteCost;
import io.nvcache.testing.Race;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** However an offer ends, each policy that was charged is refunded once, or the block is cached. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
final class RefundsTest {
  private static final int LENGTH = 4096;
  private static final int FILES = 4;
  private static final int BLOCKS = 300;
  private static final long SEED = System.nanoTime();

  /** More than are lent at once without making new ones. */
  private static final int THREADS = 80;

  private static final int OFFERS_PER_THREAD = 1_000;

  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private final Ledger first = new Ledger(7);
  private final Ledger second = new Ledger(5);
  private final AtomicLong admitted = new AtomicLong();

  /** Admits most blocks, each by its own receipt. */
  private final class Ledger implements AdmissionPolicy {
    private final int refusals;
    private final AtomicLong receipts = new AtomicLong();
    private final Map<Long, String> open = new ConcurrentHashMap<>();

    Ledger(int refusals) {
      this.refusals = refusals;
    }

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      long receipt = receipts.incrementAndGet();
      if (candidate.hasCharged(this)) {
        wrong.add("charged before: " + candidate);
      }
      if (receipt % refusals == 0) {
        return AdmissionDecision.NOT_WORTH_IT;
      }
      open.put(receipt, candidate.toString());
      candidate.charge(this, receipt);
      return AdmissionDecision.ADMIT;
    }

    @Override
    public void refund(Candidate candidate) {
      String charged = open.remove(candidate.receipt(this));
      if (!candidate.toString().equals(charged)) {
        wrong.add(candidate + " was refunded, " + charged + " was charged");
      }
    }
  }

  /** Returns a block on the heap, off it, or in a file, which may vanish and so is copied. */
  private static ByteBuffer laidOut(
      long file, long offset, SplittableRandom random, ByteBuffer mapped) {
    ByteBuffer block = TestBlock.of(file, offset, LENGTH);
    return switch (random.nextInt(3)) {
      case 0 -> block;
      case 1 -> ByteBuffer.allocateDirect(LENGTH).put(block).flip();
      default -> {
        mapped.clear().put(block);
        yield mapped.flip();
      }
    };
  }

  /** Returns what lays a block out, or fails to; or makes another offer first. */
  private Supplier<@Nullable ByteBuffer> supplier(
      BlockCache cache, long file, long offset, SplittableRandom random, ByteBuffer mapped) {
    return switch (random.nextInt(6)) {
      case 0 -> () -> null;
      case 1 ->
          () -> {
            ByteBuffer block = laidOut(file, offset, random, mapped);
            return block.limit(LENGTH - 8); // Not as long as announced.
          };
      case 2 ->
          () -> {
            throw new IllegalStateException("injected");
          };
      case 3 ->
          () -> {
            offer(cache, random, mapped);
            return laidOut(file, offset, random, mapped);
          };
      default -> () -> laidOut(file, offset, random, mapped);
    };
  }

  private void offer(BlockCache cache, SplittableRandom random, ByteBuffer mapped) {
    long file = random.nextInt(FILES);
    long offset = (long) LENGTH * random.nextInt(BLOCKS);
    Source source = Source.values()[random.nextInt(Source.values().length)];
    if (source == Source.READ && random.nextBoolean()) {
      ByteBuffer read = ByteBuffer.allocate(LENGTH);
      if (cache.get(file, offset, read) >= 0
          && !TestBlock.matches(read.flip(), file, offset, LENGTH)) {
        wrong.add("wrong bytes of " + file + ":" + offset);
      }
    }
    try {
      OfferResult result =
          switch (random.nextInt(4)) {
            case 0 -> cache.offer(file, offset, laidOut(file, offset, random, mapped), source);
            case 1 ->
                cache.offer(
                    file,
                    offset,
                    LENGTH,
                    supplier(cache, file, offset, random, mapped),
                    source,
                    BlockRank.IMPORTANT);
            default ->
                cache.offer(
                    file, offset, LENGTH, supplier(cache, file, offset, random, mapped), source);
          };
      if (result == OfferResult.ADMITTED) {
        admitted.incrementAndGet();
      }
    } catch (IllegalArgumentException | IllegalStateException | NullPointerException injected) {
      // The policies' due is the same.
    }
    if (random.nextInt(50) == 0) {
      cache.invalidateFile(random.nextInt(FILES));
    }
  }

  @ParameterizedTest
  @EnumSource(BlockPlacement.class)
  void shouldRefundOnceWhatIsNotCached(BlockPlacement placement, @TempDir Path folder)
      throws Exception {
    System.out.println("seed " + SEED);
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(4 << 20));
    medium.writeCost = new WriteCost(0, 2, 0);
    try (FileChannel file =
            FileChannel.open(
                Files.createFile(folder.resolve("blocks")),
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        BlockCache cache =
            BlockCache.builder()
                .medium(medium)
                .placement(placement)
                .maxBlockBytes(LENGTH)
                .expectedBlockBytes(LENGTH)
                .maxMediumFailures(Integer.MAX_VALUE)
                .mediumBackOff(Duration.ofMillis(1))
                .admission(AdmissionChain.of(context -> first, context -> second))
                .build()) {
      Race.run(
          THREADS,
          thread -> {
            SplittableRandom random = new SplittableRandom(SEED + thread);
            ByteBuffer mapped =
                file.map(FileChannel.MapMode.READ_WRITE, (long) thread * LENGTH, LENGTH);
            for (int i = 0; i < OFFERS_PER_THREAD; i++) {
              if (thread == 0 && i % 100 == 0) {
                medium.failWrites = !medium.failWrites;
              }
              offer(cache, random, mapped);
            }
          });
      assertThat(wrong).isEmpty();
      assertThat(admitted.get()).isPositive();
      assertThat(first.open.size()).isEqualTo(admitted.intValue());
      assertThat(second.open.size()).isEqualTo(admitted.intValue());
      assertThat(cache.control().ledger().policyFailures()).isZero();
    }
  }
}
