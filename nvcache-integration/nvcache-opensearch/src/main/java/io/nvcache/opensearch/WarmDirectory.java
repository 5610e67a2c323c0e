// SPDX-License-Identifier: Apache-2.0
package io.nvcache.opensearch;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.lucene.index.IndexFileNames;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.apache.lucene.store.Lock;
import org.jspecify.annotations.Nullable;
import org.opensearch.index.store.RemoteDirectory;
import org.opensearch.index.store.RemoteSegmentStoreDirectory;
import org.opensearch.index.store.RemoteSegmentStoreDirectory.UploadedSegmentMetadata;
import org.opensearch.index.store.remote.utils.FileTypeUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of a shard of a warm index, without a cache: those that the shard writes lie in a local
 * directory until they are uploaded, all others in the remote store, where each read is a request.
 *
 * <p>A name means what this shard wrote by it; else what the remote store's metadata says, which an
 * upload and each reading of the metadata change; else a file that an earlier run left here. What
 * is left here under a name that the remote store knows is dropped: the remote store and its
 * translog are what a shard recovers from.
 *
 * <p>Not a {@code FilterDirectory}: code that unwraps it must not take the local directory for what
 * holds the files. Thread-safe.
 */
final class WarmDirectory extends Directory {
  private static final Logger LOG = LoggerFactory.getLogger(WarmDirectory.class);

  private final Directory local;
  private final FileCacheClaims claims;
  private final RemoteSegmentStoreDirectory remote;
  private final RemoteDirectory objects;
  private final RemoteCounts counts;
  private final int blockBytes;

  /** Changed under this directory's monitor, together with the local files. */
  private final ConcurrentMap<String, WrittenFile> written = new ConcurrentHashMap<>();

  /** Local files of an earlier run that are not dropped yet. Changed under the same monitor. */
  private final Set<String> leftOver = ConcurrentHashMap.newKeySet();

  /** What was deleted, until the metadata is read again: by that time it has only what there is. */
  private final ConcurrentMap<String, UploadedSegmentMetadata> deleted = new ConcurrentHashMap<>();

  /** Remote names that were given out: to delete one that the store has dropped is no error. */
  private final Set<String> givenOut = ConcurrentHashMap.newKeySet();

  /**
   * Stands before the files of a shard, and drops what is left of an earlier run.
   *
   * @param local where the shard writes; closed with this
   * @param claims on the files of the local directory
   * @param blockBytes by which the cache in front reads
   */
  WarmDirectory(
      Directory local,
      FileCacheClaims claims,
      RemoteSegmentStoreDirectory remote,
      RemoteCounts counts,
      int blockBytes)
      throws IOException {
    this.local = local;
    this.claims = claims;
    this.remote = remote;
    this.objects = (RemoteDirectory) remote.getDelegate();
    this.counts = counts;
    this.blockBytes = blockBytes;
    boolean hasCommit =
        remote.getSegmentsUploadedToRemoteStore().keySet().stream()
            .anyMatch(WarmDirectory::isCommit);
    for (String name : local.listAll()) {
      claims.hold(name);
      leftOver.add(name);
      if (uploaded(name) != null
          || FileTypeUtils.isBlockFile(name)
          || hasCommit && isCommit(name)) {
        LOG.debug("Dropping {}, which an earlier run left", name);
        deleteLeftOver(name);
      }
    }
  }

  private void deleteLeftOver(String name) throws IOException {
    leftOver.remove(name);
    local.deleteFile(name);
    claims.drop(name); // Last: it would delete a namesake.
  }

  private static boolean isCommit(String name) {
    return name.startsWith(IndexFileNames.SEGMENTS);
  }

  private @Nullable UploadedSegmentMetadata uploaded(String name) {
    UploadedSegmentMetadata metadata = remote.getSegmentsUploadedToRemoteStore().get(name);
    return metadata == null || deleted.get(name) == metadata ? null : metadata;
  }

  private @Nullable RemoteFile object(String name) {
    UploadedSegmentMetadata metadata = uploaded(name);
    return metadata == null ? null : new RemoteFile(objects, counts, metadata, blockBytes);
  }

  /** Returns whether a name means an object, each read of which is a request. */
  boolean isRemote(String name) {
    return !written.containsKey(name) && uploaded(name) != null;
  }

  /** Returns the bytes of the files that take local space: those that wait for their upload. */
  long localBytes() throws IOException {
    long bytes = 0;
    for (String name : local.listAll()) {
      try {
        bytes += local.fileLength(name);
      } catch (FileNotFoundException | NoSuchFileException gone) {
        // Uploaded or deleted since it was listed.
      }
    }
    return bytes;
  }

