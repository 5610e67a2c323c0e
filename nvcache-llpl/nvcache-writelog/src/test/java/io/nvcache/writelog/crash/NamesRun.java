// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.RecoveryReport;
import io.nvcache.writelog.crash.NameModel.Saved;
import io.nvcache.writelog.format.LogLayout;
import io.nvcache.writelog.log.LogEngine;
import io.nvcache.writelog.log.LogSettings;
import io.nvcache.writelog.log.LoggedFile;
import io.nvcache.writelog.log.NameChanges;
import io.nvcache.writelog.recovery.Recovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets programs run on a machine that crashes which write files through the log and change their
 * names past it, as {@code java.io.File} does: they create, write, force, force the directory,
 * rename over, delete, link, map and open again, by the same names in both worlds.
 *
 * <p>What is found after a crash is compared with {@linkplain NameModel what is promised}. The same
 * seed gives the same run.
 */
public final class NamesRun {
  static final Path ROOT = Path.of("/r");
  static final Path ORPHANS = Path.of("/orphans");
  private static final Path OUTSIDE = Path.of("/out");
  private static final String[] NAMES = {"a", "b", "c", "d"};
  private static final int LIVES_OF_A_WORLD = 24;
  private static final int MAX_FINDINGS = 5;
  private static final int MAX_LENGTH = 2000;

  private final long seed;
  private final PlantedFault fault;
  private final Propagation propagation;
  private final List<String> findings = new ArrayList<>();
  private long crashes;
  private long recoveryCrashes;
  private long writes;
  private long records;

  /** Makes a run. */
  public NamesRun(long seed, PlantedFault fault, Propagation propagation) {
    this.seed = seed;
    this.fault = fault;
    this.propagation = propagation;
  }

  /**
   * Crashes so many times.
   *
   * @param stop asked now and then whether to end before
   */
  public CrashReport run(long count, BooleanSupplier stop) {
    for (long world = 0; crashes < count && !stop.getAsBoolean(); world++) {
      new World(seed + world).run(Math.min(LIVES_OF_A_WORLD, count - crashes));
      if (findings.size() >= MAX_FINDINGS || (fault != PlantedFault.NONE && !findings.isEmpty())) {
        break;
      }
    }
    return new CrashReport(
        crashes, recoveryCrashes, writes, 0, records, findings.size(), 0, findings);
  }

  /** A log and a disk that live through some crashes. */
  private final class World {
    private final long worldSeed;
    private final SplittableRandom random;
    private final CrashClock clock;
    private final CrashDisk disk;
    private final CrashMemory memory;
    private final LogLayout layout;
    private final LogSettings settings;
    private final NameModel model = new NameModel();
    private final Map<Long, LoggedFile> open = new HashMap<>();
    private LogEngine engine;
    private boolean orphaned;

    World(long worldSeed) {
      this.worldSeed = worldSeed;
      this.random = new SplittableRandom(worldSeed);
      this.clock = new CrashClock(random.split());
      this.disk = new CrashDisk(clock, random.split(), fault, propagation);
      this.layout =
          new LogLayout(1 + random.nextInt(2), LogLayout.MIN_LANE_BYTES, 64, worldSeed, 0);
      this.memory = new CrashMemory(layout, clock, random.split(), fault);
      disk.replacesEarly(random.nextBoolean());
      this.settings = new LogSettings(List.of(ROOT), ORPHANS, true, 0, propagation, 12);
      this.engine = engine();
    }

    private LogEngine engine() {
      try {
        return new LogEngine(memory, layout, disk, settings, clock::millis);
      } catch (IOException e) { // Its memory forgets, but does not fail.
        throw new UncheckedIOException(e);
      }
    }

    void run(long lives) {
      for (long life = 0; life < lives && findings.size() < MAX_FINDINGS; life++) {
        live();
        crashes++;
        boolean powerLoss = random.nextInt(3) != 0;
        crash(powerLoss);
        Path stranger = random.nextInt(3) == 0 ? makeAStranger() : null;
        byte[] before = stranger == null ? null : disk.read(stranger);
        boolean lostPower = recover(powerLoss);
        String when = "life " + life + (lostPower ? ", power" : ", kill");
        find(when, model.fault(disk, !lostPower, saved(powerLoss, lostPower)));
        if (stranger != null && !Arrays.equals(before, disk.read(stranger))) {
          find(when, "a file that another program made got bytes of the log");
        }
        crash(true); // What is recovered must be durable; what left the roots is the system's.
        find(when + ", and after the recovery", model.fault(disk, false, Saved.PERHAPS));
        if (stranger != null && disk.read(stranger) != null) {
          disk.delete(stranger);
        }
        disk.births().keySet().stream()
            .filter(path -> !path.startsWith(ROOT))
            .forEach(disk::delete);
        disk.syncDirectory(ROOT);
        model.begin(disk);
      }
    }

