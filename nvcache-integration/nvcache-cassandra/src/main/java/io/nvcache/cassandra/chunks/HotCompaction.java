// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.chunks;

import io.nvcache.BlockCache;
import io.nvcache.PinnedBlock;
import io.nvcache.Rewrite;
import io.nvcache.cassandra.agent.CachedFile;
import io.nvcache.cassandra.agent.CompactionWork;
import io.nvcache.cassandra.agent.Compactions;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.FileKey;
import io.nvcache.cassandra.tier.Incarnations;
import io.nvcache.cassandra.tier.Tier;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import org.apache.cassandra.io.compress.CompressedSequentialWriter;
import org.jspecify.annotations.Nullable;

/**
 * One compaction whose heat is followed: what it reads of its inputs, which partitions it writes,
 * and where the chunks of its outputs lie. Caches nothing; what comes of it is left to {@link
 * CompactionHeat} once the outputs have replaced the inputs. For the thread of the compaction, and
 * then for the one that carries its heat.
 */
final class HotCompaction extends CompactionWork {
  /**
   * How data files of the format BTI are called. Its reader looks a chunk up twice for a row, and
   * the second lookup has it cached while there is room: hits come back by themselves, and carried
   * chunks would only keep the room from others.
   */
  private static final String DATA_OF_BTI = "-bti-Data.db";

  private final CompactionHeat heat;
  private final Tier tier;
  private final Rewrite rewrite;

  /** By their writers, those that are not to be cached not among them. */
  private final IdentityHashMap<Object, HotOutput> outputs = new IdentityHashMap<>();

  private final Set<Incarnations.Incarnation> inputs = new HashSet<>();

  private @Nullable Object writer;
  private @Nullable HotOutput output;

  private @Nullable ChunkReads openFile;
  private long openOffset;
  private @Nullable PinnedBlock openBlock;

  /** How long the chunks of uncompressed inputs are; the outputs' will be. */
  private int chunkBytes;

  private boolean failed;

  HotCompaction(CompactionHeat heat, Tier tier, BlockCache cache) {
    this.heat = heat;
    this.tier = tier;
    this.rewrite = cache.rewrite();
  }

  /** Returns the calling thread's compaction; null if there is none that is followed. */
  static @Nullable HotCompaction current() {
    return Compactions.current() instanceof HotCompaction compaction ? compaction : null;
  }

  Rewrite rewrite() {
    return rewrite;
  }

  Collection<HotOutput> outputs() {
    return outputs.values();
  }

  Set<Incarnations.Incarnation> inputs() {
    return inputs;
  }

  /**
   * Goes on to a chunk of an input.
   *
   * @param asked how many bytes its reader has room for
   * @return the chunk if it is cached; else null
   */
  @Nullable PinnedBlock read(ChunkReads input, long offset, int asked) {
    chunkBytes = asked;
    return open(input, offset);
  }

  private @Nullable PinnedBlock open(ChunkReads input, long offset) {
    if (input != openFile || offset != openOffset) {
      openBlock = rewrite.read(input.file.id(), offset);
      openFile = input;
      openOffset = offset;
      inputs.add(input.file);
    }
    return openBlock;
  }

  @Override
  public void reads(CachedFile input, long offset) {
    try {
      if (input instanceof ChunkReads file) {
        open(file, offset);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  public void begins(Object of, String path, int table, ByteBuffer key, long position) {
    if (failed) {
      return;
    }
    try {
      if (of != writer) {
        writer = of;
        output = outputs.get(of);
        if (output == null && position == 0) {
          output = begin(of, path);
        }
      }
      if (output != null) {
        output.begins(heat.recentLookups(table, key));
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  private @Nullable HotOutput begin(Object of, String path) {
    boolean compressed = of instanceof CompressedSequentialWriter;
    if (path.endsWith(DATA_OF_BTI)
        || !heat.isCached(path)
        || !(compressed || Integer.bitCount(chunkBytes) == 1)) {
      return null;
    }
    Object fileKey = FileKey.of(-1, path);
    HotOutput begun =
        new HotOutput(
            rewrite,
            tier.incarnations().expect(fileKey),
            fileKey,
            Path.of(path),
            compressed ? HotOutput.COMPRESSED : chunkBytes);
    outputs.put(of, begun);
    return begun;
  }

  @Override
  public void ends(Object of, long position) {
    try {
      if (of == writer && output != null && !failed) {
        output.ends(position);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  public void wrote(Object of, long offset, long end) {
    try {
      HotOutput written = of == writer ? output : outputs.get(of);
      if (written != null && !failed) {
        written.wrote(offset, end);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  @Override
  public void over(boolean committed) {
    openBlock = null;
    openFile = null;
    writer = null;
    output = null;
    try {
      outputs.values().forEach(each -> tier.incarnations().unexpect(each.fileKey()));
      if (outputs.isEmpty() || failed) {
        return;
      }
      if (committed) {
        heat.carry(this);
      } else {
        tier.bypasses().count(Bypass.COMPACTION_FAILED);
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** Follows the compaction no more. */
  private void failed(Throwable e) {
    failed = true;
    tier.failed(e);
  }
}
