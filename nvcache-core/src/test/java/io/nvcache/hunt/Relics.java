// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.PinnedBlock;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.control.BlockWalk;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.Sweep;
import io.nvcache.medium.Medium;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** All that caches handed out in a round: kept, and used when its time is over, too. */
final class Relics {
  private static final int MOST = 40;

  /** A pin, what it must show, and whose it is. */
  static final class Pinned {
    final PinnedBlock pin;
    final byte[] content;
    final Prey prey;
    final @Nullable ByteBuffer view;
    boolean closed;

    Pinned(PinnedBlock pin, byte[] content, Prey prey, @Nullable ByteBuffer view) {
      this.pin = pin;
      this.content = content;
      this.prey = prey;
      this.view = view;
    }
  }

  /** Views whose bytes are known and do not change. */
  record Known(ByteBuffer view, byte[] content) {}

  final List<Pinned> pins = new ArrayList<>();
  final List<Known> tiered = new ArrayList<>();
  final List<BlockWalk> walks = new ArrayList<>();
  final List<Medium> media = new ArrayList<>();
  final List<MeterCalls.Metered> metered = new ArrayList<>();
  final List<Prey> closed = new ArrayList<>();

  /** Policies are called by threads of caches. */
  private final List<EvictionContext> evictions = new ArrayList<>();

  private final List<AdmissionContext> admissions = new ArrayList<>();
  private final List<Sweep> sweeps = new ArrayList<>();

  /** Adds one, instead of another when there are many. */
  static <T> void keep(List<T> relics, T relic, Random random) {
    if (relics.size() < MOST) {
      relics.add(relic);
    } else {
      relics.set(random.nextInt(MOST), relic);
    }
  }

  static <T> @Nullable T any(List<T> relics, Random random) {
    return relics.isEmpty() ? null : relics.get(random.nextInt(relics.size()));
  }

  synchronized void keep(EvictionContext context) {
    evictions.add(context);
  }

  synchronized void keep(AdmissionContext context) {
    admissions.add(context);
  }

  synchronized void keep(Sweep sweep) {
    if (sweeps.size() < MOST) {
      sweeps.add(sweep);
    }
  }

  synchronized @Nullable EvictionContext evictionContext(Random random) {
    return any(evictions, random);
  }

  synchronized @Nullable AdmissionContext admissionContext(Random random) {
    return any(admissions, random);
  }

  synchronized @Nullable Sweep sweep(Random random) {
    return any(sweeps, random);
  }

  /** A view that a cache gave. */
  HostileBuffer view(BufferKind kind, Random random) {
    if (kind == BufferKind.TIERED) {
      Known known = any(tiered, random);
      if (known != null) {
        return new HostileBuffer(
            kind, known.view().duplicate(), known.content(), HostileBuffer.ALL);
      }
    }
    Pinned pinned = any(pins, random);
    if (pinned == null || pinned.view == null) {
      return new HostileBuffer(BufferKind.NULL, null, null, 0);
    }
    if (pinned.closed || pinned.prey.isCut()) {
      return new HostileBuffer(BufferKind.STALE, pinned.view.duplicate(), null, HostileBuffer.ALL);
    }
    return new HostileBuffer(
        BufferKind.PINNED, pinned.view.duplicate(), pinned.content, HostileBuffer.ALL);
  }
}
