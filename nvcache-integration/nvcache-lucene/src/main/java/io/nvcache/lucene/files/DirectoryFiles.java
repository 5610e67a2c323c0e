// SPDX-License-Identifier: Apache-2.0
package io.nvcache.lucene.files;

import io.nvcache.FileIdRegistry;
import io.nvcache.FileIdentity;
import io.nvcache.control.CacheControl;
import io.nvcache.control.RestoreReport;
import io.nvcache.lucene.DescribedInput;
import java.io.IOException;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the names of a directory mean: for each that was opened the incarnation of its file, with an
 * id and, where blocks survive the process, an identity.
 *
 * <p>Thread-safe, as long as no other thread opens a name while what it means is changed: or what
 * was opened before could be taken for what the name means afterwards.
 */
public final class DirectoryFiles {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryFiles.class);
  private static final AtomicLong DIRECTORIES = new AtomicLong();

  private final FileBlocks blocks;
  private final FileIdRegistry ids;
  private final FileIdentities identities;
  private final String prefix = DIRECTORIES.incrementAndGet() + "/";
  private final ConcurrentMap<String, CachedFile> files = new ConcurrentHashMap<>();

  /**
   * Files that this directory made and that may be copies, until they are opened. Blocks of their
   * identity belong to an earlier file, of which all that the identity names was the same: such as
   * one whose bytes were damaged in between, which this one replaces.
   */
  private final Set<String> made = ConcurrentHashMap.newKeySet();

  /** The hot blocks of files that a merge wrote, until they are opened. */
  private final ConcurrentMap<String, HotBlocks> hotBlocks = new ConcurrentHashMap<>();

  /** Begins without any, for one directory of a cache. */
  public DirectoryFiles(FileBlocks blocks, FileIdRegistry ids, FileIdentities identities) {
    this.blocks = blocks;
    this.ids = ids;
    this.identities = identities;
  }

  /** Returns the names of the files that are known. */
  public Set<String> names() {
    return files.keySet();
  }

  /** Returns what a name means, which was just opened in the delegate. */
  public CachedFile open(String name, IndexInput delegate) throws IOException {
    long lengthBytes = delegate.length();
    DescribedInput described = delegate instanceof DescribedInput input ? input : null;
    byte[] footer = described != null ? described.footer() : DescribedInput.readFooter(delegate);
    FileIdentity identity =
        !blocks.restartsWarm()
            ? null
            : described != null
                ? described.identity()
                : SegmentFileIdentity.of(name, delegate, footer, blocks.blockBytes()).orElse(null);
    return Objects.requireNonNull(
        files.compute(
            name,
            (same, known) -> {
              if (known != null && known.is(lengthBytes, footer)) {
                return known;
              }
              if (known != null) {
                forget(name, known);
              }
              return firstOpened(name, lengthBytes, footer, identity);
            }));
  }

  private CachedFile firstOpened(
      String name, long lengthBytes, byte[] footer, @Nullable FileIdentity identity) {
    boolean isNew = made.contains(name);
    FileIdentity own = identity != null && identities.take(identity, name) ? identity : null;
    if (isNew && identity != null && own == null) {
      identities.distrust(identity); // The one that has it may have read a damaged file.
    }
    CachedFile file = null;
    try {
      if (own != null && (isNew || identities.isDistrusted(own))) {
        dropEarlier(name, own);
      }
      long id = ids.idOf(prefix + name);
      if (own != null) { // It has the blocks of its identity.
        blocks.cache().identify(id, own);
      }
      blocks.cache().control().dataSet().register(id, lengthBytes);
      file = new CachedFile(id, lengthBytes, footer, own, hotBlocks.remove(name));
      made.remove(name); // Last: a failure leaves it to the next opening.
      return file;
    } finally {
      if (file == null && own != null) {
        identities.giveBack(own);
      }
    }
  }

  /** Names the bytes of a file that was opened and had no identity then; else does nothing. */
  public void identify(String name, FileIdentity identity) {
    if (!blocks.restartsWarm() || blocks.isClosed()) {
      return;
    }
    files.computeIfPresent(
        name,
        (same, known) -> {
          if (known.identity() == null && identities.take(identity, name)) {
            // First: whatever happens then, the end of the file gives it back.
            known.identify(identity);
            blocks.cache().identify(known.id(), identity);
          }
          return known;
        });
  }

  /** Notes that a name means a new file, which may be a copy of an earlier one. */
  public void made(String name) {
    made.add(name);
  }

  /** Notes that a name means no file, or none that may be a copy. */
  public void isNoCopy(String name) {
    made.remove(name);
  }

  /** Notes which blocks of a file that a merge wrote searches will want. */
  public void hot(String name, HotBlocks hot) {
    hotBlocks.put(name, hot);
  }

  /**
   * Drops the blocks that the identity of a file finds which was just put under its name: they are
   * an earlier file's. If that fails, the first opening does it.
   *
   * @param delegate the directory that has the file
   */
  public void replaced(String name, Directory delegate) {
    made.add(name);
    if (!blocks.restartsWarm() || blocks.isClosed()) {
      return; // Nothing is found by identities.
    }
    try (IndexInput file = delegate.openInput(name, IOContext.READONCE)) {
      byte[] footer = DescribedInput.readFooter(file);
      SegmentFileIdentity.of(name, file, footer, blocks.blockBytes())
          .ifPresent(identity -> revokeEarlier(name, identity));
      made.remove(name);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look for blocks of what {} was", name, e);
    }
  }

  private void revokeEarlier(String name, FileIdentity identity) {
    if (!identities.take(identity, name)) {
      identities.distrust(identity); // For the directory that has it, when it is closed.
      return;
    }
    try {
      dropEarlier(name, identity);
    } finally {
      identities.giveBack(identity);
    }
  }

  /** Drops the blocks that an identity finds, which the caller has taken. */
  private void dropEarlier(String name, FileIdentity identity) {
    ids.retire(prefix + name); // What a failure may have left.
    long id = ids.idOf(prefix + name);
    blocks.cache().identify(id, identity);
    ids.retire(prefix + name);
    if (identities.isDistrusted(identity) || mayHaveBlocks(id)) {
      revoke(id);
    } else {
      blocks.cache().invalidateFile(id);
    }
    identities.trust(identity);
  }

  /**
   * Drops a file's blocks, and has no later process restore them: the call for a file alone does
   * not. A medium keeps few such files apart, so this is not for each that is deleted.
   */
  private void revoke(long id) {
    blocks.cache().invalidate(id, 0);
    blocks.cache().invalidateFile(id);
  }

  private boolean mayHaveBlocks(long id) {
    CacheControl control = blocks.cache().control();
    return control.restore().state() == RestoreReport.State.RESTORING
        || control.countBlocks(id) > 0;
  }

  /** Forgets what a name meant, with its blocks. */
  public void forget(String name) {
    hotBlocks.remove(name);
    files.computeIfPresent(
        name,
        (same, known) -> {
          forget(name, known);
          return null;
        });
  }

  /** Ends the incarnation of a file; called before another one can begin. */
  private void forget(String name, CachedFile file) {
    file.end(); // First, so that no reader offers a block of it afterwards.
    OptionalLong id = ids.retire(prefix + name);
    id.ifPresent(blocks.cache()::invalidateFile);
    FileIdentity identity = file.identity();
    if (identity != null) {
      identities.distrust(identity); // Its blocks on the medium are there for a later process.
      identities.giveBack(identity);
    }
  }

  /** Forgets all names, with their blocks. */
  public void forgetAll() {
    files.keySet().forEach(this::forget);
  }

  /** Leaves the blocks of all files to who opens them next, in this process or another. */
  public void leaveAll() {
    files.keySet().forEach(blocks.restartsWarm() ? this::leave : this::forget);
  }

  private void leave(String name) {
    hotBlocks.remove(name);
    files.computeIfPresent(
        name,
        (same, known) -> {
          FileIdentity identity = known.identity();
          if (identity != null && !identities.isDistrusted(identity)) {
            known.leave();
            blocks.cache().control().dataSet().unregister(known.id());
            ids.retire(prefix + name);
            identities.giveBack(identity);
          } else {
            // No later opening could find its blocks, or none may.
            if (identity != null) {
              blocks.cache().invalidate(known.id(), 0);
            }
            forget(name, known);
          }
          return null;
        });
  }
}
