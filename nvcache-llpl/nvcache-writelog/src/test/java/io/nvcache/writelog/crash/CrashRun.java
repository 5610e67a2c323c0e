// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.RecoveryReport;
import io.nvcache.writelog.disk.FileSource;
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
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the log run on a machine that crashes, recovers what is left, and compares each file with
 * what was acknowledged: it must hold exactly that, with the change that was on its way or without
 * it. Before the crash, each reader must see what was acknowledged, too. The same seed gives the
 * same run.
 */
public final class CrashRun {
  private static final Path ROOT = Path.of("/r");
  private static final String[] NAMES = {"a", "b", "c", "d", "e"};
  private static final int LIVES_OF_A_WORLD = 48;
  private static final int MAX_FINDINGS = 5;
  private static final int MAX_LENGTH = 6000;

  private final long seed;
  private final PlantedFault fault;
  private final Propagation propagation;
  private long crashes;
  private long recoveryCrashes;
  private long writes;
  private long reads;
  private long records;
  private long lost;
  private long resurrected;
  private final List<String> findings = new ArrayList<>();

  /** Makes a run. */
  public CrashRun(long seed, PlantedFault fault, Propagation propagation) {
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
      if (fault != PlantedFault.NONE && lost + resurrected > 0) {
        break; // It is caught.
      }
    }
    return new CrashReport(
        crashes, recoveryCrashes, writes, reads, records, lost, resurrected, findings);
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

    /** By name; absent if the file must be missing. */
    private final Map<String, FileModel> models = new TreeMap<>();

    /** What an unfinished change would make of a file; null if it would delete it. */
    private final Map<String, @Nullable FileModel> underWay = new HashMap<>();

    private @Nullable String movedFrom;
    private @Nullable String movedTo;
    private final Set<String> busy = new HashSet<>();
    private final Map<String, LoggedFile> open = new HashMap<>();
    private LogEngine engine;

    World(long worldSeed) {
      this.worldSeed = worldSeed;
      this.random = new SplittableRandom(worldSeed);
      this.clock = new CrashClock(random.split());
      this.disk = new CrashDisk(clock, random.split(), fault, propagation);
      this.layout = new LogLayout(1 + random.nextInt(3), LogLayout.MIN_LANE_BYTES, 8, worldSeed, 0);
      this.memory = new CrashMemory(layout, clock, random.split(), fault);
      boolean absorbs = random.nextInt(4) != 0;
      int batch = 1 + random.nextInt(12);
      this.settings =
          new LogSettings(List.of(ROOT), ROOT.resolve("orphans"), absorbs, 0, propagation, batch);
      if (random.nextInt(3) == 0 || fault == PlantedFault.SECOND_SYNC_BELIEVED) {
        disk.fail(8, random.nextInt(2) * 40);
      }
      if (fault == PlantedFault.SYNC_FAILURE_IGNORED) {
        disk.fail(4, 0);
      }
      this.engine = engine();
      clock.onStep(this::others);
    }

    private LogEngine engine() {
      try {
        return new LogEngine(memory, layout, disk, settings, clock::millis);
      } catch (IOException e) { // Its memory forgets, but does not fail.
        throw new UncheckedIOException(e);
      }
    }

    void run(long lives) {
      for (long life = 0; life < lives; life++) {
        live();
        crashes++;
        boolean powerLoss = random.nextInt(5) != 0;
        crash(powerLoss);
        recover();
        crash(true); // What is recovered must be durable.
        verify(life);
        if (findings.size() >= MAX_FINDINGS) {
          return;
        }
      }
    }

    private void live() {
      open.clear();
      busy.clear();
      underWay.clear();
      movedFrom = null;
      movedTo = null;
      clock.boot(1 + random.nextInt(random.nextInt(8) == 0 ? 2500 : 350));
      try {
        clock.onStep(() -> {}); // Nothing works before the engine is there.
        engine = engine();
        clock.onStep(this::others);
        while (true) {
          operate();
          clock.step();
        }
      } catch (Crash e) {
        clock.powerOff();
      } finally {
        clock.onStep(this::others);
      }
    }

    private void crash(boolean powerLoss) {
      clock.powerOff();
      if (powerLoss) {
        memory.crash();
        disk.crash();
      }
    }

    private void recover() {
      clock.onStep(() -> {});
      disk.recovering(true);
      for (int attempt = 0; ; attempt++) {
        boolean crashes = attempt < 4 && random.nextInt(3) == 0;
        clock.boot(crashes ? 1 + random.nextInt(60) : Long.MAX_VALUE / 2);
        try {
          RecoveryReport report =
              new Recovery(memory, layout, disk, settings, clock::millis).run(false);
          records += report.records();
          if (!report.orphans().isEmpty()) {
            find("acknowledged bytes have no file: " + report.orphans());
          }
          break;
        } catch (Crash e) {
          recoveryCrashes++;
          crash(true);
        } catch (IOException e) {
          if (attempt > 20) {
            find("no recovery: " + e);
            break;
          }
        }
      }
      disk.recovering(false);
      clock.onStep(this::others);
    }

