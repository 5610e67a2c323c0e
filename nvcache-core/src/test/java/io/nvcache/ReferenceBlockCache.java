// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.Candidate;
import io.nvcache.control.CacheControl;
import io.nvcache.control.CacheListener;
import io.nvcache.control.Condition;
import io.nvcache.control.DataSet;
import io.nvcache.control.LiveSettings;
import io.nvcache.control.ReasonLedger;
import io.nvcache.internal.CloseHooks;
import io.nvcache.internal.gate.CallerKeys;
import io.nvcache.internal.settings.EngineSettings;
import io.nvcache.internal.write.Offers;
import io.nvcache.stats.Counter;
import io.nvcache.stats.LedgerSnapshot;
import io.nvcache.stats.StatsSnapshot;
import io.nvcache.stats.StatsSnapshot.Level;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The naive block cache: a hash map of byte arrays under one lock. It honours every clause of the
 * contract in the plainest way, evicts nothing and forgets only what it is told to, so it tells
 * what a real cache may answer: this block's bytes or a miss.
 */
public final class ReferenceBlockCache implements BlockCache, CacheControl {
  private final long capacityBytes;
  private final long maxPinnedBytes;
  private final AdmissionPolicy admission;
  private final DataSet dataSet = new ReferenceDataSet();

  /** Made when asked for, since making them asks the system for its memory. */
  private @Nullable LiveSettings settings;

  private final Map<Key, byte[]> blocks = new HashMap<>();
  private final Map<OfferResult, Long> offers = new EnumMap<>(OfferResult.class);
  private final Map<Source, Long> offersBySource = new EnumMap<>(Source.class);
  private long lookups;
  private long hits;
  private long hitBytes;
  private long refusedPins;
  private long admittedBytes;
  private long invalidations;
  private long invalidatedBytes;
  private long blockBytes;
  private long pinnedBytes;
  private final CloseHooks companions = new CloseHooks();
  private boolean closed;

  private record Key(long fileId, long offset) {
    Key {
      if (offset < 0) {
        throw new IllegalArgumentException("offset " + offset + " is negative");
      }
    }
  }

  /**
   * @param capacityBytes bytes of blocks; an offer past them is answered NO_SPACE
   * @param maxPinnedBytes bytes that pins may hold
   * @param admission judges each block that would otherwise be taken
   */
  public ReferenceBlockCache(long capacityBytes, long maxPinnedBytes, AdmissionPolicy admission) {
    this.capacityBytes = capacityBytes;
    this.maxPinnedBytes = maxPinnedBytes;
    this.admission = admission;
  }

  /** A cache that takes every block. */
  public ReferenceBlockCache() {
    this(Long.MAX_VALUE, Long.MAX_VALUE, candidate -> AdmissionDecision.ADMIT);
  }

  @Override
  public synchronized int get(long fileId, long offset, ByteBuffer dst) {
    Key key = new Key(fileId, offset);
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    byte[] block = lookup(key);
    if (block == null) {
      return MISS;
    }
    if (dst.remaining() < block.length) {
      throw new BufferOverflowException();
    }
    dst.put(block);
    return block.length;
  }

  @Override
  public synchronized int getRange(long fileId, long offset, int from, ByteBuffer dst) {
    Key key = new Key(fileId, offset);
    if (from < 0) {
      throw new IndexOutOfBoundsException("from is " + from);
    }
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    byte[] block = lookup(key);
    if (block == null) {
      return MISS;
    }
    int copied = Math.min(dst.remaining(), block.length - from);
    if (copied < 0) {
      throw new IndexOutOfBoundsException("from is " + from);
    }
    dst.put(block, from, copied);
    return copied;
  }

  @Override
  public synchronized int peek(long fileId, long offset, ByteBuffer dst) {
    Key key = new Key(fileId, offset);
    if (dst.isReadOnly()) {
      throw new ReadOnlyBufferException();
    }
    byte[] block = closed ? null : blocks.get(key);
    if (block == null) {
      return MISS;
    }
    dst.put(block, 0, Math.min(dst.remaining(), block.length));
    return block.length;
  }

  @Override
  public Rewrite rewrite() {
    return new ReferenceRewrite();
  }

  /** It counts no lookups of a block, so that it finds no heat. */
  private final class ReferenceRewrite implements Rewrite {
    @Override
    public @Nullable PinnedBlock read(long fileId, long offset) {
      CallerKeys.checkOffset(offset);
      synchronized (ReferenceBlockCache.this) {
        byte[] block = closed ? null : blocks.get(new Key(fileId, offset));
        if (block == null) {
          return null;
        }
        pinnedBytes += block.length;
        return new Pin(block);
      }
    }

    @Override
    public double wrote(long fileId, long offset, int lengthBytes, double keyLookups) {
      CallerKeys.checkOffset(offset);
      Offers.checkLength(fileId, offset, lengthBytes);
      return 0;
    }

    @Override
    public int carryAhead(OutputReader kept) {
      return 0;
    }

    @Override
    public int carry(OutputReader outputs) {
      return 0;
    }
  }

  @Override
  public ReusablePin reusablePin() {
    return new PinPerBlock(this);
  }

  @Override
  public synchronized @Nullable PinnedBlock pin(long fileId, long offset) {
    Key key = new Key(fileId, offset);
    byte[] wanted = blocks.get(key);
    if (wanted != null && wanted.length > maxPinnedBytes - pinnedBytes) {
      lookups++;
      refusedPins++;
      return null;
    }
    byte[] block = lookup(key);
    if (block == null) {
      return null;
    }
    pinnedBytes += block.length;
    return new Pin(block);
  }

