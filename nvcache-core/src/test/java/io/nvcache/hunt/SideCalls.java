// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import static io.nvcache.hunt.Steps.ARGUMENT;
import static io.nvcache.hunt.Steps.NOTHING;
import static io.nvcache.hunt.Steps.NULL;
import static io.nvcache.hunt.Steps.or;

import io.nvcache.BlockCache;
import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.control.CacheHealth;
import io.nvcache.control.CacheListener;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.SettingListener;
import io.nvcache.control.TuningBounds;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Calls that set, tell and watch. */
final class SideCalls {
  private static final double[] RATIOS = {
    0,
    -0.0,
    -1,
    0.01,
    0.1,
    0.5,
    1,
    10,
    11,
    Double.NaN,
    Double.MAX_VALUE,
    Double.MIN_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };
  private static final String[] CANDIDATES = {
    "live",
    "live@20%",
    "paper*2",
    "admit-all@5%*0.5",
    "",
    "nonsense",
    "live@NaN%",
    "live*1e308",
    "live*-1",
    "paper@%",
    null
  };
  private static final Set<String> ARGUMENT_OR_NULL = or(ARGUMENT, NULL);

  private SideCalls() {}

  static double ratio(World world) {
    return RATIOS[world.random.nextInt(RATIOS.length)];
  }

  static @Nullable Duration duration(World world) {
    return switch (world.random.nextInt(5)) {
      case 0 -> null;
      case 1 -> Duration.ofSeconds(Long.MAX_VALUE, 999_999_999);
      case 2 -> Duration.ofSeconds(Long.MIN_VALUE);
      case 3 -> Duration.ofNanos(world.extreme());
      default -> Duration.ofSeconds(world.random.nextInt(4000));
    };
  }

  static void settings(World world) {
    Prey prey = world.prey();
    LiveSettings settings = prey.cache.control().settings();
    double ratio = ratio(world);
    long bytes = world.extreme();
    Duration duration = duration(world);
    int which = world.random.nextInt(8);
    world.steps.act(
        "settings",
        prey + " " + which + " " + ratio + " " + bytes + " " + duration,
        which == 7 && duration == null ? NULL : ARGUMENT,
        () -> {
          switch (which) {
            case 0 -> settings.setOverheadTarget(ratio);
            case 1 -> settings.setSmallBypassDramBytes(bytes);
            case 2 -> settings.setSmallBypassFraction(ratio);
            case 3 -> settings.setFullTarget(ratio);
            case 4 -> settings.setMaxPinnedBytes(bytes);
            case 5 -> settings.setWriteLimitBytesPerSecond(bytes);
            case 6 -> settings.setWriteLimitBytesPerDay(bytes);
            default -> settings.setEvictionWindow(duration);
          }
        });
    world.steps.act(
        "settings",
        prey + " as they were",
        NOTHING,
        () -> {
          settings.setOverheadTarget(10);
          settings.setSmallBypassDramBytes(0);
          settings.setWriteLimitBytesPerSecond(0);
          settings.setWriteLimitBytesPerDay(0);
        });
  }

  static void dataSet(World world) {
    Prey prey = world.prey();
    long file = world.file();
    long length = world.extreme();
    world.steps.act(
        "dataSet.register",
        prey + " " + file + " " + length,
        ARGUMENT,
        () -> prey.cache.control().dataSet().register(file, length));
    world.require(length >= 0 == (world.steps.thrown() == null), "took the length amiss");
    world.steps.act("dataSet.bytes", "", NOTHING, () -> prey.cache.control().dataSet().bytes());
    world.steps.act(
        "dataSet.unregister",
        prey + " " + file,
        NOTHING,
        () -> prey.cache.control().dataSet().unregister(file));
  }