    // ---- what the program does

    /** Another thread's work, in the middle of this one's. */
    private void others() {
      if (random.nextInt(3) == 0) {
        engine.drain();
      } else {
        operate();
      }
    }

    private void operate() {
      String name = NAMES[random.nextInt(NAMES.length)];
      if (!busy.add(name)) {
        return;
      }
      boolean alive = false;
      try {
        operate(name);
        alive = true;
      } catch (IOException e) {
        alive = true; // Counted by the operation; the program goes on.
      } finally {
        if (alive) {
          busy.remove(name);
          underWay.remove(name);
        }
      }
    }

    private void operate(String name) throws IOException {
      FileModel model = models.get(name);
      if (model == null) {
        create(name);
        return;
      }
      LoggedFile file = open.get(name);
      if (file == null) {
        if (engine.find(key(name)) == null && random.nextInt(2) == 0) {
          writeOutside(name, model);
          return;
        }
        file = reopen(name);
      }
      if (file.isHeld()) {
        return; // By the work that this one runs in; another thread would wait.
      }
      switch (random.nextInt(clock.depth() == 0 ? 16 : 12)) {
        case 0 -> truncate(name, model, file);
        case 1 -> force(model, file);
        case 2 -> close(name, file);
        case 3 -> read(name, model, file);
        case 12 -> file.writeThrough();
        case 13 -> delete(name);
        case 14 -> move(name);
        case 15 -> engine.drain();
        default -> write(name, model, file);
      }
    }

    private Path path(String name) {
      return ROOT.resolve(name);
    }

    private Object key(String name) {
      Object key = disk.key(path(name));
      if (key == null) {
        throw new IllegalStateException(name + " is missing on the disk");
      }
      return key;
    }

    private void create(String name) throws IOException {
      FileModel model = new FileModel();
      underWay.put(name, model);
      engine.names().lock();
      try {
        disk.create(path(name), ROOT, 0600);
        models.put(name, model);
        open.put(name, engine.open(path(name), key(name), true));
      } finally {
        engine.names().unlock();
      }
    }

    /** Another program writes, and this one has it made durable. */
    private void writeOutside(String name, FileModel model) throws IOException {
      byte[] bytes = new byte[1 + random.nextInt(120)];
      random.nextBytes(bytes);
      int at = random.nextInt(Math.min(MAX_LENGTH, model.length()) + 1);
      FileModel part = model.copy();
      part.failed(at, bytes.length);
      models.put(name, part);
      disk.open(path(name)).write(ByteBuffer.wrap(bytes), at);
      reopen(name).force();
      model.write(bytes, at);
      models.put(name, model);
    }

    private LoggedFile reopen(String name) throws IOException {
      engine.names().lock();
      try {
        LoggedFile file = engine.open(path(name), key(name), false);
        open.put(name, file);
        return file;
      } finally {
        engine.names().unlock();
      }
    }

    private void close(String name, LoggedFile file) throws IOException {
      open.remove(name);
      engine.names().lock();
      try {
        file.uses().release();
      } finally {
        engine.names().unlock();
      }
    }

