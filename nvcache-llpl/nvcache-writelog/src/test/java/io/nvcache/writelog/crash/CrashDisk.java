// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.crash;

import io.nvcache.writelog.Propagation;
import io.nvcache.writelog.disk.Disk;
import io.nvcache.writelog.disk.DiskFile;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A disk behind a page cache that loses its contents. At a crash each sector that no sync wrote is
 * kept, lost or torn by itself, lengths are old or new, and of the names that no sync of their
 * directory fixed the later ones are lost. A sync may fail once: the pages then count as clean,
 * though the disk does not have them, and the next sync says that all is well.
 */
final class CrashDisk implements Disk {
  private static final int SECTOR = 64;
  private static final int MAX_BYTES = 64 << 10;

  /** A file, which names lead to. */
  private static final class Inode {
    private final long number;
    private final long birth;
    private int users;
    private byte[] cache = new byte[0];
    private byte[] medium = new byte[0];
    private int length;
    private int durableLength;
    private final BitSet dirty = new BitSet();
    private boolean lengthDirty;
    private long modified;

    private Inode(long number, long birth) {
      this.number = number;
      this.birth = birth;
    }

    private void toMedium() {
      for (int sector = dirty.nextSetBit(0); sector >= 0; sector = dirty.nextSetBit(sector + 1)) {
        System.arraycopy(cache, sector * SECTOR, medium, sector * SECTOR, SECTOR);
      }
      dirty.clear();
      freeBehind(medium, length);
      if (lengthDirty || durableLength > length) {
        durableLength = length;
        lengthDirty = false;
      }
    }

    private void room(int bytes) {
      if (cache.length < bytes) {
        int room = Math.max(bytes, 2 * cache.length);
        cache = Arrays.copyOf(cache, room);
        medium = Arrays.copyOf(medium, room);
      }
    }
  }

  private final CrashClock clock;
  private final SplittableRandom random;
  private final PlantedFault fault;
  private final Propagation propagation;
  private Map<Path, Inode> names = new HashMap<>();
  private Map<Path, Inode> durableNames = new HashMap<>();

  /** The maps of names since the last sync, oldest first; the last equals {@link #names}. */
  private final List<Map<Path, Inode>> pendingNames = new ArrayList<>();

  private final Set<Long> failedOnce = new HashSet<>();
  private long births;
  private boolean believing;
  private boolean replacesEarly;

  /** What was seen at a path last. */
  private final Map<Path, Identity> seenAt = new HashMap<>();

  private final Set<Inode> opened = new LinkedHashSet<>();
  private long run = 1;
  private int failSyncOneIn;
  private int failWriteOneIn;
  private boolean recovering;

  CrashDisk(
      CrashClock clock, SplittableRandom random, PlantedFault fault, Propagation propagation) {
    this.propagation = propagation;
    this.clock = clock;
    this.random = random;
    this.fault = fault;
  }

  /** Has one sync in so many fail, and one write; 0 for none. */
  void fail(int syncOneIn, int writeOneIn) {
    failSyncOneIn = syncOneIn;
    failWriteOneIn = writeOneIn;
  }

  boolean failsWrites() {
    return failWriteOneIn > 0;
  }

  /** Says whether a recovery runs now. */
  void recovering(boolean now) {
    recovering = now;
  }

  @Override
  public @Nullable Identity identify(Path path) {
    clock.step();
    Inode inode = names.get(path);
    Identity seen = seenAt.get(path);
    boolean believes =
        fault == PlantedFault.PATH_BELIEVED ? recovering && inode != null : isBelieved();
    if (believes && seen != null) {
      return seen;
    }
    Identity now = inode == null ? null : identity(inode);
    if (now != null && !recovering) {
      seenAt.put(path, now);
    }
    return now;
  }

  private boolean isBelieved() {
    return fault == PlantedFault.NAMES_BELIEVED && !recovering && believing;
  }

