// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a hunt does, and how often. */
enum Scene {
  GET(60, CacheCalls::get),
  GET_RANGE(30, CacheCalls::getRange),
  OFFER(60, CacheCalls::offer),
  OFFER_LAZILY(40, CacheCalls::offerLazily),
  PIN(30, PinCalls::pin),
  MOVE_PIN(20, PinCalls::move),
  USE(20, CacheCalls::use),
  USE_PIN(30, PinCalls::use),
  INVALIDATE(8, CacheCalls::invalidate),
  INVALIDATE_FILE(2, CacheCalls::invalidateFile),
  WALK(8, CacheCalls::walk),
  OLD_WALK(6, CacheCalls::oldWalk),
  MAINTAIN(8, CacheCalls::maintain),
  SETTINGS(4, SideCalls::settings),
  DATA_SET(4, SideCalls::dataSet),
  LOOK(1, SideCalls::look),
  OUTAGE(2, SideCalls::outage),
  LISTENERS(1, SideCalls::listeners),
  COMPANIONS(1, SideCalls::companions),
  SHADOWS(1, SideCalls::shadows),
  TUNING(1, SideCalls::tuning),
  AFTER_CLOSE(4, SideCalls::afterClose),
  JMX(1, JmxCalls::call),
  // Not by the name of the method, which would ask for Micrometer where it is not there.
  METERS(Micrometer.WEIGHT, world -> MeterCalls.bind(world)),
  OLD_METERS(Micrometer.WEIGHT, world -> MeterCalls.old(world)),
  FREE_MEDIUM(1, MediumCalls::free),
  HELD_MEDIUM(3, MediumCalls::held),
  CUT_MEDIUM(1, MediumCalls::cut),
  MEDIUM_EXTREMES(1, MediumCalls::extremes),
  BUILDER_OPTIONS(1, BuilderCalls::options),
  BUILD_TWICE(1, BuilderCalls::twice),
  SHARED_POLICY(1, BuilderCalls::policies),
  FAILING_BUILD(1, BuilderCalls::failing),
  FAILING_FILE(1, BuilderCalls::failingFile),
  MARKS(6, PolicyCalls::marks),
  SWEEP(4, PolicyCalls::sweep),
  ADMISSION_CONTEXT(4, PolicyCalls::admissionContext),
  POLICY_BY_HAND(1, PolicyCalls::byHand),
  ADMISSION_BY_HAND(1, PolicyCalls::admissionByHand),
  OFF_HEAP(1, PolicyCalls::offHeap),
  TIERED(2, TieredCalls::round),
  TIERED_VANISHING(1, TieredCalls::vanishing),
  TIERED_POLICY(1, TieredCalls::policy),
  CROSS_LOADS(1, TieredCalls::crossLoads),
  CLOSE(1, world -> world.close(world.prey())),
  RACE_ARENA(1, BufferRaces::arena),
  RACE_MAPPING(1, BufferRaces::mapping),
  RACE_MOVED(1, BufferRaces::moved),
  RACE_OVERLAPPING(1, BufferRaces::overlapping),
  RACE_CLOSE(1, Races::close),
  RACE_WALK(1, Races::sharedWalk),
  RACE_BESIDE(1, Races::beside);

  /** What remains possible when all caches are closed. */
  private static final List<Scene> AFTERWARDS =
      List.of(
          PIN,
          OLD_WALK,
          SETTINGS,
          DATA_SET,
          LOOK,
          COMPANIONS,
          LISTENERS,
          SHADOWS,
          TUNING,
          METERS,
          OLD_METERS,
          AFTER_CLOSE,
          MARKS,
          SWEEP,
          ADMISSION_CONTEXT,
          POLICY_BY_HAND,
          ADMISSION_BY_HAND,
          GET,
          PIN,
          OFFER,
          OFFER_LAZILY,
          WALK,
          MAINTAIN,
          INVALIDATE_FILE);

  /** Each as often as it weighs. */
  private static final class Drawn {
    static final List<Scene> SCENES = new ArrayList<>();

    static {
      for (Scene scene : values()) {
        for (int i = 0; i < scene.weight; i++) {
          SCENES.add(scene);
        }
      }
    }
  }

  /** Other modules hunt without it. */
  private static final class Micrometer {
    static final int WEIGHT = isThere() ? 1 : 0;

    private static boolean isThere() {
      try {
        Class.forName("io.micrometer.core.instrument.MeterRegistry");
        return true;
      } catch (ClassNotFoundException e) {
        return false;
      }
    }
  }

  private final int weight;
  private final Play play;

  Scene(int weight, Play play) {
    this.weight = weight;
    this.play = play;
  }

  /** What a scene does. */
  @FunctionalInterface
  private interface Play {
    void in(World world) throws Throwable;
  }

  static Scene any(Random random) {
    return Drawn.SCENES.get(random.nextInt(Drawn.SCENES.size()));
  }

  static Scene afterwards(Random random) {
    Scene scene = AFTERWARDS.get(random.nextInt(AFTERWARDS.size()));
    return scene.weight > 0 ? scene : GET;
  }

  /** Plays it. */
  void play(World world) {
    try {
      play.in(world);
    } catch (Finding finding) {
      throw new Finding(name() + ": " + finding.getMessage(), finding);
    } catch (Throwable e) {
      throw new Finding(name() + " after " + world.steps.last() + ": " + e, e);
    }
  }
}
