// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.trace.SyntheticSpec;
import io.nvcache.trace.SyntheticTrace;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceFiles;
import io.nvcache.trace.TraceFormat;
import io.nvcache.trace.TraceFormatException;
import io.nvcache.trace.TraceOp;
import java.nio.file.Path;
import java.util.BitSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Traces in which files are rewritten. */
class RewriteReplayTest {
  private static final int BLOCKS = 2_000;
  private static final int READS = 60_000;
  private static final long CAPACITY_BYTES = (long) BLOCKS / 5 * SyntheticTrace.BLOCK_BYTES;

  @TempDir private Path directory;

  private static Trace compaction() throws TraceFormatException {
    String name = "compaction:blocks=" + BLOCKS + ":reads=" + READS;
    return SyntheticTrace.generate(SyntheticSpec.parse(name).orElseThrow(), 1);
  }

  private static ReplayResult replay(Trace trace, String policy) {
    TracePolicy named =
        TracePolicies.named().stream()
            .filter(each -> each.name().equals(policy))
            .findFirst()
            .orElseThrow();
    return new Replay(trace, new ReplaySettings(CAPACITY_BYTES, 0.10, 0, 100, 1))
        .run(named, done -> {});
  }

  /** Hits of a twentieth of the lookups, right after the rewrite. */
  private static double hitsAfter(ReplayResult result) {
    return result.windows().subList(50, 55).stream()
        .mapToDouble(ReplayResult.Window::hitRatio)
        .average()
        .orElseThrow();
  }

  @Test
  void shouldTellWhatHeatCarries() throws TraceFormatException {
    Trace trace = compaction();
    ReplayResult dropped = replay(trace, "default");
    ReplayResult carried = replay(trace, "default-heat");
    assertThat(carried.windows().subList(0, 50)).isEqualTo(dropped.windows().subList(0, 50));
    assertThat(hitsAfter(carried)).isGreaterThan(hitsAfter(dropped) + 0.05);
    assertThat(carried.end().lookups()).as("a rewrite makes none").isEqualTo(READS);
    assertThat(replay(trace, "default-heat")).as("once more").isEqualTo(carried);
  }

  @Test
  void shouldReadEachInputOnceAndFreeItBeforeTheEnd() throws TraceFormatException {
    Trace trace = compaction();
    BitSet read = new BitSet();
    BitSet freed = new BitSet();
    BitSet written = new BitSet();
    int ends = 0;
    for (int i = 0; i < trace.records(); i++) {
      int block = trace.block(i);
      switch (trace.op(i)) {
        case REWRITE_READ -> {
          assertThat(read.get(block)).isFalse();
          read.set(block);
        }
        case REWRITE_WROTE -> {
          assertThat(trace.sizeBytes(i)).isPositive();
          written.set(block);
        }
        case FREE -> freed.set(block);
        case REWRITE_END -> {
          ends++;
          assertThat(freed).isEqualTo(read);
        }
        default -> assertThat(ends == 0 ? !written.get(block) : written.get(block)).isTrue();
      }
    }
    assertThat(ends).isEqualTo(1);
    assertThat(written.cardinality()).isEqualTo(BLOCKS);
    assertThat(read.cardinality()).isBetween(BLOCKS, BLOCKS + 4);
    assertThat(trace.lookups()).isEqualTo(READS);
    assertThat(trace.footprintBytes())
        .as("outputs live beside the inputs")
        .isBetween(
            3L * BLOCKS / 2 * SyntheticTrace.BLOCK_BYTES,
            (2L * BLOCKS + 4) * SyntheticTrace.BLOCK_BYTES);
  }

  @ParameterizedTest
  @EnumSource(names = {"NVTR", "CSV"})
  void shouldKeepRewritesInFiles(TraceFormat format) throws Exception {
    Trace trace = compaction();
    Path file = directory.resolve("trace");
    TraceFiles.write(trace, file, format);
    Trace again = TraceFiles.read(file, format);
    assertThat(again.records()).isEqualTo(trace.records());
    for (int i = 0; i < trace.records(); i++) {
      assertThat(again.op(i)).isEqualTo(trace.op(i));
      assertThat(again.place(again.block(i))).isEqualTo(trace.place(trace.block(i)));
      assertThat(again.sizeBytes(i)).isEqualTo(trace.sizeBytes(i));
    }
    assertThat(replay(again, "default-heat")).isEqualTo(replay(trace, "default-heat"));
  }

  @Test
  void shouldLeaveRewritesOut() throws TraceFormatException {
    Trace bare = compaction().withoutRewrites();
    assertThat(bare.hasRewrites()).isFalse();
    assertThat(bare.lookups()).isEqualTo(READS);
    Trace zipf = SyntheticTrace.generate(SyntheticSpec.parse("zipf:reads=9").orElseThrow(), 1);
    assertThat(zipf.withoutRewrites()).isSameAs(zipf);
    assertThat(compaction().op(READS / 2)).isEqualTo(TraceOp.REWRITE_READ);
  }

  @Test
  void shouldRefuseMoreBlocksThanItsFilesHave() {
    assertThatThrownBy(() -> SyntheticSpec.parse("compaction:blocks=3000000"))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("at most 2097152");
  }
}
