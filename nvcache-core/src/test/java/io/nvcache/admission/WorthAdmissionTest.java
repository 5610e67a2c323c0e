// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.Source;
import io.nvcache.VictimPricing;
import io.nvcache.testing.ManualTraffic;
import io.nvcache.testing.Race;
import io.nvcache.testing.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorthAdmissionTest extends AdmissionContract {
  private static final int CAPACITY = 1_000;
  private static final double TARGET = 0.10;

  @Override
  protected AdmissionFactory factory() {
    return WorthAdmission::new;
  }

  /** A full cache whose blocks are all worth the same. */
  private static class FullOf implements VictimPricing {
    private final int worth;
    private int expected;

    FullOf(int lookups) {
      this.worth = lookups * LOOKUP_WORTH;
    }

    @Override
    public void advance(long lookups) {}

    @Override
    public int priceNextVictim() {
      return worth;
    }

    @Override
    public void expect(int worth) {
      expected = worth;
    }
  }

  private WorthAdmission before(VictimPricing residents) {
    return new WorthAdmission(context(traffic, 0, CAPACITY, residents));
  }

  private static Candidate block(long number, Source source) {
    return Candidate.of(1, number * LENGTH_BYTES, LENGTH_BYTES, source);
  }

  private static AdmissionDecision read(AdmissionPolicy policy, long block) {
    return policy.decide(block(block, Source.READ));
  }

  /** A cache that is full or has room, as the test says, and counts how often it is asked. */
  private static final class Residents implements VictimPricing {
    private int worth = NO_PRICE;
    private int asked;

    @Override
    public int priceNextVictim() {
      asked++;
      return worth;
    }
  }

  /** Room came free between the decision and the refund: what paid is still the demand. */
  @Test
  void shouldRefundAPrefetchedBlockToWhatPaidForIt() {
    Residents residents = new Residents();
    try (WorthAdmission policy = before(residents)) {
      assertThat(countReadAhead(policy, 2 * CAPACITY)).as("all free room").isEqualTo(CAPACITY);
      traffic.insert(CAPACITY).hit(10 * CAPACITY);
      residents.worth = 0;
      policy.prime(1, 7 * LENGTH_BYTES, 15);
      Candidate wanted = block(7, Source.PREFETCH);
      for (int i = 0; policy.decide(wanted) != AdmissionDecision.ADMIT; i++) {
        assertThat(i).as("tries").isLessThan(100);
        traffic.hit(CAPACITY);
      }
      residents.worth = VictimPricing.NO_PRICE;
      residents.asked = 0;
      policy.refund(wanted);
      assertThat(residents.asked).as("a refund chooses no victim").isZero();
      traffic.remove(CAPACITY);
      assertThat(policy.decide(block(-1, Source.PREFETCH)))
          .as("no free room is given a second time")
          .isNotEqualTo(AdmissionDecision.ADMIT);
    }
  }

  @Test
  void shouldRefundNothingThatItDidNotCharge() {
    try (WorthAdmission policy = before(VictimPricing.UNPRICED)) {
      assertThatThrownBy(() -> policy.refund(block(1, Source.READ)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was not charged");
    }
  }

  @Test
  void shouldHoldAPrimedBlockToBeWorthItsForecast() {
    try (WorthAdmission policy = before(new FullOf(3))) {
      policy.prime(1, 7 * LENGTH_BYTES, 5);
      policy.prime(1, 8 * LENGTH_BYTES, 1e9);
      assertThat(policy.recentMisses(1, 7 * LENGTH_BYTES)).isEqualTo(5);
      assertThat(policy.recentMisses(1, 8 * LENGTH_BYTES)).isEqualTo(DemandSketch.MAX_COUNT);
      assertThat(read(policy, 7)).isEqualTo(AdmissionDecision.ADMIT);
      assertThat(read(policy, 6)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    }
  }

  @Test
  void shouldKeepReservedRoomForBlocksThatAreWorthIt() {
    try (WorthAdmission policy = before(VictimPricing.UNPRICED)) {
      policy.reserve(2, (long) CAPACITY * LENGTH_BYTES);
      assertThat(read(policy, 1)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
      assertThat(
              policy.decide(
                  Candidate.expected(1, 2 * LENGTH_BYTES, LENGTH_BYTES, Source.COMPACTION, 2)))
          .isEqualTo(AdmissionDecision.ADMIT);
      assertThat(read(policy, 1)).as("a second lookup").isEqualTo(AdmissionDecision.ADMIT);
      policy.reserve(2, 0);
      assertThat(read(policy, 3))
          .as("a while later, too")
          .isEqualTo(AdmissionDecision.NOT_WORTH_IT);
      traffic.lookUp(CAPACITY);
      assertThat(read(policy, 4)).isEqualTo(AdmissionDecision.ADMIT);
    }
  }

  /** A trial by keeping blocks out would cost hits, and no other block would gain the room. */
  @Test
  void shouldKeepNoBlockOutWhileRoomIsFree() {
    try (WorthAdmission policy = before(VictimPricing.UNPRICED)) {
      for (int block = 0; block < CAPACITY / 2; block++) {
        traffic.lookUp((long) (2 / TARGET));
        assertThat(read(policy, block)).as("block %s", block).isEqualTo(AdmissionDecision.ADMIT);
      }
    }
  }

  /** As many come as the budget lets, and each time the medium is busy. */
  @Test
  void shouldTakeCarriedBlocksBackWithoutGivingToLookups() {
    try (WorthAdmission policy = before(VictimPricing.UNPRICED)) {
      int block = 0;
      while (read(policy, block) == AdmissionDecision.ADMIT) {
        block++;
      }
      for (int i = 0; i < CAPACITY; i++) {
        Candidate carried = Candidate.expected(2, 0, LENGTH_BYTES, Source.COMPACTION, 5);
        if (policy.decide(carried) == AdmissionDecision.ADMIT) {
          policy.refund(carried);
        }
      }
      assertThat(read(policy, block)).isNotEqualTo(AdmissionDecision.ADMIT);
    }
  }

  @Test
  void shouldKeepNoMoreRoomThanIsReserved() {
    try (WorthAdmission policy = before(VictimPricing.UNPRICED)) {
      policy.reserve(2, (CAPACITY / 4) * (long) LENGTH_BYTES);
      assertThat(read(policy, CAPACITY)).isEqualTo(AdmissionDecision.ADMIT);
      assertThat(countReadAhead(policy, CAPACITY)).isEqualTo(CAPACITY - CAPACITY / 4 - 1);
      assertThat(read(policy, CAPACITY + 1)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
      policy.reserve(2, 0);
      assertThat(countReadAhead(policy, CAPACITY)).isEqualTo(CAPACITY / 4);
    }
  }

  /**
   * The guarantee on arbitrary streams: any blocks of any length from any source, any number of
   * lookups, hits and removals in between, at targets and weights that change.
   */
  @Test
  void shouldExceedTheTargetByTheLoanAtMost() {
    Seeds.each(
        100,
        random -> {
          ManualTraffic counts = new ManualTraffic();
          int capacity = 1 + random.nextInt(2_000);
          double weight = random.nextBoolean() ? 0 : random.nextInt(5) / 2.0;
          VictimPricing residents = random.nextBoolean() ? VictimPricing.UNPRICED : new FullOf(2);
          AdmissionPolicy policy = new WorthAdmission(context(counts, weight, capacity, residents));
          double target = changeTarget(random);
          double allowed = 0;
          int names = 1 + random.nextInt(4 * capacity);
          for (int step = 0; step < 4_000; step++) {
            long lookups = counts.lookups();
            switch (random.nextInt(8)) {
              case 0, 1 -> counts.lookUp(random.nextInt(40));
              case 2 -> counts.hit(random.nextInt(random.nextInt(60) == 0 ? 20_000 : 200));
              case 3 -> {
                long resident = counts.insertedBlocks() - counts.removedBlocks();
                counts.remove(Math.min(resident, random.nextInt(60)));
              }
              case 4 -> {
                if (random.nextInt(200) == 0) {
                  target = changeTarget(random);
                  offer(policy, counts, random, names);
                }
              }
              default -> offer(policy, counts, random, names);
            }
            allowed += target * (counts.lookups() - lookups);
            long resident = counts.insertedBlocks() - counts.removedBlocks();
            double writes = counts.insertedBlocks() + weight * counts.removedBlocks();
            assertThat(writes)
                .as("%s, capacity %s, weight %s", counts, capacity, weight)
                .isLessThanOrEqualTo(
                    allowed
                        + Math.max(0, capacity - allowed / 2)
                        + weight * (capacity - resident)
                        + 1e-6);
          }
          policy.close();
        });
  }

  private double changeTarget(Random random) {
    double target = random.nextInt(5) == 0 ? 0 : random.nextDouble();
    settings.setOverheadTarget(target);
    return target;
  }

  private static void offer(
      AdmissionPolicy policy, ManualTraffic counts, Random random, int names) {
    Source[] sources = Source.values();
    int length = 1 + random.nextInt(3 * LENGTH_BYTES);
    long offset = (long) random.nextInt(names) * LENGTH_BYTES;
    Source source = sources[random.nextInt(sources.length)];
    Candidate candidate = Candidate.of(1, offset, length, source);
    if (policy.decide(candidate) == AdmissionDecision.ADMIT) {
      if (random.nextInt(5) == 0) {
        policy.refund(candidate);
      } else {
        counts.insert(1);
      }
    }
  }

  @Test
  void shouldKeepTheGuaranteeWhenDecidersRace() throws Exception {
    AdmissionPolicy policy = before(VictimPricing.UNPRICED);
    AtomicLong worst = new AtomicLong(Long.MIN_VALUE);
    Race.run(
        4,
        thread -> {
          Random random = new Random(thread);
          for (int i = 0; i < 50_000; i++) {
            if (i % 4 == thread) {
              traffic.hit(1);
            }
            Candidate candidate = block(random.nextInt(500), Source.READ);
            if (policy.decide(candidate) == AdmissionDecision.ADMIT) {
              if (i % 7 == 0) {
                policy.refund(candidate);
              } else {
                traffic.insert(1);
              }
            }
            // Inserts first: lookups only grow.
            long inserts = traffic.insertedBlocks();
            double target = TARGET * traffic.lookups();
            double allowed = target + Math.max(0, CAPACITY - target / 2);
            worst.accumulateAndGet((long) Math.ceil(inserts - allowed), Math::max);
          }
        });
    assertThat(worst.get()).isLessThanOrEqualTo(0);
    assertThat(traffic.insertedBlocks()).isGreaterThan(CAPACITY / 2);
  }

  @Test
  void shouldDecideAlikeOnAlikeStreams() {
    List<AdmissionDecision> first = decisions(new Random(5));
    assertThat(decisions(new Random(5))).isEqualTo(first);
    assertThat(decisions(new Random(6))).isNotEqualTo(first);
  }

  private List<AdmissionDecision> decisions(Random random) {
    ManualTraffic counts = new ManualTraffic();
    AdmissionPolicy policy =
        new WorthAdmission(context(counts, 0, CAPACITY, VictimPricing.UNPRICED));
    List<AdmissionDecision> decisions = new ArrayList<>();
    Source[] sources = Source.values();
    for (int i = 0; i < 20_000; i++) {
      counts.lookUp(random.nextInt(4));
      AdmissionDecision decision =
          policy.decide(
              Candidate.of(
                  random.nextInt(3),
                  random.nextInt(CAPACITY),
                  LENGTH_BYTES,
                  sources[random.nextInt(sources.length)]));
      counts.insert(decision == AdmissionDecision.ADMIT ? 1 : 0);
      decisions.add(decision);
    }
    policy.close();
    return decisions;
  }

  @Test
  void shouldReplaceABlockOnlyByOneWorthMore() {
    AdmissionPolicy policy = before(new FullOf(2));
    traffic.lookUp(CAPACITY);
    for (int lookups = 1; lookups <= 3; lookups++) {
      assertThat(read(policy, 1)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
    }
    assertThat(read(policy, 1)).isEqualTo(AdmissionDecision.ADMIT);
  }

  /** A write that costs twenty block reads has to spare five reads of the disk, of four each. */
  @ParameterizedTest
  @CsvSource({"0, 2", "4, 2", "8, 3", "20, 6", "30, 8", "1000, 9"})
  void shouldAskForMoreGainWhereWritesHarmReads(double harm, int offersUntilAdmitted) {
    AdmissionPolicy policy = new WorthAdmission(context(traffic, 0, harm, CAPACITY, new FullOf(0)));
    traffic.lookUp(CAPACITY);
    int offers = 1;
    while (read(policy, 7) != AdmissionDecision.ADMIT) {
      offers++;
    }
    assertThat(offers).isEqualTo(offersUntilAdmitted);
  }

  /** A longer write harms more; but were more asked for than is counted, none would ever get in. */
  @ParameterizedTest
  @CsvSource({"0, 1, 2", "0, 2, 3", "0, 16, 9", "20, 1, 6", "20, 2, 9", "20, 4, 9", "1000, 16, 9"})
  void shouldLetTheBusiestLongBlocksIn(double harm, int blocksLong, int offersUntilAdmitted) {
    AdmissionPolicy policy = new WorthAdmission(context(traffic, 0, harm, CAPACITY, new FullOf(0)));
    traffic.lookUp(CAPACITY);
    int offers = 1;
    while (offers < 100
        && policy.decide(Candidate.of(1, 0, blocksLong * LENGTH_BYTES, Source.READ))
            != AdmissionDecision.ADMIT) {
      offers++;
    }
    assertThat(offers).isEqualTo(offersUntilAdmitted);
  }

  /** In a loop, each block's count ends higher than the mark of any that is cached. */
  @Test
  void shouldNotReplaceBlocksThatComeAsOften() {
    VictimPricing often =
        new FullOf(0) {
          @Override
          public int leastWorth() {
            return 7 * LOOKUP_WORTH;
          }
        };
    for (VictimPricing residents : List.of(new FullOf(6), often)) {
      try (AdmissionPolicy policy = before(residents)) {
        traffic.lookUp(CAPACITY);
        for (int i = 0; i < DemandSketch.MAX_COUNT; i++) {
          assertThat(read(policy, 1)).isEqualTo(AdmissionDecision.NOT_WORTH_IT);
        }
      }
    }
  }

  @Test
  void shouldTellTheResidentsWhatTheNewBlockIsWorth() {
    FullOf residents = new FullOf(2);
    AdmissionPolicy policy = before(residents);
    traffic.lookUp(CAPACITY);
    while (read(policy, 1) != AdmissionDecision.ADMIT) {
      assertThat(residents.expected).isZero();
    }
    assertThat(residents.expected).isEqualTo(4 * VictimPricing.LOOKUP_WORTH);
  }

  /** Blocks that come by once take no place from those that come again. */
  @Test
  void shouldNotLetAScanIn() {
    AdmissionPolicy policy = before(new FullOf(1));
    int scanned = 0;
    int wanted = 0;
    for (int i = 0; i < 40 * CAPACITY; i++) {
      traffic.hit(1).lookUp(1);
      boolean scan = i % 2 != 0;
      long block = scan ? CAPACITY + i : i / 2 % CAPACITY;
      if (read(policy, block) == AdmissionDecision.ADMIT) {
        scanned += scan ? 1 : 0;
        wanted += scan ? 0 : 1;
        traffic.insert(1).remove(1);
      }
    }
    assertThat(wanted).isGreaterThan(CAPACITY);
    assertThat(scanned).isLessThan(wanted / 20);
  }

  @Test
  void shouldAdmitFreshBlocksOnceTheyProveToBeReadAndOthersNot() {
    for (Source source : new Source[] {Source.FLUSH, Source.COMPACTION, Source.PREFETCH}) {
      assertThat(share(source, 3)).as("of blocks from %s that are read", source).isGreaterThan(0.5);
      assertThat(share(source, 0)).as("of blocks from %s that are not", source).isZero();
    }
  }

  private static int countReadAhead(AdmissionPolicy policy, int blocks) {
    int admitted = 0;
    for (int block = 0; block < blocks; block++) {
      admitted +=
          policy.decide(Candidate.of(1, (long) block * LENGTH_BYTES, LENGTH_BYTES, Source.PREFETCH))
                  == AdmissionDecision.ADMIT
              ? 1
              : 0;
    }
    return admitted;
  }

  @Test
  void shouldFillFreeRoomWithWhatIsReadAheadOnce() {
    AdmissionPolicy policy = before(VictimPricing.UNPRICED);
    assertThat(countReadAhead(policy, 2 * CAPACITY)).isEqualTo(CAPACITY);
    traffic.insert(CAPACITY).remove(CAPACITY);
    assertThat(countReadAhead(policy, 2 * CAPACITY)).as("after it was cleared").isZero();
    policy.close();
  }

  @Test
  void shouldReadNothingAheadThatABlockWouldHaveToGiveWayFor() {
    AdmissionPolicy policy = before(new FullOf(0));
    assertThat(countReadAhead(policy, 2 * CAPACITY)).isZero();
    policy.close();
  }

  /** Where nothing but scans comes by: those of the same blocks again and again, or of others. */
  @ParameterizedTest
  @CsvSource({"true, 0.9, 1", "false, 0, 0"})
  void shouldAdmitWhatIsScannedAgainAndAgain(boolean again, double least, double most) {
    AdmissionPolicy policy = before(VictimPricing.UNPRICED);
    Set<Long> cached = new HashSet<>();
    int blocks = CAPACITY / 2;
    for (int pass = 0; pass < 40; pass++) {
      for (int i = 0; i < blocks; i++) {
        long block = again ? i : (long) pass * blocks + i;
        traffic.lookUp(1);
        if (cached.contains(block)) {
          traffic.hit(1);
        } else if (policy.decide(Candidate.of(1, block * LENGTH_BYTES, LENGTH_BYTES, Source.SCAN))
            == AdmissionDecision.ADMIT) {
          traffic.insert(1);
          cached.add(block);
        }
      }
    }
    policy.close();
    assertThat((double) cached.size() / blocks).isBetween(least, most);
  }

  /** The part of the later half of a source's blocks that is admitted when it comes. */
  private double share(Source source, int readsEach) {
    AdmissionPolicy policy = before(VictimPricing.UNPRICED);
    int blocks = 20 * CAPACITY;
    int admitted = 0;
    for (int block = 0; block < blocks; block++) {
      traffic.hit(30);
      boolean admit =
          policy.decide(Candidate.of(9, (long) block * LENGTH_BYTES, LENGTH_BYTES, source))
              == AdmissionDecision.ADMIT;
      if (admit) {
        traffic.insert(1).remove(1);
        admitted += block >= blocks / 2 ? 1 : 0;
      }
      for (int i = 0; i < readsEach && !admit; i++) {
        traffic.lookUp(1);
        if (policy.decide(Candidate.of(9, (long) block * LENGTH_BYTES, LENGTH_BYTES, Source.READ))
            == AdmissionDecision.ADMIT) {
          traffic.insert(1).remove(1);
          break;
        }
      }
    }
    policy.close();
    return admitted / (blocks / 2.0);
  }

  @Test
  void shouldFollowTheTargetAsItChanges() {
    AdmissionPolicy policy = policy();
    settings.setOverheadTarget(0);
    traffic.lookUp(CAPACITY);
    assertThat(read(policy, 1)).isEqualTo(AdmissionDecision.BYPASS_OVERHEAD);
    settings.setOverheadTarget(TARGET);
    assertThat(read(policy, 1)).isEqualTo(AdmissionDecision.ADMIT);
  }

  @Test
  void shouldTakeThirteenBytesOfDramForABlock() {
    WorthAdmission policy =
        new WorthAdmission(context(traffic, 0, 1_000_000, VictimPricing.UNPRICED));
    assertThat(policy.metadataBytes()).isEqualTo(13_000_000);
    policy.close();
  }
}
