// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SyntheticTraceTest {
  private static Trace trace(String text, long seed) throws TraceFormatException {
    return SyntheticTrace.generate(SyntheticSpec.parse(text).orElseThrow(), seed);
  }

  private static boolean same(Trace a, Trace b) {
    boolean same = a.records() == b.records();
    for (int i = 0; same && i < a.records(); i++) {
      same = a.op(i) == b.op(i) && a.place(a.block(i)) == b.place(b.block(i));
    }
    return same;
  }

  @ParameterizedTest
  @ValueSource(strings = {"zipf", "uniform", "latest", "phase", "scan-mix"})
  void shouldFollowFromItsSeed(String kind) throws TraceFormatException {
    String spec = kind + ":blocks=500:reads=5000";
    assertThat(same(trace(spec, 1), trace(spec, 1))).isTrue();
    assertThat(same(trace(spec, 1), trace(spec, 2))).isFalse();
    assertThat(trace(spec, 1).lookups()).isBetween(5_000L, 5_010L);
    assertThat(trace(spec, 1).footprintBytes()).isLessThanOrEqualTo(501L * 4096);
  }

  @ParameterizedTest
  @ValueSource(strings = {"drift", "shift", "hotflat", "recent", "burst", "zipfscan"})
  void shouldMoveAsItsSeedSays(String kind) throws TraceFormatException {
    String spec = kind + ":blocks=500:reads=20000";
    assertThat(same(trace(spec, 1), trace(spec, 1))).isTrue();
    assertThat(same(trace(spec, 1), trace(spec, 2))).isFalse();
    assertThat(trace(spec, 1).lookups()).isEqualTo(20_000);
    assertThat(trace(spec, 1).blocks()).isGreaterThan(700);
  }

  /** Of a block of each moving load, the lookups between its first and its last. */
  private static long[] lives(Trace trace) {
    long[] first = new long[trace.blocks()];
    long[] lives = new long[trace.blocks()];
    for (int i = 0; i < trace.records(); i++) {
      first[trace.block(i)] = lives[trace.block(i)] == 0 ? i : first[trace.block(i)];
      lives[trace.block(i)] = i - first[trace.block(i)] + 1;
    }
    return lives;
  }

  @Test
  void shouldReadABlockAsLongAsItIsInTheWindow() throws TraceFormatException {
    for (long life : lives(trace("drift:blocks=500:reads=50000:lookups=10", 1))) {
      assertThat(life).isLessThanOrEqualTo(500 * 10 + 10);
    }
  }

  @Test
  void shouldReadAnotherSetInEachPhase() throws TraceFormatException {
    Trace trace = trace("shift:blocks=100:reads=40000:phases=4", 1);
    assertThat(trace.blocks()).isEqualTo(400);
    for (long life : lives(trace)) {
      assertThat(life).isBetween(5_000L, 10_000L);
    }
  }

  @Test
  void shouldReadRecentBlocksSoOften() throws TraceFormatException {
    Trace trace = trace("recent:blocks=100:reads=60000:lookups=6", 1);
    int[] reads = new int[trace.blocks()];
    for (int i = 0; i < trace.records(); i++) {
      reads[trace.block(i)]++;
    }
    for (int block = 0; block < trace.blocks() - 1_000; block++) {
      assertThat(reads[block]).isEqualTo(6);
    }
  }

  @Test
  void shouldMakeBlocksOfMixedLengths() throws TraceFormatException {
    Trace trace = trace("drift:blocks=500:reads=20000:longest=65536", 1);
    int[] of = new int[5];
    for (int block = 0; block < trace.blocks(); block++) {
      of[Integer.numberOfTrailingZeros(trace.largestSizeBytes(block) / 4096)]++;
    }
    for (int count : of) {
      assertThat(count).isGreaterThan(trace.blocks() / 8);
    }
  }

  @Test
  void shouldLoop() throws TraceFormatException {
    Trace trace = trace("loop:blocks=3:reads=7", 1);
    for (int i = 0; i < 7; i++) {
      assertThat(trace.block(i)).isEqualTo(i % 3);
    }
  }

  @Test
  void shouldScanTheShareAskedFor() throws TraceFormatException {
    Trace trace = trace("scan-mix:blocks=1000:reads=200000:scans=0.3", 1);
    long scans = 0;
    for (int i = 0; i < trace.records(); i++) {
      scans += trace.op(i) == TraceOp.SCAN ? 1 : 0;
    }
    assertThat((double) scans / trace.records()).isBetween(0.27, 0.33);
  }

  @Test
  void shouldReadTheNewestMost() throws TraceFormatException {
    Trace trace = trace("latest:blocks=1000:reads=50000:writes=0.2", 1);
    BitSet freed = new BitSet();
    long newest = 999;
    long recent = 0;
    for (int i = 0; i < trace.records(); i++) {
      long place = trace.place(trace.block(i));
      switch (trace.op(i)) {
        case WRITE -> assertThat(place).isEqualTo(++newest);
        case FREE -> freed.set((int) place);
        default -> {
          assertThat(freed.get((int) place)).isFalse();
          recent += newest - place < 100 ? 1 : 0;
        }
      }
    }
    assertThat(recent).isGreaterThan(trace.lookups() / 2);
  }

  @Test
  void shouldChangeTheHotSetWithThePhase() throws TraceFormatException {
    Trace trace = trace("phase:blocks=1000:reads=40000:phases=2", 1);
    int[] first = new int[trace.blocks()];
    int[] second = new int[trace.blocks()];
    for (int i = 0; i < trace.records(); i++) {
      (i < 20_000 ? first : second)[trace.block(i)]++;
    }
    int hottest = 0;
    for (int block = 0; block < first.length; block++) {
      hottest = first[block] > first[hottest] ? block : hottest;
    }
    assertThat(second[hottest]).isLessThan(first[hottest] / 4);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "zipf:blocks=0      | 'blocks=0'; it must be a whole number from 1 to 1000000000",
        "zipf:reads=many    | 'reads=many'; it must be a whole number",
        "latest:writes=1    | 'writes=1'; it must be a ratio from 0 to 0.99",
        "zipf:skew=2        | 'skew=2'; it must be one of blocks, reads, writes, phases, scans",
        "drift:longest=4095 | 'longest=4095'; it must be a whole number of bytes from 4096",
      })
  void shouldTellWhatIsWrong(String text, String message) {
    assertThatThrownBy(() -> SyntheticSpec.parse(text))
        .hasMessageStartingWith("trace '" + text + "' has " + message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"zipf", "zipf.nvt", "C:\\zipf.nvt", "other:blocks=5"})
  void shouldTakeOtherNamesForFiles(String text) throws TraceFormatException {
    assertThat(SyntheticSpec.parse(text)).isEmpty();
  }
}