  static void look(World world) {
    Prey prey = world.prey();
    BlockCache cache = prey.cache;
    world.steps.act(
        "look",
        prey.name,
        NOTHING,
        () -> {
          String all =
              cache.stats()
                  + ""
                  + cache.control().health()
                  + cache.control().conditions()
                  + cache.control().ledger().entries()
                  + cache.control().tuning().report()
                  + cache.control().shadows().report();
          world.require(!all.isEmpty(), "told nothing");
          world.require(cache.stats().pinnedBytes() >= 0, "pins less than nothing");
          world.require(cache.stats().usedBytes() >= 0, "uses less than nothing");
        });
  }

  static void outage(World world) {
    Prey prey = world.prey();
    if (prey.isClosed() || prey.background) {
      return;
    }
    String reason = world.random.nextInt(4) == 0 ? null : "hunted";
    world.steps.act(
        "takeOutOfService",
        prey + " " + reason,
        reason == null ? ARGUMENT_OR_NULL : NOTHING,
        () -> prey.cache.control().takeOutOfService(reason));
    if (world.steps.thrown() == null) {
      world.steps.act(
          "outOfService",
          prey.name,
          NOTHING,
          () -> {
            ByteBuffer any = ByteBuffer.allocate(Contents.MAX_LENGTH);
            world.require(prey.cache.get(1, 0, any) == BlockCache.MISS, "served");
            world.require(
                prey.cache.offer(1, 0, any, Source.READ) == OfferResult.OUT_OF_SERVICE, "took");
            world.require(!prey.cache.control().health().inService(), "says it is in service");
            world.require(prey.cache.control().health().reason() != null, "tells no reason");
            prey.clock.jump(1_000_000_000L);
            prey.cache.control().maintain(); // Listeners hear of it.
          });
    }
    world.steps.act("returnToService", prey.name, NOTHING, prey.cache.control()::returnToService);
  }

  static void listeners(World world) {
    Prey prey = world.prey();
    int dice = world.random.nextInt(8);
    CacheListener listener =
        switch (dice) {
          case 0 -> null;
          case 1 -> event -> world.closeInside(prey);
          case 2 -> event -> world.useInside(prey);
          case 3 ->
              event -> {
                throw Planted.exception();
              };
          default -> event -> Planted.any(dice % 2 == 0);
        };
    SettingListener ofSettings =
        switch (dice) {
          case 0 -> null;
          case 1 -> (setting, before, after) -> prey.cache.control().settings().setFullTarget(0.5);
          case 2 ->
              (setting, before, after) -> {
                throw Planted.exception();
              };
          case 3 -> (setting, before, after) -> world.useInside(prey);
          default -> (setting, before, after) -> Planted.any(dice % 2 == 0);
        };
    Set<String> allowed = dice == 0 ? NULL : NOTHING;
    world.steps.act(
        "addListener",
        prey + " " + dice,
        allowed,
        () -> prey.cache.control().addListener(listener));
    world.steps.act(
        "settings.addListener",
        prey + " " + dice,
        allowed,
        () -> prey.cache.control().settings().addListener(ofSettings));
    if (world.random.nextBoolean()) {
      world.steps.act(
          "removeListener",
          prey.name,
          allowed,
          () -> {
            prey.cache.control().removeListener(listener);
            prey.cache.control().settings().removeListener(ofSettings);
          });
    }
  }

  static void companions(World world) {
    Prey prey = world.prey();
    int dice = world.random.nextInt(7);
    AutoCloseable companion =
        switch (dice) {
          case 0 -> null;
          case 1 -> prey.cache;
          case 2 ->
              () -> {
                throw Planted.error();
              };
          case 3 ->
              () -> {
                throw Planted.mute();
              };
          case 4 -> () -> prey.cache.control().addCompanion(() -> {});
          case 5 -> () -> world.useInside(prey);
          default -> () -> {};
        };
    world.steps.act(
        "addCompanion",
        prey + " " + dice,
        dice == 0 ? NULL : NOTHING,
        () -> prey.cache.control().addCompanion(companion));
    if (dice == 1 && world.steps.thrown() == null && prey.isClosed()) {
      prey.markClosed();
    }
    if (world.random.nextInt(4) == 0) {
      world.steps.act(
          "removeCompanion",
          prey.name,
          dice == 0 ? NULL : NOTHING,
          () -> prey.cache.control().removeCompanion(companion));
    }
  }