    private void write(String name, FileModel model, LoggedFile file) throws IOException {
      byte[] bytes = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? 900 : 120)];
      random.nextBytes(bytes);
      boolean append = random.nextInt(3) == 0;
      int at = append ? -1 : random.nextInt(Math.min(MAX_LENGTH, model.length() + 40) + 1);
      int where = append ? length(name, file) : at;
      FileModel after = model.copy();
      after.write(bytes, where);
      underWay.put(name, after);
      if (disk.failsWrites()) {
        // It may have failed in part, and its caller not have heard of it.
        FileModel part = model.copy();
        part.failed(where, bytes.length);
        underWay.put(name, part);
      }
      if (fault == PlantedFault.APPLIED_FIRST) {
        disk.open(path(name)).write(ByteBuffer.wrap(bytes), where);
      }
      int cut = random.nextInt(bytes.length + 1);
      ByteBuffer[] parts = {
        ByteBuffer.wrap(bytes, 0, cut), ByteBuffer.wrap(bytes, cut, bytes.length - cut)
      };
      try {
        file.write(parts, 0, 2, at);
        models.put(name, after);
        writes++;
      } catch (IOException e) {
        model.failed(where, bytes.length);
        throw e;
      }
    }

    private int length(String name, LoggedFile file) throws IOException {
      byte[] bytes = disk.read(path(name));
      return (int) file.length(() -> bytes == null ? 0 : bytes.length);
    }

    private void read(String name, FileModel model, LoggedFile file) throws IOException {
      byte[] before = disk.read(path(name));
      FileSource source = (target, at) -> disk.read(path(name), target, at);
      if (fault == PlantedFault.LOG_READ_TOO_LATE && before != null) {
        source =
            (target, at) -> {
              int n = (int) Math.min(target.remaining(), before.length - at);
              target.put(before, (int) Math.min(at, before.length), Math.max(0, n));
              return n <= 0 ? -1 : n;
            };
        engine.drain();
      }
      int at = random.nextInt(model.length() + 20);
      byte[] bytes = new byte[1 + random.nextInt(MAX_LENGTH)];
      ByteBuffer target = ByteBuffer.wrap(bytes);
      int n =
          fault == PlantedFault.READ_WITHOUT_LOG
              ? source.read(target, at)
              : file.read(target, at, source);
      String wrong = model.readFault(bytes, at, n);
      if (wrong != null) {
        find(name + " was read at " + at + ": " + wrong);
      }
      reads++;
    }

    private void truncate(String name, FileModel model, LoggedFile file) throws IOException {
      int actual = length(name, file);
      if (actual == 0 || !model.isDurable()) {
        return;
      }
      int to = random.nextInt(actual);
      FileModel after = model.copy();
      after.failed(model.length(), Math.max(0, actual - model.length()));
      after.write(new byte[0], 0);
      if (to <= model.length()) {
        after.truncate(to);
      } else {
        return;
      }
      underWay.put(name, after);
      file.truncate(to);
      models.put(name, after);
    }

    private void force(FileModel model, LoggedFile file) throws IOException {
      file.force();
      model.durable();
    }

    private void delete(String name) throws IOException {
      LoggedFile file = open.get(name);
      underWay.put(name, null);
      Path path = path(name);
      Object key = fault == PlantedFault.DELETED_UNDRAINED ? null : key(name);
      NameChanges.delete(engine, path, () -> key, () -> disk.delete(path));
      models.remove(name);
      open.remove(name);
      if (file != null) {
        engine.names().lock();
        try {
          file.uses().release();
        } finally {
          engine.names().unlock();
        }
      }
    }

    private void move(String from) throws IOException {
      String to = NAMES[random.nextInt(NAMES.length)];
      if (!busy.add(to)) {
        return;
      }
      movedFrom = from;
      movedTo = to;
      boolean alive = false;
      try {
        Object replaced = disk.key(path(to));
        if (fault == PlantedFault.RENAMED_UNDRAINED) {
          disk.move(path(from), path(to));
          disk.syncDirectory(ROOT);
        } else {
          NameChanges.move(
              engine, path(from), path(to), () -> replaced, () -> disk.move(path(from), path(to)));
        }
        moved(from, to);
        alive = true;
      } catch (IOException e) {
        alive = true;
        throw e;
      } finally {
        if (alive) {
          busy.remove(to);
          movedFrom = null;
          movedTo = null;
        }
      }
    }

    private void moved(String from, String to) throws IOException {
      FileModel model = models.remove(from);
      if (model != null) {
        model.durable();
        models.put(to, model);
      }
      LoggedFile replacedFile = open.remove(to);
      LoggedFile file = open.remove(from);
      if (file != null) {
        open.put(to, file);
      }
      if (replacedFile != null) {
        close(to + " before", replacedFile);
      }
    }

    // ---- what must be there then

    private void verify(long life) {
      clock.boot(Long.MAX_VALUE / 2);
      String from = movedFrom;
      String to = movedTo;
      String moved = from == null || to == null ? null : movedFault(models, from, to);
      Map<String, FileModel> before = Map.copyOf(models);
      for (String name : NAMES) {
        FileModel model = before.get(name);
        byte[] actual = disk.read(path(name));
        String wrong;
        if (from != null && to != null && (name.equals(from) || name.equals(to))) {
          wrong = name.equals(to) ? null : moved;
        } else {
          wrong = fault(model, actual);
          if (wrong != null && underWay.containsKey(name)) {
            String after = fault(underWay.get(name), actual);
            wrong = after == null ? null : wrong + ", and after the change under way " + after;
          }
        }
        if (wrong != null) {
          find("life " + life + ", " + name + ": " + wrong);
        }
        if (actual == null) {
          models.remove(name);
        } else {
          models.put(name, FileModel.of(actual));
        }
      }
    }

    /** Before a renaming or after it, but nothing between. */
    private @Nullable String movedFault(Map<String, FileModel> before, String from, String to) {
      byte[] source = disk.read(path(from));
      byte[] target = disk.read(path(to));
      FileModel model = before.get(from);
      if (source == null && fault(model, target) == null) {
        return null;
      }
      String wrong = fault(model, source);
      return wrong == null ? fault(before.get(to), target) : wrong;
    }

    private @Nullable String fault(@Nullable FileModel model, byte @Nullable [] actual) {
      if (model == null) {
        return actual == null ? null : "it was deleted, and is back";
      }
      if (actual == null) {
        return model.isDurable() ? "it is missing" : null;
      }
      return model.fault(actual);
    }

    private void find(String what) {
      if (what.endsWith("is back")) {
        resurrected++;
      } else {
        lost++;
      }
      if (findings.size() < MAX_FINDINGS) {
        findings.add("seed " + worldSeed + ", " + what);
      }
    }
  }
}
