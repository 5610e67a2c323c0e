// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.medium.FaultyMedium;
import io.nvcache.medium.NativeMedium;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A cache that can't be built gives everything back that was made for it. */
final class EngineAssemblyTest {
  private static final class CountingAdmission implements AdmissionPolicy {
    private final AtomicInteger closed;

    CountingAdmission(AtomicInteger closed) {
      this.closed = closed;
    }

    @Override
    public AdmissionDecision decide(Candidate candidate) {
      return AdmissionDecision.ADMIT;
    }

    @Override
    public void close() {
      closed.incrementAndGet();
    }
  }

  @Test
  void shouldCloseWhatWasMadeWhenALaterPartCanNotBe() {
    AtomicInteger closedAdmissions = new AtomicInteger();
    FaultyMedium medium = new FaultyMedium(NativeMedium.allocate(1 << 20));
    boolean[] broken = {false};
    EngineAssembly assembly =
        new EngineAssembly(
                medium,
                new EngineSettings(),
                context -> {
                  broken[0] = true; // From now on.
                  return new CountingAdmission(closedAdmissions);
                },
                FifoEviction::new)
            .blockSizes(1024, 4096)
            .nanoTime(
                () -> {
                  if (broken[0]) {
                    throw new IllegalStateException("no clock");
                  }
                  return 0;
                });

    assertThatThrownBy(assembly::assemble).hasMessage("no clock");

    assertThat(closedAdmissions).hasValue(1);
    assertThat(medium.closed).as("the builder, which opened it, closes it").hasValue(0);
    medium.close();
  }
}
