// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.OfferResult;
import io.nvcache.trace.Trace;
import io.nvcache.trace.TraceFiles;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All policies on a recorded trace, {@code web12.txt} next to it says whose. */
class RecordedTraceTest {
  private static final double TARGET = 0.10;
  private static final double DRAM = 0.02;

  private static Trace trace;

  @BeforeAll
  static void read() throws IOException, URISyntaxException {
    Path file =
        Path.of(
            Objects.requireNonNull(
                    RecordedTraceTest.class.getResource("/io/nvcache/trace/web12.nvt.gz"))
                .toURI());
    Trace all = TraceFiles.read(file, null);
    trace = DramFilter.apply(all, (long) (DRAM * all.footprintBytes()));
  }

  private static ReplayResult replay(TracePolicy policy, double part) {
    long bytes = (long) (part * trace.footprintBytes());
    return new Replay(trace, new ReplaySettings(bytes, TARGET, 0, 2_000, 1))
        .run(policy, done -> {});
  }

  private static TracePolicy standard() {
    return TracePolicies.all().stream()
        .filter(policy -> policy.name().equals(TracePolicies.DEFAULT))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void shouldHoldWhatItsLicenceTextSays() {
    assertThat(trace.blocks()).isEqualTo(13_756);
    assertThat(trace.lookups()).isBetween(40_000L, 95_607L);
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.03, 0.10, 0.25})
  void shouldHitAsMuchAsAnyPolicyOfNoMoreWrites(double part) {
    ReplayResult ours = replay(standard(), part);
    double mostWrites = Math.max(1.05 * TARGET, ours.writesPerLookup());
    List<String> better = new ArrayList<>();
    int compared = 0;
    for (TracePolicy policy : TracePolicies.all()) {
      ReplayResult theirs = replay(policy, part);
      if (theirs.writesPerLookup() <= mostWrites) {
        compared++;
        if (theirs.end().hitRatio() > ours.end().hitRatio()) {
          better.add(policy.name() + " " + theirs.end().hitRatio());
        }
      }
    }
    assertThat(compared).isGreaterThan(10);
    assertThat(better).as("than %s", ours.end().hitRatio()).isEmpty();
  }

  /** One capacity beyond the target at most, at each moment, and of all that is written. */
  @ParameterizedTest
  @ValueSource(doubles = {0.03, 0.10, 0.25})
  void shouldKeepItsWritesWithinTheTargetAndTheLoan(double part) {
    ReplayResult result = replay(standard(), part);
    double capacity = Math.floor(part * trace.footprintBytes() / trace.meanBlockBytes());
    double written = 0;
    double allowed = 0;
    for (ReplayResult.Window window : result.windows()) {
      written += window.writes();
      allowed += TARGET * window.lookups();
      assertThat(written).isLessThanOrEqualTo(allowed + Math.max(0, capacity - allowed / 2) + 1);
    }
    assertThat(written).isEqualTo(result.end().offers(OfferResult.ADMITTED));
    assertThat(written).isGreaterThan(capacity);
  }
}