  private byte @Nullable [] lookup(Key key) {
    if (closed) {
      return null;
    }
    lookups++;
    byte[] block = blocks.get(key);
    if (block != null) {
      hits++;
      hitBytes += block.length;
    }
    return block;
  }

  @Override
  public synchronized OfferResult offer(long fileId, long offset, ByteBuffer block, Source source) {
    Key key = new Key(fileId, offset);
    if (!block.hasRemaining()) {
      throw new IllegalArgumentException("empty block " + key);
    }
    OfferResult result = judge(key, block.remaining(), source);
    if (result == OfferResult.ADMITTED) {
      byte[] copy = new byte[block.remaining()];
      block.duplicate().get(copy);
      blocks.put(key, copy);
      blockBytes += copy.length;
      admittedBytes += copy.length;
    }
    offers.merge(result, 1L, Long::sum);
    offersBySource.merge(source, 1L, Long::sum);
    return result;
  }

  private OfferResult judge(Key key, int length, Source source) {
    if (closed) {
      return OfferResult.CLOSED;
    }
    if (blocks.containsKey(key)) {
      return OfferResult.ALREADY_CACHED;
    }
    return switch (admission.decide(Candidate.of(key.fileId(), key.offset(), length, source))) {
      case ADMIT ->
          length > capacityBytes - blockBytes ? OfferResult.NO_SPACE : OfferResult.ADMITTED;
      case BYPASS_SMALL -> OfferResult.BYPASSED_SMALL;
      case BYPASS_OVERHEAD -> OfferResult.BYPASSED_OVERHEAD;
      case NOT_WORTH_IT -> OfferResult.NOT_WORTH_IT;
    };
  }

  @Override
  public synchronized boolean invalidate(long fileId, long offset) {
    byte[] block = blocks.remove(new Key(fileId, offset));
    if (block == null) {
      return false;
    }
    forgotten(block);
    return true;
  }

  @Override
  public synchronized void invalidateFile(long fileId) {
    blocks
        .entrySet()
        .removeIf(
            entry -> {
              boolean hit = entry.getKey().fileId() == fileId;
              if (hit) {
                forgotten(entry.getValue());
              }
              return hit;
            });
    dataSet.unregister(fileId);
  }

  private void forgotten(byte[] block) {
    invalidations++;
    invalidatedBytes += block.length;
    blockBytes -= block.length;
  }

  @Override
  public CacheControl control() {
    return this;
  }

  @Override
  public DataSet dataSet() {
    return dataSet;
  }

  @Override
  public synchronized LiveSettings settings() {
    if (settings == null) {
      settings = new EngineSettings();
    }
    return settings;
  }

  @Override
  public synchronized StatsSnapshot stats() {
    Map<Counter, Long> counts = new EnumMap<>(Counter.class);
    counts.put(Counter.LOOKUPS, lookups);
    counts.put(Counter.HITS, hits);
    counts.put(Counter.HIT_BYTES, hitBytes);
    counts.put(Counter.REFUSED_PINS, refusedPins);
    counts.put(Counter.MISSES_PIN_REFUSED, refusedPins);
    counts.put(Counter.MISSES_NOT_CACHED, lookups - hits - refusedPins);
    counts.put(Counter.ADMITTED_BYTES, admittedBytes);
    counts.put(Counter.MEDIUM_WRITTEN_BYTES, admittedBytes);
    counts.put(Counter.DEVICE_WRITTEN_BYTES, admittedBytes);
    counts.put(Counter.INVALIDATIONS, invalidations);
    counts.put(Counter.INVALIDATED_BYTES, invalidatedBytes);
    offers.forEach((result, count) -> counts.put(Counter.of(result), count));
    offersBySource.forEach((source, count) -> counts.put(Counter.of(source), count));
    Map<Level, Long> levels =
        Map.of(
            Level.USED_BYTES,
            blockBytes,
            Level.CAPACITY_BYTES,
            capacityBytes,
            Level.PINNED_BYTES,
            pinnedBytes);
    return new StatsSnapshot(
        counts, levels, admission.overhead(), dataSet.bytes(), "all in one pass");
  }

  @Override
  public synchronized ReasonLedger ledger() {
    return new LedgerSnapshot(stats(), blocks.size(), 0);
  }

  @Override
  public Map<Condition, String> conditions() {
    return Map.of();
  }

  /** Its state never changes. */
  @Override
  public void addListener(CacheListener listener) {}

  @Override
  public void removeListener(CacheListener listener) {}

  @Override
  public void addCompanion(AutoCloseable companion) {
    companions.add(companion);
  }

  @Override
  public void removeCompanion(AutoCloseable companion) {
    companions.remove(companion);
  }

  @Override
  public void close() {
    companions.close();
    forgetAll();
  }

  private synchronized void forgetAll() {
    closed = true;
    blocks.clear();
    blockBytes = 0;
  }

  private final class Pin implements PinnedBlock {
    private final byte[] block;
    private boolean returned;

    Pin(byte[] block) {
      this.block = block;
    }

    @Override
    public int length() {
      return block.length;
    }

    @Override
    public ByteBuffer buffer() {
      return open().asReadOnlyBuffer();
    }

    @Override
    public void copyTo(ByteBuffer dst) {
      dst.put(open());
    }

    @Override
    public long getLong(int index) {
      return open().getLong(index);
    }

    private ByteBuffer open() {
      synchronized (ReferenceBlockCache.this) {
        if (returned) {
          throw new IllegalStateException("the pin is closed");
        }
        return ByteBuffer.wrap(block);
      }
    }

    @Override
    public void close() {
      synchronized (ReferenceBlockCache.this) {
        if (!returned) {
          returned = true;
          pinnedBytes -= block.length;
        }
      }
    }
  }
}
