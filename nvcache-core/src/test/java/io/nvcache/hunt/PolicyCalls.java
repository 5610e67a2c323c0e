// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.BOUNDS;
import static io.nvcache.hunt.Steps.STATE;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.admission.WorthAdmission;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.SlotMarks;
import io.nvcache.eviction.Sweep;
import io.nvcache.memory.OffHeapBytes;
import java.util.Set;

/** Calls of what caches hand to policies, and of policies made by hand, in and out of season. */
final class PolicyCalls {
  private static final Set<String> OVER = or(BOUNDS, STATE);

  private PolicyCalls() {}

  static void marks(World world) {
    EvictionContext context = world.relics().evictionContext(world.random);
    if (context == null) {
      return;
    }
    SlotMarks marks = context.marks();
    int slot = slot(world, context.slots());
    world.steps.act("marks.get", "" + slot, OVER, () -> marks.get(slot));
    world.steps.act("marks.row", "" + slot, OVER, () -> marks.row(slot));
    // A mark of a slot that is there is the policy's affair, and a policy's only.
    int outside = slot >= 0 && slot < context.slots() ? context.slots() : slot;
    world.steps.act("marks.set", "" + outside, OVER, () -> marks.set(outside, slot));
    world.require(world.steps.thrown() != null, "set a mark that is not there");
    world.steps.act("context.clock", "", Steps.NOTHING, () -> use(context.nanoTime().getAsLong()));
    world.steps.act(
        "context.settings", "", Steps.NOTHING, () -> context.settings().overheadTarget());
  }

  private static void use(long unused) {}

  private static int slot(World world, int slots) {
    return world.random.nextInt(3) == 0
        ? world.random.nextInt(slots)
        : world.random.nextInt(3) == 0 ? slots + world.random.nextInt(9) : (int) world.extreme();
  }

  static void sweep(World world) {
    Sweep sweep = world.relics().sweep(world.random);
    if (sweep == null) {
      return;
    }
    int slot = world.random.nextInt(4) == 0 ? (int) world.extreme() : world.random.nextInt(900);
    world.steps.act("sweep", "" + slot, STATE, () -> useSweep(world, sweep, slot, true));
  }

  /** Over is what a sweep is when its call is. */
  static void useSweep(World world, Sweep sweep, int slot, boolean over) {
    Set<String> allowed = over ? STATE : BOUNDS;
    Steps.Act[] all = {
      () -> sweep.evict(slot),
      () -> sweep.pinned(slot),
      sweep::mayEvict,
      sweep::usedBytes,
      sweep::capacityBytes
    };
    for (Steps.Act each : all) {
      try {
        each.make();
        if (over) {
          world.steps.report(new Finding("a sweep that is over went on"));
        }
      } catch (Throwable e) {
        if (!(e instanceof Planted)) { // mayEvict asks the admission policy.
          world.steps.judge("sweep of slot " + slot, e, allowed);
        }
      }
    }
  }

  static void admissionContext(World world) {
    AdmissionContext context = world.relics().admissionContext(world.random);
    if (context == null) {
      return;
    }
    world.steps.act(
        "traffic",
        "",
        Steps.NOTHING,
        () -> {
          long sum =
              context.traffic().lookups()
                  + context.traffic().hits()
                  + context.traffic().insertedBlocks()
                  + context.traffic().removedBlocks();
          world.require(sum >= 0, "counts " + sum);
        });
    world.steps.act("residents.worth", "", STATE, () -> context.residents().priceNextVictim());
    long extreme = world.extreme();
    world.steps.act(
        "residents", "" + extreme, STATE, () -> context.residents().expect((int) extreme));
  }

  /** As a test or a wrapper would, except for the arguments. */
  static void byHand(World world) {
    EvictionContext context = world.relics().evictionContext(world.random);
    if (context == null) {
      return;
    }
    int slots = 1 + world.random.nextInt(100);
    EvictionContext own =
        new EvictionContext(slots, context.marks(), context.settings(), context.nanoTime());
    EvictionPolicy policy =
        world.steps.take(
            "policy", "" + slots, OVER, () -> HostilePolicies.honest(own, world.random.nextInt(4)));
    if (policy == null) {
      return;
    }
    for (int i = 0; i < 8; i++) {
      int slot = (int) world.extreme();
      world.steps.act("policy.onAdmit", policy + " " + slot, OVER, () -> policy.onAdmit(slot));
      world.steps.act("policy.onHit", policy + " " + slot, OVER, () -> policy.onHit(slot));
      world.steps.act("policy.worth", policy + " " + slot, OVER, () -> policy.worth(slot));
      if (i == 4) {
        world.steps.act("policy.close", "", Steps.NOTHING, policy::close);
      }
    }
    world.steps.act("policy.close", "again", Steps.NOTHING, policy::close);
    world.steps.act("policy.victim", "closed", OVER, policy::victim);
  }

  static void admissionByHand(World world) {
    AdmissionContext context = world.relics().admissionContext(world.random);
    if (context == null) {
      return;
    }
    AdmissionPolicy policy =
        world.steps.take("worthAdmission", "", STATE, () -> new WorthAdmission(context));
    if (policy == null) {
      return;
    }
    for (int i = 0; i < 6; i++) {
      long extreme = world.extreme();
      world.steps.act(
          "admission.decide", "" + extreme, OVER, () -> policy.decide(extreme(extreme)));
      world.steps.act(
          "admission.refund", "" + extreme, OVER, () -> policy.refund(extreme(extreme)));
      if (i == 3) {
        world.steps.act("admission.close", "", Steps.NOTHING, policy::close);
      }
    }
  }

  private static Candidate extreme(long number) {
    return Candidate.of(number, number, (int) number, Source.READ);
  }

  static void offHeap(World world) {
    long size = 1 + world.random.nextInt(100);
    OffHeapBytes bytes =
        world.steps.take("offHeap", "" + size, Steps.NOTHING, () -> OffHeapBytes.zeroed(size, 8));
    if (bytes == null) {
      return;
    }
    for (int i = 0; i < 4; i++) {
      long at = world.extreme();
      world.steps.act("offHeap.put", "" + at, OVER, () -> bytes.putLong(at, 1));
      world.require(world.steps.thrown() != null || (at >= 0 && at <= size - 8), "lay outside");
      world.steps.act("offHeap.get", "" + at, OVER, () -> bytes.getByte(at));
      if (i == 2) {
        world.steps.act("offHeap.close", "", Steps.NOTHING, bytes::close);
      }
    }
    world.steps.act("offHeap.close", "again", Steps.NOTHING, bytes::close);
  }
}
