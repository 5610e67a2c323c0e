// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import io.nvcache.FileIdentity;
import io.nvcache.internal.index.FileTable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The identities of files beyond a cache's life, and the numbers of files whose blocks were
 * restored before the host named them.
 *
 * <p><b>Invariants.</b>
 *
 * <ul>
 *   <li>A file id has one identity at most, from {@link #identify} until the file is {@linkplain
 *       #forget forgotten} or {@linkplain #revoke revoked}, or another id has the identity. Where
 *       more files are named than there can be blocks, those without blocks are forgotten.
 *   <li>A number in {@code unclaimed} is {@linkplain FileTable#reserve reserved}: no lookup makes a
 *       key with it. When its identity gets a file id, the number becomes that file's.
 *   <li>What was forgotten or revoked while blocks are restored is in {@code stopped}, and no block
 *       of it is restored afterwards: {@link #number} and the insertion that follows it are made
 *       under this object's monitor, as are forgetting and revoking.
 * </ul>
 *
 * <p><b>Locking.</b> The monitor is held for a call, or for some dozens of blocks that are
 * restored. Lookups and offers never take it.
 */
public final class FileIdentities {
  /** Identities that are kept whether their files have blocks or not. */
  private static final int LEAST_FILES = 1 << 16;

  private final FileTable files;
  private final Map<Long, FileIdentity> byFile = new ConcurrentHashMap<>();

  // Under the monitor.
  private final Map<FileIdentity, Long> owners = new HashMap<>();
  private final Map<FileIdentity, Map<Integer, Integer>> unclaimed = new HashMap<>();
  private final Set<FileIdentity> stopped = new HashSet<>();
  private boolean restoring;
  private boolean restoresNothing;

  /** How many more segments of files may get a number to restore blocks under. */
  private int restorable;

  /** The numbers in {@code unclaimed}, read without the monitor. */
  private final Map<Integer, Owner> reserved = new ConcurrentHashMap<>();

  private final int mostFiles;

  /** Number of identities at which files without blocks are forgotten. */
  private int forgetAt;

  private volatile boolean forgotIdleFiles;

  /**
   * Makes a table without identities.
   *
   * @param slots how many blocks there can be
   */
  public FileIdentities(FileTable files, int slots) {
    this.files = files;
    this.mostFiles = Math.max(LEAST_FILES, slots);
    this.forgetAt = mostFiles;
  }

  /**
   * Remembers from now on which files must not be restored any more.
   *
   * @param numbers below this one, the earlier cache gave numbers, which its files are to have
   *     again; as many of them as blocks can have, since memory is taken for each
   */
  public synchronized void beginRestoring(int numbers) {
    restoring = true;
    restorable = mostFiles;
    files.hold((int) Math.min(numbers, 2L * mostFiles));
  }

  /** Runs what no file may be forgotten or revoked during: it holds the monitor. */
  public synchronized void undisturbed(Runnable entry) {
    entry.run();
  }

  /** No block is restored any more. */
  public synchronized void endRestoring() {
    restoring = false;
    restoresNothing = false;
    stopped.clear();
    files.endHolding();
  }

  /**
   * Names a file, and gives it the blocks that were restored under its identity.
   *
   * @throws IllegalArgumentException if the file has another identity
   */
  public synchronized void identify(long fileId, FileIdentity identity) {
    if (byFile.size() >= forgetAt) {
      forgetIdleFiles();
    }
    FileIdentity before = byFile.putIfAbsent(fileId, identity);
    if (before != null && !before.equals(identity)) {
      throw new IllegalArgumentException(
          "file "
              + fileId
              + " has the identity "
              + before
              + ", not "
              + identity
              + "; give each incarnation of a file its own id");
    }
    Long owner = owners.put(identity, fileId);
    if (owner != null && owner != fileId) {
      files.pass(owner, fileId);
      byFile.remove(owner); // Or each opening of a file would leave an id here.
    }
    Map<Integer, Integer> numbers = unclaimed.remove(identity);
    if (numbers != null) {
      numbers.forEach(
          (segment, number) -> {
            boolean claimed = files.claim(fileId, segment, number);
            reserved.remove(number); // After the claim: who looks finds one of the two.
            if (!claimed) {
              files.disown(number); // Blocks were offered before the file was named.
            }
          });
    }
  }

  /** Returns whether a file has an identity. */
  public boolean isIdentified(long fileId) {
    return byFile.containsKey(fileId);
  }

  /** Returns whether files without blocks were forgotten, since there were too many. */
  public boolean hasForgottenIdleFiles() {
    return forgotIdleFiles;
  }

  /** The file is gone: what is still to be restored of it is not. */
  public synchronized void forget(long fileId) {
    FileIdentity identity = byFile.remove(fileId);
    if (identity != null && owners.remove(identity, fileId) && restoring) {
      stopped.add(identity); // If another id has its blocks by now, they are restored.
    }
  }

  /**
   * A block of the file was invalidated alone: what is still to be restored of it is not, now and
   * by later caches.
   *
   * @param revoked is given the identity, if the file has one
   */
  public synchronized void revoke(long fileId, Consumer<FileIdentity> revoked) {
    Long id = fileId;
    FileIdentity identity = byFile.get(id);
    if (identity == null) {
      return;
    }
    if (restoring) {
      stopped.add(identity); // Whichever id has its blocks. First: it may find no memory.
    }
    byFile.remove(id);
    owners.remove(identity, id);
    revoked.accept(identity); // Last: no region that is finished from now on lists the file.
  }

  /**
   * A block was invalidated alone, of a file whose identity was forgotten: it may be any that has
   * no file id, or will have one only later.
   */
  public synchronized void revokeForgotten() {
    restoresNothing = restoring;
    unclaimed.values().forEach(numbers -> numbers.values().forEach(this::disown));
    unclaimed.clear();
  }

  private void disown(int number) {
    reserved.remove(number);
    files.disown(number);
  }

  /**
   * Returns whether a file was forgotten or revoked while blocks are restored, or may have been. To
   * be called under this object's monitor.
   */
  public boolean isStopped(FileIdentity identity) {
    assert Thread.holdsLock(this);
    return restoresNothing || stopped.contains(identity);
  }

  /**
   * Returns the number of a file's segment to restore a block under, counted once for it; {@link
   * FileTable#NONE} if there is none. To be called, with the insertion, under this object's
   * monitor; for a file only that was not {@linkplain #isStopped stopped}.
   *
   * @param wanted the number that the earlier cache gave the segment. With the same number its
   *     blocks find the same buckets, which they fitted in
   */
  public int number(FileIdentity identity, int segment, int wanted) {
    assert Thread.holdsLock(this);
    Long owner = owners.get(identity);
    if (owner != null) {
      if (files.find(owner, segment) == FileTable.NONE) {
        int number = reserve(wanted);
        if (number == FileTable.NONE) {
          return FileTable.NONE;
        }
        if (!files.claim(owner, segment, number)) {
          files.disown(number); // An offer was faster.
        }
      }
      return files.acquire(owner, segment);
    }
    Map<Integer, Integer> segments = unclaimed.getOrDefault(identity, Map.of());
    Integer number = segments.get(segment);
    if (number == null) {
      number = reserve(wanted);
      if (number == FileTable.NONE) {
        return FileTable.NONE;
      }
      unclaimed.computeIfAbsent(identity, unknown -> new HashMap<>()).put(segment, number);
      reserved.put(number, new Owner(identity, segment));
    }
    return files.count(number) ? number : FileTable.NONE;
  }

  /** What the medium lists must not take more memory than the blocks there can be. */
  private int reserve(int wanted) {
    if (restorable == 0) {
      return FileTable.NONE;
    }
    restorable--;
    return files.reserve(wanted);
  }

  /** A segment of a file with an identity. */
  public record Owner(FileIdentity identity, int segment) {}

  /**
   * Returns who owns a number, while a block with it is in the index; null if the file was dropped
   * or has no identity. Takes no lock.
   */
  public @Nullable Owner owner(int number) {
    Owner restored = reserved.get(number);
    if (restored != null) {
      return restored;
    }
    long fileId = files.fileIdOf(number);
    int segment = files.segmentOf(number);
    FileIdentity identity = byFile.get(fileId);
    while (identity == null && files.fileIdOf(number) != fileId) {
      fileId = files.fileIdOf(number); // It has just passed its blocks on, to another id of it.
      identity = byFile.get(fileId);
    }
    return identity == null || files.find(fileId, segment) != number
        ? null
        : new Owner(identity, segment);
  }

  /** Forgets identities of files without blocks, once there are more than blocks can have. */
  private void forgetIdleFiles() {
    forgotIdleFiles = true;
    byFile
        .entrySet()
        .removeIf(
            named -> {
              boolean idle = files.blocks(named.getKey()) == 0;
              if (idle) {
                owners.remove(named.getValue(), named.getKey());
              }
              return idle;
            });
    forgetAt = Math.max(mostFiles, 2 * byFile.size());
  }
}