  /** Lists all files; commits of the remote store only if there is none here. */
  @Override
  public String[] listAll() throws IOException {
    Set<String> names = new TreeSet<>(Arrays.asList(local.listAll()));
    boolean localCommit = names.stream().anyMatch(WarmDirectory::isCommit);
    for (String name : remote.getSegmentsUploadedToRemoteStore().keySet()) {
      if (uploaded(name) != null && !(localCommit && isCommit(name))) {
        names.add(name);
        givenOut.add(name);
      }
    }
    return names.toArray(String[]::new);
  }

  @Override
  public long fileLength(String name) throws IOException {
    UploadedSegmentMetadata metadata = written.containsKey(name) ? null : uploaded(name);
    return metadata != null ? metadata.getLength() : local.fileLength(name);
  }

  @Override
  public IndexInput openInput(String name, IOContext context) throws IOException {
    WrittenFile file = written.get(name);
    WarmInput here = file == null ? null : file.open(name, context);
    if (here != null) {
      return here;
    }
    RemoteFile object = object(name);
    if (object != null) {
      givenOut.add(name);
      return new WarmInput(object);
    }
    return local.openInput(name, context);
  }

  @Override
  public synchronized IndexOutput createOutput(String name, IOContext context) throws IOException {
    if (leftOver.contains(name)) {
      deleteLeftOver(name);
    }
    IndexOutput output = local.createOutput(name, context);
    written.put(name, new WrittenFile(local));
    return output;
  }

  @Override
  public synchronized IndexOutput createTempOutput(String prefix, String suffix, IOContext context)
      throws IOException {
    IndexOutput output = local.createTempOutput(prefix, suffix, context);
    written.put(output.getName(), new WrittenFile(local));
    return output;
  }

  @Override
  public synchronized void rename(String source, String dest) throws IOException {
    if (leftOver.contains(dest)) {
      deleteLeftOver(dest);
    }
    local.rename(source, dest);
    if (leftOver.remove(source)) {
      claims.drop(source);
    }
    WrittenFile file = written.remove(source);
    written.put(dest, file == null ? new WrittenFile(local) : file);
  }

  /** Deletes a file here; objects are left to the remote store's own garbage collection. */
  @Override
  public synchronized void deleteFile(String name) throws IOException {
    boolean there = givenOut.remove(name);
    UploadedSegmentMetadata metadata = uploaded(name);
    if (metadata != null) {
      deleted.put(name, metadata);
    }
    if (leftOver.contains(name)) {
      deleteLeftOver(name);
    } else if (written.remove(name) != null || metadata == null && !there) {
      local.deleteFile(name); // Or says that there is no such file.
    }
  }

  /**
   * Lets go of a local file that was uploaded: its readers read the object from now on.
   *
   * @return the object; null if the file stays, because it is a commit, is deleted by now, or has
   *     other bytes than the object
   */
  synchronized @Nullable RemoteFile release(String name) throws IOException {
    WrittenFile file = written.get(name);
    if (file == null || isCommit(name)) {
      return null;
    }
    RemoteFile object = object(name);
    if (object == null || !file.isAs(object, name)) {
      counts.refusedUploads.increment();
      LOG.warn(
          "{} was uploaded, but {} is not what lies here; it is still read here",
          name,
          object == null ? "nothing in the remote store" : object);
      return null;
    }
    file.switchTo(object);
    written.remove(name);
    givenOut.add(name);
    leftOver.add(name); // Until it is deleted.
    local.deleteFile(name);
    leftOver.remove(name);
    return object;
  }

  /** Makes durable what lies here; the remote store is. */
  @Override
  public void sync(Collection<String> names) throws IOException {
    for (String name : names) {
      if (written.containsKey(name) || leftOver.contains(name)) {
        try {
          local.sync(Set.of(name));
        } catch (FileNotFoundException | NoSuchFileException e) {
          if (!isRemote(name)) { // Else it was uploaded in between.
            throw e;
          }
        }
      }
    }
  }

  @Override
  public void syncMetaData() throws IOException {
    local.syncMetaData();
  }

  @Override
  public Lock obtainLock(String name) throws IOException {
    return local.obtainLock(name);
  }

  @Override
  public Set<String> getPendingDeletions() throws IOException {
    return local.getPendingDeletions();
  }

  @Override
  public void close() throws IOException {
    claims.close();
    local.close();
  }

  @Override
  public String toString() {
    return "WarmDirectory(" + local + ")";
  }
}
