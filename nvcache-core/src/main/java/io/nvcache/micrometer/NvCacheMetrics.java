// SPDX-License-Identifier: Apache-2.0
package io.nvcache.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.nvcache.BlockCache;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Binds a cache to Micrometer, until the cache or this is closed, under its own names ({@code
 * nvcache.*}); under other caches' names ({@code cache.*}) {@linkplain #withCacheMeters where it is
 * asked to}.
 *
 * <p>Each meter name has one set of tag keys, as Prometheus demands; that is why the causes of
 * evictions are under {@code nvcache.evictions}. The cache is held weakly. A scrape takes one
 * snapshot, which serves all meters for 0.1 s.
 *
 * <p>Where a meter is bound to another cache of that name, it stays so, and a warning is logged: a
 * cache that replaces another is to be bound when that one is closed.
 *
 * <p>Nothing else in NVCache links to this class, and Micrometer is needed by its users only.
 * Thread-safe.
 */
public final class NvCacheMetrics implements MeterBinder, AutoCloseable {
  private final WeakReference<BlockCache> cache;
  private final Tags tags;
  private final Map<MeterRegistry, CacheBinding> bindings = new LinkedHashMap<>();
  private boolean commonTaken;
  private boolean evictionsLeftOut;

  /**
   * Makes a binder.
   *
   * @param cache the cache to watch
   * @param name the value of the tag {@code cache}
   * @param tags further tags of each meter
   */
  public NvCacheMetrics(BlockCache cache, String name, Iterable<Tag> tags) {
    this.cache = new WeakReference<>(cache);
    this.tags = Tags.concat(tags, "cache", name);
  }

  /**
   * Binds the cache to a registry until it is closed.
   *
   * @return the cache
   */
  public static <C extends BlockCache> C monitor(MeterRegistry registry, C cache, String name) {
    new NvCacheMetrics(cache, name, Tags.empty()).bindTo(registry);
    return cache;
  }

  /**
   * Binds also {@code cache.size}, {@code cache.gets}, {@code cache.puts} and {@code
   * cache.evictions}, by which Micrometer's {@code CacheMeterBinder} shows other caches; what is in
   * them is under {@code nvcache.*} as well. To be called before binding.
   *
   * <p>Prometheus shows meters of a name with one set of tag keys alone, the first. So the tags
   * given to the constructor must have the keys that the other caches' have: none for {@code
   * CaffeineCacheMetrics.monitor} without tags, {@code cache.manager} and {@code name} for the
   * caches that Spring Boot binds.
   *
   * @return this
   */
  public synchronized NvCacheMetrics withCacheMeters() {
    commonTaken = true;
    return this;
  }

  /**
   * Leaves out {@code cache.evictions}, the sum of {@code nvcache.evictions}, from {@linkplain
   * #withCacheMeters the meters of other caches}. To be called before binding to a Prometheus
   * registry that has Micrometer's {@code CaffeineStatsCounter} as well: that one's {@code
   * cache.evictions} has the tag {@code cause} and is a summary, and of two meters of a name that
   * differ so, Prometheus shows the first alone.
   *
   * @return this
   */
  public synchronized NvCacheMetrics withoutCacheEvictions() {
    evictionsLeftOut = true;
    return this;
  }

  /** Binds the cache to a registry, unless it is already. */
  @Override
  public synchronized void bindTo(MeterRegistry registry) {
    BlockCache present = cache.get();
    if (present == null || bindings.containsKey(registry)) {
      return;
    }
    CacheBinding binding = bindingOf(registry, present);
    if (commonTaken) {
      binding.bindCommon();
    }
    if (commonTaken && !evictionsLeftOut) {
      binding.bindCommonEvictions();
    }
    binding.complete();
    bindings.put(registry, binding);
    if (bindings.size() == 1) {
      present.control().addCompanion(this); // Closes this at once if the cache is closed.
    }
  }

  private CacheBinding bindingOf(MeterRegistry registry, BlockCache present) {
    try {
      CacheBinding binding = new CacheBinding(registry, present, tags);
      binding.bind();
      return binding;
    } catch (LinkageError e) { // A host may bring an older one.
      throw new IllegalStateException(
          "micrometer-core "
              + MeterRegistry.class.getPackage().getImplementationVersion()
              + " was found; the meters need 1.5 or later: "
              + e,
          e);
    }
  }

  /** Removes the meters from all registries. Closing again does nothing. */
  @Override
  public void close() {
    BlockCache present = cache.get();
    if (present != null) {
      present.control().removeCompanion(this);
    }
    unbind().forEach(CacheBinding::close);
  }

  private synchronized List<CacheBinding> unbind() {
    List<CacheBinding> last = List.copyOf(bindings.values());
    bindings.clear();
    return last;
  }
}