    private Saved saved(boolean powerLoss, boolean lostPower) {
      Saved known = orphaned ? Saved.IN_ORPHANS : Saved.NOWHERE;
      return lostPower && !powerLoss ? Saved.PERHAPS : known;
    }

    private void find(String when, @Nullable String what) {
      if (what != null && findings.size() < MAX_FINDINGS) {
        findings.add("seed " + worldSeed + ", " + when + ": " + what);
      }
    }

    private void crash(boolean powerLoss) {
      clock.powerOff();
      disk.closeAll();
      if (powerLoss) {
        memory.crash();
        disk.crash();
      }
      clock.onStep(() -> {});
      clock.boot(Long.MAX_VALUE / 2);
    }

    /** Another program runs before the recovery; its file may get the number of a deleted one. */
    private Path makeAStranger() {
      String name = NAMES[random.nextInt(NAMES.length)];
      Path path = ROOT.resolve(disk.read(ROOT.resolve(name)) == null ? name : "stranger");
      try {
        disk.create(path, ROOT, 0600).write(ByteBuffer.wrap(new byte[] {1, 2, 3}), 0);
        disk.open(path).force();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      disk.syncDirectory(ROOT);
      disk.closeAll();
      model.stranger(path);
      return path;
    }

    /** Returns whether the power went, before or meanwhile. */
    private boolean recover(boolean powerLoss) {
      boolean lost = powerLoss;
      disk.recovering(true);
      for (int attempt = 0; ; attempt++) {
        boolean crashes = attempt < 3 && random.nextInt(4) == 0;
        clock.boot(crashes ? 1 + random.nextInt(60) : Long.MAX_VALUE / 2);
        try {
          RecoveryReport report =
              new Recovery(memory, layout, disk, settings, clock::millis).run(false);
          records += report.records();
          break;
        } catch (Crash e) {
          recoveryCrashes++;
          boolean power = random.nextBoolean();
          lost |= power;
          crash(power);
        } catch (IOException e) {
          find("recovery", "it failed: " + e);
          break;
        }
      }
      disk.recovering(false);
      clock.boot(Long.MAX_VALUE / 2);
      orphaned = false;
      for (Path path : disk.births().keySet()) {
        if (path.startsWith(ORPHANS)) {
          orphaned = true; // Perhaps of an attempt that a crash ended when all was done.
        }
      }
      return lost;
    }

    // ---- what the program does

    private void live() {
      open.clear();
      clock.onStep(() -> {});
      clock.boot(1 + random.nextInt(random.nextInt(6) == 0 ? 1500 : 250));
      try {
        engine = engine();
        clock.onStep(this::others);
        while (true) {
          operate(NAMES[random.nextInt(NAMES.length)]);
          clock.step();
        }
      } catch (Crash e) {
        clock.powerOff();
      } catch (IOException e) {
        find("while it ran", "it failed: " + e);
      } finally {
        clock.onStep(() -> {});
      }
    }

    private void others() {
      // Another thread's drain gets no names that are held; see the emulation's one thread.
      if (random.nextInt(3) == 0 && !engine.names().isHeldByCurrentThread()) {
        disk.believing(true);
        engine.drain();
        disk.believing(false);
      }
    }

    private void operate(String name) throws IOException {
      Path path = ROOT.resolve(name);
      NameModel.Node node = model.at(path);
      if (node == null) {
        create(path);
        return;
      }
      Path other = ROOT.resolve(NAMES[random.nextInt(NAMES.length)]);
      switch (random.nextInt(18)) {
        case 0 -> model.change(model.without(path), () -> disk.delete(path));
        case 1, 2 -> rename(path, other);
        case 3 -> {
          if (model.at(other) == null) {
            model.change(model.with(other, node), () -> disk.link(path, other));
          }
        }
        case 4 -> delete(path);
        case 5 -> move(path, other);
        case 6 -> forceDirectory();
        case 7, 8 -> force(path, node);
        case 9 -> close(node);
        case 10 -> map(path, node);
        case 11 -> engine.drain();
        case 12 -> engine.lookAtKept();
        case 13 -> {
          Path outside = OUTSIDE.resolve("x" + node.birth());
          model.change(model.moved(path, outside), () -> disk.move(path, outside));
        }
        default -> write(path, node);
      }
    }

    private void rename(Path from, Path to) throws IOException {
      if (model.at(from) != model.at(to)) { // The kernel does nothing with two names of one file.
        model.change(model.moved(from, to), () -> disk.move(from, to));
      }
    }

    private Object key(Path path) {
      Object key = disk.key(path);
      if (key == null) {
        throw new IllegalStateException(path + " is missing on the disk");
      }
      return key;
    }

    private void create(Path path) throws IOException {
      boolean byTheLog = random.nextInt(4) != 0;
      engine.names().lock();
      try {
        NameModel.Node node = model.newNode(disk.nextBirth());
        model.change(model.with(path, node), () -> disk.create(path, ROOT, 0600).close());
        open.put(node.birth(), engine.open(path, key(path), byTheLog));
      } finally {
        engine.names().unlock();
      }
    }

    private LoggedFile file(Path path, NameModel.Node node) throws IOException {
      LoggedFile file = open.get(node.birth());
      if (file == null) {
        engine.names().lock();
        try {
          file = engine.open(path, key(path), false);
          open.put(node.birth(), file);
        } finally {
          engine.names().unlock();
        }
      }
      return file;
    }

    private void close(NameModel.Node node) throws IOException {
      LoggedFile file = open.remove(node.birth());
      if (file != null) {
        engine.names().lock();
        try {
          file.uses().release();
        } finally {
          engine.names().unlock();
        }
      }
    }

    private void write(Path path, NameModel.Node node) throws IOException {
      LoggedFile file = file(path, node);
      byte[] bytes = new byte[1 + random.nextInt(200)];
      random.nextBytes(bytes);
      int at = random.nextInt(Math.min(MAX_LENGTH, node.content().length()) + 1);
      boolean isLogged = !file.hasLeft();
      FileModel after = node.content().copy();
      if (isLogged) {
        after.write(bytes, at);
      } else {
        after.failed(at, bytes.length);
      }
      node.begin(after);
      long seq = engine.lastSeq();
      file.write(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1, at);
      if (isLogged) {
        model.written(node, seq);
      }
      node.end(after);
      writes++;
    }

    private void force(Path path, NameModel.Node node) throws IOException {
      LoggedFile file = file(path, node);
      int promised = model.promiseOfForce(engine.drainedSeq());
      disk.believing(true);
      file.force();
      disk.believing(false);
      model.promise(promised);
      byte[] bytes = disk.read(path);
      if (file.hasLeft() && bytes != null) {
        node.end(FileModel.of(bytes));
      }
    }

    private void forceDirectory() throws IOException {
      disk.believing(true);
      if (fault != PlantedFault.DIRECTORY_FORCE_UNSEEN) {
        engine.beforeDirectoryForce();
      }
      disk.believing(false);
      disk.syncDirectory(ROOT);
      model.forced();
    }

    private void delete(Path path) throws IOException {
      model.change(
          model.without(path),
          () -> NameChanges.delete(engine, path, () -> disk.key(path), () -> disk.delete(path)));
      model.promise(model.now());
    }

    private void move(Path from, Path to) throws IOException {
      if (model.at(from) != model.at(to)) {
        model.change(
            model.moved(from, to),
            () ->
                NameChanges.move(engine, from, to, () -> disk.key(to), () -> disk.move(from, to)));
        model.promise(model.now());
      }
    }

    /** Stores to a mapping are durable when the file is forced. */
    private void map(Path path, NameModel.Node node) throws IOException {
      LoggedFile file = file(path, node);
      engine.names().lock();
      try {
        file.lock();
        try {
          file.settle();
          file.leave();
        } finally {
          file.unlock();
        }
        file.uses().keep();
        node.left();
      } finally {
        engine.names().unlock();
      }
      byte[] bytes = new byte[1 + random.nextInt(100)];
      random.nextBytes(bytes);
      int at = random.nextInt(node.content().length() + 1);
      FileModel after = node.content().copy();
      after.failed(at, bytes.length);
      node.end(after);
      file.write(new ByteBuffer[] {ByteBuffer.wrap(bytes)}, 0, 1, at);
    }
  }
}