  /** Says whether the log looks at names that may have changed. */
  void believing(boolean now) {
    believing = now;
  }

  private Identity identity(Inode inode) {
    long birth = fault == PlantedFault.BIRTH_IGNORED ? 1 : inode.birth;
    return new Identity(1, inode.number, birth, inode.modified, 0600);
  }

  @Override
  public boolean search(
      Path directory, int depth, Set<Long> inodes, BiConsumer<Path, Identity> found) {
    clock.step();
    for (Map.Entry<Path, Inode> name : new TreeMap<>(names).entrySet()) {
      if (inodes.contains(name.getValue().number)
          && name.getKey().startsWith(directory)
          && fault != PlantedFault.SEARCH_LEFT_OUT) {
        found.accept(name.getKey(), identity(name.getValue()));
      }
    }
    return true;
  }

  @Override
  public Long device(Path directory) {
    return 1L;
  }

  @Override
  public long run(Path any) {
    return fault == PlantedFault.RUN_IGNORED ? 1 : run;
  }

  @Override
  public int links(Path path) {
    Inode inode = names.get(path);
    return inode == null ? 0 : (int) names.values().stream().filter(one -> one == inode).count();
  }

  @Override
  public Map<Long, Names> openNames(Path any, Set<Long> inodes) {
    clock.step();
    Map<Long, Names> found = new HashMap<>();
    for (Inode inode : inodesInUse()) {
      if (inode.users > 0 && inodes.contains(inode.number)) {
        Path path = null;
        int count = 0;
        for (Map.Entry<Path, Inode> name : new TreeMap<>(names).entrySet()) {
          if (name.getValue() == inode) {
            path = name.getKey();
            count++;
          }
        }
        found.put(inode.number, new Names(identity(inode), count, path));
      }
    }
    return found;
  }

  /** Returns the files that have a name, or may have after a crash, or are open. */
  private Set<Inode> inodesInUse() {
    Set<Inode> all = new LinkedHashSet<>(opened);
    all.removeIf(inode -> inode.users == 0);
    all.addAll(names.values());
    all.addAll(durableNames.values());
    pendingNames.forEach(map -> all.addAll(map.values()));
    return all;
  }

  /** Gives the lowest number that is free, as file systems do. */
  private long freeNumber() {
    Set<Long> used = new HashSet<>();
    inodesInUse().forEach(inode -> used.add(inode.number));
    long number = 1;
    while (used.contains(number)) {
      number++;
    }
    return number;
  }

  /** Returns what tells the file at a path from others. */
  @Nullable Object key(Path path) {
    Inode inode = names.get(path);
    return inode == null ? null : inode.number;
  }

  /** Returns what a reader finds; null if the file is missing. */
  byte @Nullable [] read(Path path) {
    Inode inode = names.get(path);
    return inode == null ? null : Arrays.copyOf(inode.cache, inode.length);
  }

  /** Reads as a reader next to other work does: that may come before it and after it. */
  int read(Path path, ByteBuffer target, long position) {
    clock.step();
    Inode inode = names.get(path);
    int n = inode == null ? 0 : (int) Math.min(target.remaining(), inode.length - position);
    if (inode == null || n <= 0) {
      return -1;
    }
    target.put(inode.cache, (int) position, n);
    clock.step();
    return n;
  }

  @Override
  public DiskFile open(Path path) throws IOException {
    clock.step();
    Inode inode = names.get(path);
    if (inode == null) {
      throw new FileNotFoundException(path.toString());
    }
    return new OpenFile(inode);
  }

  @Override
  public DiskFile create(Path path, Path root, int mode) throws IOException {
    clock.step();
    Inode inode = new Inode(freeNumber(), ++births);
    inode.modified = clock.millis();
    Map<Path, Inode> changed = new HashMap<>(names);
    changed.put(path, inode);
    change(changed);
    return new OpenFile(inode);
  }

