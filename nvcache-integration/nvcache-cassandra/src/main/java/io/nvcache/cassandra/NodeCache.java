// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra;

import io.nvcache.BlockCache;
import io.nvcache.background.DaemonThread;
import io.nvcache.cassandra.agent.OpenedFile;
import io.nvcache.cassandra.agent.SSTableHook;
import io.nvcache.cassandra.agent.Tagged;
import io.nvcache.cassandra.chunks.ChunkReads;
import io.nvcache.cassandra.chunks.ChunkSums;
import io.nvcache.cassandra.chunks.CompactionHeat;
import io.nvcache.cassandra.chunks.UncachedFile;
import io.nvcache.cassandra.settings.NodeSettings;
import io.nvcache.cassandra.tier.Bypass;
import io.nvcache.cassandra.tier.FileKey;
import io.nvcache.cassandra.tier.Incarnations;
import io.nvcache.cassandra.tier.NamedFile;
import io.nvcache.cassandra.tier.NodeLog;
import io.nvcache.cassandra.tier.Tier;
import io.nvcache.control.RestoreReport.State;
import io.nvcache.host.CarryingThread;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.cassandra.config.DatabaseDescriptor;
import org.apache.cassandra.db.compaction.CompactionManager;
import org.apache.cassandra.io.compress.CompressionMetadata;
import org.apache.cassandra.io.util.ChannelProxy;
import org.jspecify.annotations.Nullable;

/**
 * The cache of one node, from the first data file that it opens to the end of the process.
 *
 * <p>The cache is built by its own thread when the first file to cache is opened, and not before: a
 * node that locks its memory locks what is mapped at that time, and preparing a large medium must
 * not hold up the start of the node. Until it is built, reads go to the files. Thread-safe.
 */
final class NodeCache implements SSTableHook, NodeCacheMXBean {
  /** Why heat is not followed on a node whose settings say so. */
  static final String HEAT_UNWANTED = NodeSettings.COMPACTION_HEAT + " is false";

  private final NodeSettings settings;
  private final Supplier<@Nullable String> weavingProblem;
  private final Supplier<@Nullable String> heatProblem;
  private volatile @Nullable String heatFailure;
  private final Tier tier = new Tier(CompactionManager::isCompactor);
  private final CarryingThread carrying =
      new CarryingThread(() -> tier.bypasses().count(Bypass.HEAT_QUEUE_FULL));
  private final CompactionHeat heat;
  private NodeState state = NodeState.WAITING;
  private @Nullable String problem;

  /** Takes the settings, and what tells why the cache, or the heat, can't work on this node. */
  NodeCache(
      NodeSettings settings,
      Supplier<@Nullable String> weavingProblem,
      Supplier<@Nullable String> heatProblem) {
    this.settings = settings;
    this.weavingProblem = weavingProblem;
    this.heatProblem = heatProblem;
    this.heat = new CompactionHeat(tier, settings.tables(), NodeCache::pace, carrying);
  }

  /** What is read back counts in {@code compaction_throughput}, as the compaction did. */
  private static void pace(int bytes) {
    CompactionManager.instance.getRateLimiter().acquire(bytes);
  }

  /** Returns what is to hear of compactions and queries. */
  CompactionHeat compactionHeat() {
    return heat;
  }

  @Override
  public void opened(OpenedFile file) {
    try {
      Bypass reason = reasonToPass(file);
      if (reason == null) {
        tag(file);
      } else {
        tier.bypasses().count(reason);
        if (reason == Bypass.TABLE_EXCLUDED) {
          count(file);
        }
      }
    } catch (RuntimeException | Error e) {
      refuse("a data file could not be attached: " + e);
    }
  }

  private @Nullable Bypass reasonToPass(OpenedFile file) {
    if (file.early()) {
      return Bypass.OPENED_EARLY;
    }
    return settings.tables().matches(file.path()) ? null : Bypass.TABLE_EXCLUDED;
  }

  private void tag(OpenedFile file) {
    if (begin(file)) {
      ChunkReads reads =
          new ChunkReads(tier, incarnation(file), file.chunkBytes(), sums(file.chunks()));
      ((Tagged) file.channel()).nvcacheFile(reads);
      if (file.chunks() instanceof Tagged chunks) {
        chunks.nvcacheFile(reads);
      } else if (file.chunks() != null) {
        goWithoutHeat("CompressionMetadata was loaded before it could be woven");
      }
    }
  }

  private static @Nullable ChunkSums sums(@Nullable Object chunks) {
    return chunks instanceof CompressionMetadata compressed
        ? new ChunkSums(compressed.maxCompressedLength())
        : null;
  }

  /** The small bypass asks whether all data fits in DRAM, not only what is to be cached. */
  private void count(OpenedFile file) {
    ((Tagged) file.channel()).nvcacheFile(new UncachedFile(tier, incarnation(file)));
  }

