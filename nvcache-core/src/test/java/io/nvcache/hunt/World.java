// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hunt;

import io.nvcache.OfferResult;
import io.nvcache.Source;
import io.nvcache.hunt.Relics.Pinned;
import io.nvcache.medium.CloseAction;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** One round of a hunt: some caches, all that they hand out, and the dice. */
final class World {
  static final int FILES = 6;
  private static final long[] EXTREMES = {
    -1,
    0,
    1,
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 40,
    (1L << 40) - 1,
    1L << 28,
    1L << 56,
    Long.MAX_VALUE - 4096,
    64,
    4096
  };
  private static final int CACHES = 3;

  final Random random;
  final Steps steps;
  private final Buffers buffers;
  private final Partner partner;
  private final Path directory;
  private final @Nullable MediumMaker maker;
  private final Relics relics = new Relics();
  private final List<Prey> preys = new ArrayList<>();
  private final Map<Prey, Path> files = new HashMap<>();
  private int numbers;

  World(
      long seed,
      Steps steps,
      Buffers buffers,
      Partner partner,
      Path directory,
      @Nullable MediumMaker maker) {
    this.random = new Random(seed);
    this.steps = steps;
    this.buffers = buffers;
    this.partner = partner;
    this.directory = directory;
    this.maker = maker;
  }

  /** Plays scenes, ends what is left, and plays on with what was handed out. */
  void play(int scenes) throws Exception {
    for (int i = 0; i < CACHES; i++) {
      preys.add(Builds.prey(this));
    }
    for (int i = 0; i < scenes; i++) {
      Scene.any(random).play(this);
      requireHealth();
      for (int each = 0; each < CACHES; each++) {
        if (preys.get(each).isClosed()) {
          bury(preys.get(each));
          preys.set(each, Builds.prey(this));
        }
      }
    }
    for (Prey prey : preys) {
      close(prey);
      bury(prey);
    }
    for (int i = 0; i < 30; i++) {
      Scene.afterwards(random).play(this);
    }
    for (Pinned pinned : relics.pins) {
      PinCalls.close(this, pinned);
    }
    for (Prey prey : relics.closed) {
      steps.take(
          "books",
          prey.name,
          Steps.NOTHING,
          () -> {
            require(prey.cache.stats().pinnedBytes() == 0, "keeps pins: " + prey.cache.stats());
            return "";
          });
    }
  }

  void close(Prey prey) {
    steps.act("close", prey.name, Steps.NOTHING, prey.cache::close);
    prey.markClosed();
  }

  private void bury(Prey prey) {
    Relics.keep(relics.closed, prey, random);
    if (prey.medium != null && !(prey.medium instanceof HostileMedium)) {
      MediumCalls.ended(this, prey.medium, true);
    }
  }

  private void requireHealth() {
    for (Prey prey : preys) {
      if (prey.isSound() && !prey.isClosed() && !prey.cache.control().health().inService()) {
        throw new Finding(
            steps.last() + ": took " + prey + " out of service: " + prey.cache.control().health());
      }
    }
  }

  void require(boolean so, String otherwise) {
    if (!so) {
      Finding finding = new Finding(steps.last() + ": " + otherwise);
      steps.report(finding);
      throw finding;
    }
  }

  Buffers buffers() {
    return buffers;
  }

  Partner partner() {
    return partner;
  }

  Relics relics() {
    return relics;
  }

  List<Prey> preys() {
    return preys;
  }

  Prey prey() {
    return preys.get(random.nextInt(preys.size()));
  }

  int nextNumber() {
    return ++numbers;
  }

  Path newFile() {
    return directory.resolve("medium" + nextNumber());
  }

  /** Media of another module, if the hunt is after those. */
  @Nullable MediumMaker maker() {
    return maker;
  }

  void fileOf(Prey prey, Path file) {
    files.put(prey, file);
  }

  @Nullable Path fileOf(Prey prey) {
    return files.get(prey);
  }

  CloseAction atClose() {
    return CloseAction.values()[random.nextInt(CloseAction.values().length)];
  }

  long extreme() {
    return EXTREMES[random.nextInt(EXTREMES.length)];
  }

  long file() {
    return random.nextInt(32) == 0 ? extreme() : 1 + random.nextInt(FILES);
  }

  long offset() {
    return random.nextInt(32) == 0 ? extreme() : random.nextInt(40) * 512L;
  }

  @Nullable Source source() {
    Source[] all = Source.values();
    return random.nextInt(64) == 0 ? null : all[random.nextInt(all.length)];
  }

  byte[] content(long file, long offset) {
    int length =
        random.nextInt(32) == 0
            ? random.nextInt(3) * (Contents.MAX_LENGTH / 2 + 1)
            : 1 + random.nextInt(random.nextBoolean() ? 600 : Contents.MAX_LENGTH);
    return Contents.of(file, offset, random.nextInt(1 << 20), length);
  }

  /** Room for what is wanted; or not quite. */
  HostileBuffer room(byte @Nullable [] wanted) {
    int exact = wanted == null ? random.nextInt(600) : wanted.length;
    int room =
        switch (random.nextInt(8)) {
          case 0 -> 0;
          case 1 -> random.nextInt(exact + 1);
          case 2, 3 -> exact;
          default -> Math.max(exact, Contents.MAX_LENGTH);
        };
    return buffers.room(random, this, room);
  }

  /** Judges what an offer said, and notes what is cached now. */
  void admitted(
      Prey prey,
      long file,
      long offset,
      HostileBuffer block,
      int length,
      @Nullable OfferResult result) {
    require(
        result != OfferResult.ADMITTED || (!block.lacks(length) && length > 0 && offset >= 0),
        "admitted what can't be read");
    require(result == null || !prey.isClosed() || result == OfferResult.CLOSED, "took it closed");
    if (result == OfferResult.ADMITTED) {
      byte[] content = block.content();
      if (content == null) {
        prey.admittedUnknown(file, offset);
      } else {
        prey.admitted(file, offset, content);
      }
    }
  }

  /** What code that the cache calls does with the cache. */
  void useInside(Prey prey) {
    ByteBuffer any = ByteBuffer.allocate(Contents.MAX_LENGTH);
    int got = prey.cache.get(1, 0, any);
    boolean gone = prey.cache.invalidate(2, 512);
    prey.forgotten(2, 512);
    byte[] content = Contents.of(3, 1024, 1, 100);
    if (prey.cache.offer(3, 1024, ByteBuffer.wrap(content), Source.READ) == OfferResult.ADMITTED) {
      prey.admitted(3, 1024, content);
    }
    long lookups = prey.cache.stats().lookups();
    require(got <= Contents.MAX_LENGTH && lookups >= 0 && (gone || !gone), "answers amiss");
  }

  void closeInside(Prey prey) {
    prey.cache.close();
    prey.markClosed();
  }
}