  /** Deletes a name. */
  void delete(Path path) {
    clock.step();
    Map<Path, Inode> changed = new HashMap<>(names);
    changed.remove(path);
    change(changed);
  }

  /** Has a file that replaces another one be on the disk first, as ext4 does by default. */
  void replacesEarly(boolean now) {
    replacesEarly = now;
  }

  /** Gives a file another name. */
  void link(Path from, Path to) {
    clock.step();
    Map<Path, Inode> changed = new HashMap<>(names);
    Inode inode = changed.get(from);
    if (inode != null && changed.putIfAbsent(to, inode) == null) {
      change(changed);
    }
  }

  /** Returns what will tell the next file from all others. */
  long nextBirth() {
    return births + 1;
  }

  /** Returns the files by their names, each as what tells it from all others. */
  Map<Path, Long> births() {
    Map<Path, Long> births = new TreeMap<>();
    names.forEach((path, inode) -> births.put(path, inode.birth));
    return births;
  }

  /** Renames, over what is there. */
  void move(Path from, Path to) {
    clock.step();
    Inode early = names.get(from);
    if (replacesEarly && early != null && names.containsKey(to)) {
      early.toMedium();
    }
    Map<Path, Inode> changed = new HashMap<>(names);
    Inode inode = changed.remove(from);
    if (inode != null) {
      changed.put(to, inode);
    }
    change(changed);
  }

  private void change(Map<Path, Inode> changed) {
    names = changed;
    pendingNames.add(changed);
    clock.step();
  }

  @Override
  public void syncDirectory(Path directory) {
    clock.step();
    boolean forgets = fault == PlantedFault.DELETION_NOT_SYNCED && recovering;
    if (fault != PlantedFault.DIRECTORY_SYNC_LEFT_OUT && !forgets) {
      durableNames = names;
      pendingNames.clear();
    }
    clock.step();
  }

  /** The process ends, and with it what it has open. */
  void closeAll() {
    opened.forEach(inode -> inode.users = 0);
    opened.clear();
    seenAt.keySet().retainAll(names.keySet());
  }

  /** The power goes, and comes back. */
  void crash() {
    run++;
    int kept = random.nextInt(pendingNames.size() + 1);
    Map<Path, Inode> before = names;
    if (kept > 0) {
      durableNames = pendingNames.get(kept - 1);
    }
    pendingNames.clear();
    names = durableNames;
    Set<Inode> all = new LinkedHashSet<>(names.values());
    all.addAll(before.values());
    all.forEach(this::crash);
  }

  private void crash(Inode inode) {
    int oneIn = 1 + random.nextInt(4);
    byte[] image = inode.medium;
    BitSet kept = new BitSet();
    for (int sector = inode.dirty.nextSetBit(0);
        sector >= 0;
        sector = inode.dirty.nextSetBit(sector + 1)) {
      int at = sector * SECTOR;
      if (random.nextInt(oneIn) == 0) {
        int torn = random.nextInt(3) == 0 ? random.nextInt(SECTOR) : SECTOR;
        System.arraycopy(inode.cache, at, image, at, torn);
        kept.set(sector);
      }
    }
    if (inode.lengthDirty && random.nextInt(oneIn) == 0) {
      inode.durableLength = inode.length;
    }
    inode.length = inode.durableLength;
    freeBehind(image, inode.length);
    if (kept.get(inode.length / SECTOR)) {
      zeroLastBlock(image, inode.length);
    }
    inode.cache = image.clone();
    inode.dirty.clear();
    inode.lengthDirty = false;
  }

  /**
   * Empties the blocks behind a file's end. What the last one has behind it stays: a cut lets that
   * be overwritten by the next sync only, like any bytes.
   */
  private static void freeBehind(byte[] image, int length) {
    int from = (length + SECTOR - 1) / SECTOR * SECTOR;
    if (from < image.length) {
      Arrays.fill(image, from, image.length, (byte) 0);
    }
  }