  private Incarnations.Incarnation incarnation(OpenedFile file) {
    ChannelProxy channel = (ChannelProxy) file.channel();
    Object fileKey = FileKey.of(channel.getFileDescriptor(), file.path());
    long lengthBytes = file.lengthBytes();
    NamedFile named =
        settings.mayKeepBlocks() ? NamedFile.of(Path.of(file.path()), fileKey, lengthBytes) : null;
    return tier.opened(fileKey, lengthBytes, named);
  }

  /** Starts the cache if this is the first file; false if there is none on this node. */
  private synchronized boolean begin(OpenedFile file) {
    if (state == NodeState.WAITING) {
      NodeReports.publish(this);
      String found = weavingProblem.get();
      if (found != null) {
        refuse(found);
      } else if (file.mapped()) {
        refuse(
            "disk_access_mode maps the data files of SSTables, whose reads the cache then can't"
                + " see; set it to mmap_index_only, the default, or to standard in cassandra.yaml");
      } else {
        state = NodeState.STARTING;
        startThread();
      }
    }
    return state != NodeState.REFUSED;
  }

  private void startThread() {
    Thread starter = DaemonThread.of("nvcache-start", this::build);
    starter.setContextClassLoader(NodeCache.class.getClassLoader());
    starter.start();
  }

  private void build() {
    try {
      BlockCache cache = settings.cache().build();
      synchronized (this) {
        if (state != NodeState.STARTING) {
          cache.close(); // Refused in the meantime.
          return;
        }
        tier.start(cache);
        state = NodeState.SERVING;
      }
      cache.control().addCompanion(heat);
      cache.control().addCompanion(carrying);
      if (heatProblem() == null) {
        heat.turnOnUnlessTurned();
      }
      closeAtTheEnd(cache);
      for (String directory : DatabaseDescriptor.getAllDataFileLocations()) {
        cache.control().addStoreDirectory(Path.of(directory));
      }
      NodeLog.info(
          "NVCache serves the SSTable reads of this node: "
              + settings.describe(cache)
              + ", compaction heat "
              + heatState());
      NodeReports.publish(tier, cache, settings);
    } catch (RuntimeException | Error e) {
      refuse("it could not be started: " + e.getMessage());
    }
  }

  /** Without these calls, no chunk of a compressed input would be known. */
  private void goWithoutHeat(String problem) {
    if (heatProblem() == null) {
      heatFailure = problem;
      heat.turn(false);
      NodeLog.error("NVCache follows no heat of compactions: " + problem);
    }
  }

  private @Nullable String heatProblem() {
    String found = heatFailure;
    return found == null ? heatProblem.get() : found;
  }

  private String heatState() {
    String found = heatProblem();
    return found == null ? "on" : "off: " + found;
  }

  /**
   * So that the blocks of the region that is being filled are found by the next process as well.
   */
  private void closeAtTheEnd(BlockCache cache) {
    if (cache.control().restore().state() == State.OFF) {
      return;
    }
    Thread closer =
        DaemonThread.of(
            "nvcache-close",
            () -> {
              tier.pause();
              cache.close();
            });
    try {
      Runtime.getRuntime().addShutdownHook(closer);
    } catch (IllegalStateException alreadyEnding) {
      closer.start();
    }
  }

  private synchronized void refuse(String reason) {
    if (state != NodeState.REFUSED) {
      state = NodeState.REFUSED;
      problem = reason;
      tier.pause();
      NodeLog.error(Refusal.line(reason));
    }
  }

  @Override
  public String getState() {
    return shown().state();
  }

  @Override
  public String getProblem() {
    return shown().problem();
  }

  private synchronized ShownState shown() {
    return ShownState.of(state, problem, tier.cache());
  }

  @Override
  public synchronized boolean isServing() {
    return state == NodeState.SERVING;
  }

  @Override
  public synchronized void setServing(boolean serving) {
    if (state != NodeState.SERVING && state != NodeState.PAUSED) {
      throw new IllegalStateException("the cache is " + state + "; it can't be switched now");
    }
    if (serving) {
      tier.resume();
    } else {
      tier.pause();
    }
    NodeState before = state;
    state = serving ? NodeState.SERVING : NodeState.PAUSED;
    NodeLog.info("NVCache was switched over JMX from " + before + " to " + state);
  }

  @Override
  public int getFiles() {
    return tier.incarnations().size();
  }

  @Override
  public long getCompactionHits() {
    return tier.compactionHits().sum();
  }

  @Override
  public boolean isCompactionHeat() {
    return heat.isOn();
  }

  @Override
  public void setCompactionHeat(boolean on) {
    String found = heatProblem();
    if (on && found != null) {
      throw new IllegalStateException(
          "the heat of compactions can't be followed: " + found + "; restart the node for it");
    }
    boolean before = heat.isOn();
    heat.turn(on);
    NodeLog.info("NVCache's compaction heat was switched over JMX from " + before + " to " + on);
  }

  @Override
  public String getCompactionHeatProblem() {
    String found = heatProblem();
    return found == null ? "" : found;
  }

  @Override
  public Map<String, Long> getBypasses() {
    return tier.bypasses().byName();
  }
}