  static void shadows(World world) {
    Prey prey = world.prey();
    double ratio = world.random.nextInt(3) == 0 ? ratio(world) : 0;
    List<String> candidates = new ArrayList<>();
    for (int i = world.random.nextInt(4); i > 0; i--) {
      candidates.add(CANDIDATES[world.random.nextInt(CANDIDATES.length)]);
    }
    List<String> specs = world.random.nextInt(8) == 0 ? null : candidates;
    world.steps.act(
        "shadows.candidates",
        prey + " " + specs,
        ARGUMENT,
        () -> prey.cache.control().shadows().setCandidates(specs));
    Set<String> allowed = or(or(ARGUMENT, prey.mayThrowFromFactories()), NOTHING);
    world.steps.act(
        "shadows.ratio",
        prey + " " + ratio,
        allowed,
        () -> prey.cache.control().shadows().setSampleRatio(ratio));
    CacheCalls.use(world);
    world.steps.act(
        "shadows.report", prey.name, NOTHING, () -> prey.cache.control().shadows().report());
    world.steps.act(
        "shadows.reset", prey.name, allowed, () -> prey.cache.control().shadows().reset());
    world.steps.act(
        "shadows.off",
        prey.name,
        allowed,
        () -> {
          prey.cache.control().shadows().setCandidates(List.of());
          prey.cache.control().shadows().setSampleRatio(0);
        });
  }

  static void tuning(World world) {
    Prey prey = world.prey();
    double least = ratio(world);
    double most = ratio(world);
    Duration missCost = duration(world);
    TuningBounds bounds =
        world.steps.take(
            "tuningBounds",
            least + " " + most + " " + missCost,
            missCost == null ? ARGUMENT_OR_NULL : ARGUMENT,
            () -> new TuningBounds(least, most, missCost));
    boolean valid = world.random.nextInt(4) == 0;
    TuningBounds started = valid ? new TuningBounds(0.01, 0.5, Duration.ofMillis(1)) : bounds;
    world.steps.act(
        "tuning.start",
        prey + " " + started,
        or(started == null ? NULL : ARGUMENT, prey.mayThrowFromFactories()),
        () -> prey.cache.control().tuning().start(started));
    world.steps.act(
        "tuning.report", prey.name, NOTHING, () -> prey.cache.control().tuning().report());
    world.steps.act("tuning.stop", prey.name, NOTHING, prey.cache.control().tuning()::stop);
  }

  /** Told of a cache long closed. */
  static void afterClose(World world) {
    Prey prey = Relics.any(world.relics().closed, world.random);
    if (prey == null) {
      return;
    }
    world.steps.act(
        "afterClose",
        prey.name,
        NOTHING,
        () -> {
          CacheHealth health = prey.cache.control().health();
          world.require(health != null, "has no health");
          world.require(prey.cache.pin(1, 0) == null, "pinned");
          ByteBuffer block = ByteBuffer.wrap(Arrays.copyOf(new byte[] {1}, 100));
          world.require(
              prey.cache.offer(1, 0, block, Source.READ) == OfferResult.CLOSED, "took a block");
          world.require(prey.cache.get(1, 0, block) == BlockCache.MISS, "hit");
          world.require(!prey.cache.control().walk().next(), "walked");
          world.require(!prey.cache.invalidate(1, 0), "had a block");
          prey.cache.invalidateFile(1);
          prey.cache.control().maintain();
          prey.cache.control().takeOutOfService("closed");
          prey.cache.control().returnToService();
          prey.cache.close();
        });
    List<String> wrong =
        world.steps.take(
            "books", prey.name, NOTHING, () -> prey.cache.control().ledger().contradictions());
    world.require(wrong == null || wrong.isEmpty() || !prey.isOrdinary(), "books: " + wrong);
  }
}