  private static void zeroLastBlock(byte[] image, int length) {
    int to = length / SECTOR * SECTOR + SECTOR;
    Arrays.fill(image, Math.min(image.length, length), Math.min(image.length, to), (byte) 0);
  }

  private final class OpenFile implements DiskFile {
    private final Inode inode;

    OpenFile(Inode inode) {
      this.inode = inode;
      inode.users++;
      opened.add(inode);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      clock.step();
      int end = (int) position + source.remaining();
      if (end > MAX_BYTES) {
        throw new IOException("no space left on device");
      }
      if (fault == PlantedFault.WRITE_LEFT_OUT && !recovering) {
        source.position(source.limit());
        return;
      }
      inode.room((end + SECTOR - 1) / SECTOR * SECTOR);
      int at = (int) position;
      // A repair may not fail, too: the file is sick then, and this run has no model of it.
      boolean fails =
          failWriteOneIn > 0
              && !failedOnce.contains(inode.number)
              && random.nextInt(failWriteOneIn) == 0;
      int stopAt = fails ? at + random.nextInt(source.remaining() + 1) : end;
      while (at < stopAt) {
        int n = Math.min(stopAt - at, SECTOR - at % SECTOR);
        if (!isBelieved(source, at, n)) {
          inode.dirty.set(at / SECTOR);
        }
        source.get(inode.cache, at, n);
        at += n;
        inode.length = Math.max(inode.length, at);
      }
      inode.lengthDirty |= inode.length != inode.durableLength;
      inode.modified = clock.millis();
      if (fails) {
        if (propagation == Propagation.DEFERRED) {
          failedOnce.add(inode.number); // The repair's sync may not fail, too; see above.
        }
        throw new IOException("no space left on device");
      }
      clock.step();
    }

    /** Returns whether a fault takes bytes for written that a failed sync has lost. */
    private boolean isBelieved(ByteBuffer source, int at, int length) {
      return fault == PlantedFault.SECOND_SYNC_BELIEVED
          && source
              .slice(source.position(), length)
              .equals(ByteBuffer.wrap(inode.cache, at, length));
    }

    @Override
    public void truncate(long bytes) {
      clock.step();
      if (bytes < inode.length) {
        int from = (int) bytes;
        Arrays.fill(inode.cache, from, inode.length, (byte) 0);
        for (int sector = from / SECTOR; sector * SECTOR < inode.length; sector++) {
          inode.dirty.set(sector);
        }
        inode.length = from;
        inode.lengthDirty = true;
        inode.modified = clock.millis();
      }
      clock.step();
    }

    @Override
    public void touch(long place) {
      clock.step();
      if (place > 0 && place <= inode.length && fault != PlantedFault.CUT_BELIEVED) {
        inode.dirty.set((int) (place - 1) / SECTOR);
      }
    }

    @Override
    public long size() {
      return inode.length;
    }

    @Override
    public void forceData() throws IOException {
      force();
    }

    @Override
    public void force() throws IOException {
      clock.step();
      if (fault == PlantedFault.SYNC_LEFT_OUT
          || (fault == PlantedFault.RECOVERY_SYNC_LEFT_OUT && recovering)) {
        return;
      }
      if (inode.dirty.get(inode.length / SECTOR)) {
        zeroLastBlock(inode.cache, inode.length); // As Linux before it writes such a page.
      }
      if (failSyncOneIn > 0
          && !failedOnce.remove(inode.number)
          && random.nextInt(failSyncOneIn) == 0) {
        failedOnce.add(inode.number);
        // As Linux: the pages are clean now, and their bytes are nowhere.
        inode.dirty.clear();
        if (fault == PlantedFault.SYNC_FAILURE_IGNORED) {
          return;
        }
        throw new IOException("input/output error");
      }
      inode.toMedium();
      clock.step();
    }

    @Override
    public void close() {
      inode.users--;
    }
  }
}
