// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import io.nvcache.eviction.LfruEviction;
import io.nvcache.eviction.Sweep;
import io.nvcache.eviction.WorthEviction;
import java.util.OptionalDouble;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Policies that do their work and, now and then, mischief. They keep what they are given for the
 * hunt to use later. Each does one kind of mischief, so that a finding tells which.
 */
final class HostilePolicies {
  private static final int[] SLOTS = {
    -1, -2, Integer.MIN_VALUE, Integer.MAX_VALUE, 1 << 28, 1 << 30, 0, 7, 8
  };

  private final World world;
  private final Random random;
  private final Mischief mischief;
  private volatile boolean armed;
  private volatile @Nullable Prey prey;
  private boolean inside;

  HostilePolicies(World world, Mischief mischief) {
    this.world = world;
    this.random = new Random(world.random.nextLong());
    this.mischief = mischief;
  }

  /** From now on, of this cache. */
  void arm(Prey prey) {
    this.prey = prey;
    armed = true;
  }

  private synchronized int dice(int sides) {
    return random.nextInt(sides);
  }

  /** Now and then, what this policy is there for. */
  private void mischief(boolean locked) {
    Prey own = prey;
    if (!armed || own == null || dice(16) != 0) {
      return;
    }
    switch (mischief) {
      case THROW -> throw Planted.exception();
      case THROW_MUTE -> throw Planted.mute();
      case THROW_ERROR -> throw Planted.error();
      case REENTER, REENTER_LOCKED -> {
        if (!inside && !own.background && (!locked || mischief == Mischief.REENTER_LOCKED)) {
          inside = true;
          try {
            world.useInside(own);
          } finally {
            inside = false;
          }
        }
      }
      default -> {}
    }
  }

  /** The same where nothing about a block is asked. */
  private void aside() {
    if (mischief == Mischief.THROW_ASIDE && armed && dice(16) == 0) {
      throw Planted.exception();
    }
  }

  private int slot(int honest) {
    return mischief == Mischief.NONSENSE && armed && dice(4) == 0
        ? SLOTS[dice(SLOTS.length)]
        : honest;
  }

  EvictionPolicy eviction(EvictionContext context) {
    world.relics().keep(context);
    return new Eviction(honest(context, dice(4)));
  }

  static EvictionPolicy honest(EvictionContext context, int which) {
    return switch (which) {
      case 0 -> new FifoEviction(context);
      case 1 -> new ClockEviction(context);
      case 2 -> new LfruEviction(context);
      default -> new WorthEviction(context);
    };
  }

  AdmissionPolicy admission(AdmissionContext context) {
    world.relics().keep(context);
    return new Admission();
  }

  private final class Eviction implements EvictionPolicy {
    private final EvictionPolicy honest;

    Eviction(EvictionPolicy honest) {
      this.honest = honest;
    }

    @Override
    public void onAdmit(int slot) {
      honest.onAdmit(slot);
      mischief(true);
    }

    @Override
    public void onHit(int slot) {
      honest.onHit(slot);
      mischief(false);
    }

    @Override
    public void onRemove(int slot) {
      honest.onRemove(slot);
      mischief(true);
    }

    @Override
    public int victim() {
      int victim = honest.victim();
      mischief(false);
      return slot(victim);
    }

    @Override
    public int worth(int slot) {
      mischief(false);
      return slot(honest.worth(slot));
    }

    @Override
    public void sweep(Sweep sweep) {
      world.relics().keep(sweep);
      honest.sweep(sweep);
      for (int slot : SLOTS) {
        PolicyCalls.useSweep(world, sweep, slot, false);
      }
      aside();
      if (mischief == Mischief.REENTER) {
        mischief(false);
      }
    }

    @Override
    public long metadataBytes() {
      aside();
      return honest.metadataBytes();
    }

    @Override
    public void close() {
      honest.close();
      if (armed && mischief == Mischief.THROW_AT_CLOSE) {
        Planted.any(dice(2) == 0);
      }
    }
  }

  private final class Admission implements AdmissionPolicy {
    @Override
    public @Nullable AdmissionDecision decide(Candidate candidate) {
      mischief(false);
      if (mischief == Mischief.NO_DECISION && armed && dice(8) == 0) {
        return null;
      }
      AdmissionDecision[] all = AdmissionDecision.values();
      return dice(16) == 0 ? all[dice(all.length)] : AdmissionDecision.ADMIT;
    }

    @Override
    public void refund(Candidate candidate) {
      aside();
    }

    @Override
    public boolean mayEvict() {
      aside();
      return dice(8) != 0;
    }

    @Override
    public OptionalDouble overhead() {
      aside();
      return OptionalDouble.of(mischief == Mischief.NONSENSE ? Double.NEGATIVE_INFINITY : 0.1);
    }

    @Override
    public long metadataBytes() {
      aside();
      return slot(0);
    }

    @Override
    public void close() {
      if (armed && mischief == Mischief.THROW_AT_CLOSE) {
        Planted.any(dice(2) == 0);
      }
    }
  }
}
