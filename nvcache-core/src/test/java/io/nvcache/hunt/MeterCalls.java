// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.NOTHING;

import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nvcache.BlockCache;
import io.nvcache.micrometer.NvCacheMetrics;
import io.nvcache.micrometer.TimedBlockCache;
import java.util.List;

/** Meters, of caches that are open and of caches that are closed. */
final class MeterCalls {
  private MeterCalls() {}

  /** A cache's meters, found once and kept, as an exporter does. */
  record Metered(Prey prey, MeterRegistry registry, NvCacheMetrics metrics, List<Meter> meters) {}

  static void bind(World world) {
    Prey prey =
        world.random.nextInt(4) > 0
            ? world.prey()
            : Relics.any(world.relics().closed, world.random);
    if (prey == null) {
      return;
    }
    MeterRegistry registry = new SimpleMeterRegistry();
    NvCacheMetrics metrics = new NvCacheMetrics(prey.cache, prey.name, Tags.empty());
    world.steps.act("meters.bind", prey.name, NOTHING, () -> metrics.bindTo(registry));
    world.steps.act("meters.bind", "again", NOTHING, () -> metrics.bindTo(registry));
    requireGone(world, prey, registry);
    Metered metered = new Metered(prey, registry, metrics, List.copyOf(registry.getMeters()));
    Relics.keep(world.relics().metered, metered, world.random);
    read(world, metered);
    long every = world.extreme();
    TimedBlockCache timed =
        world.steps.take(
            "meters.timed",
            prey + " " + every,
            ARGUMENT,
            () -> new TimedBlockCache(prey.cache, registry, "timed", (int) every));
    if (timed != null) {
      HostileBuffer dst = world.room(null);
      long file = world.file();
      world.steps.act(
          "meters.get",
          file + " " + dst,
          Steps.or(dst.kind().writeFaults(), CacheCalls.OVERFLOW),
          () -> {
            int got = timed.get(file, 0, dst.buffer());
            world.require(got == BlockCache.MISS || !prey.isClosed(), "hit");
          });
    }
  }

  static void old(World world) {
    Metered metered = Relics.any(world.relics().metered, world.random);
    if (metered == null) {
      return;
    }
    read(world, metered);
    requireGone(world, metered.prey(), metered.registry());
    if (world.random.nextInt(4) == 0) {
      world.steps.act("meters.close", metered.prey().name, NOTHING, metered.metrics()::close);
    }
  }

  /** A cache that is closed takes its meters along. */
  private static void requireGone(World world, Prey prey, MeterRegistry registry) {
    boolean left =
        registry.getMeters().stream().anyMatch(meter -> meter.getId().getTag("cache") != null)
            && registry.find("nvcache.in.service").meter() != null;
    world.require(!prey.isClosed() || !left, "left meters of a closed cache");
  }

  private static void read(World world, Metered metered) {
    world.steps.act(
        "meters.read",
        metered.prey().name,
        NOTHING,
        () -> {
          double sum = 0;
          for (Meter meter : metered.meters()) {
            for (Measurement measurement : meter.measure()) {
              sum += measurement.getValue();
            }
          }
          world.require(!Double.isInfinite(sum), "measures no number");
        });
  }
}
