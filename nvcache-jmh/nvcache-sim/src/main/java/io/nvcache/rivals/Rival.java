// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.Source;
import io.nvcache.admission.AdmissionChain;
import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.admission.SourceFilter;
import io.nvcache.eviction.ClockEviction;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.FifoEviction;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * The known policies, by name. All are filled on misses, as they were designed to be: blocks that
 * are written are not offered to them.
 *
 * @param name its name
 * @param summary what it does, and whose it is
 * @param make makes the policies of one cache, from a seed
 */
public record Rival(String name, String summary, LongFunction<Policies> make) {
  private static final double STATIC_PROBABILITY = 0.1;

  private static final AdmissionFactory ON_MISS =
      SourceFilter.only(Source.READ, Source.SCAN, Source.PREFETCH);

  private static final List<Rival> ALL =
      List.of(
          evicting("lru", "LRU", LruEviction::new),
          evicting("fifo", "FIFO", FifoEviction::new),
          evicting("clock", "CLOCK with counts (Smith, TODS 1978)", ClockEviction::new),
          evicting("sieve", "SIEVE (Zhang et al., NSDI 2024)", SieveEviction::new),
          new Rival("s3-fifo", "S3-FIFO (Yang et al., SOSP 2023)", seed -> S3Fifo.pair()),
          new Rival(
              "tinylfu",
              "TinyLFU filter before LRU (Einziger et al., TOS 2017)",
              seed -> TinyLfu.pair()),
          beforeLru(
              "two-hit",
              "admits at the second miss, by a ghost list as in 2Q (VLDB 1994); LRU",
              seed -> TwoHit::new),
          beforeLru(
              "reject-first",
              "refuses once, then admits (CacheLib, OSDI 2020); LRU",
              seed -> RejectFirst::new),
          beforeLru(
              "static-p",
              "admits one in ten by lot; LRU",
              seed -> context -> new StaticProbability(STATIC_PROBABILITY, seed)),
          beforeLru(
              "dynamic-random",
              "admits by lot, steered to a rate of bytes (CacheLib, OSDI 2020); LRU",
              seed -> context -> new DynamicRandom(context, seed)));

  /** All of them. */
  public static List<Rival> all() {
    return ALL;
  }

  /** The policies of one cache, admitting as much as the policy would. */
  public Policies pair(long seed) {
    Policies pair = make.apply(seed);
    return new Policies(AdmissionChain.of(ON_MISS, pair.admission()), pair.eviction());
  }

  /**
   * The policies of one cache, which keep to the overhead target in bytes. The gate comes last:
   * what it refuses, a filter has seen and learned from.
   */
  public Policies gatedPair(long seed) {
    Policies pair = make.apply(seed);
    return new Policies(
        AdmissionChain.of(ON_MISS, pair.admission(), ByteGate::new), pair.eviction());
  }

  private static Rival evicting(String name, String eviction, EvictionFactory factory) {
    return new Rival(
        name, "admits every miss; " + eviction, seed -> new Policies(AdmissionChain.of(), factory));
  }

  private static Rival beforeLru(
      String name, String summary, LongFunction<AdmissionFactory> admission) {
    return new Rival(name, summary, seed -> new Policies(admission.apply(seed), LruEviction::new));
  }

  /**
   * Admission and eviction of one cache, which may know of each other.
   *
   * @param admission makes the one
   * @param eviction makes the other; to be called first, as the engine does
   */
  public record Policies(AdmissionFactory admission, EvictionFactory eviction) {
    /** Two that share state: admission is made from the eviction that was made before. */
    static <E extends EvictionPolicy> Policies linked(
        Function<EvictionContext, E> eviction,
        BiFunction<E, AdmissionContext, AdmissionPolicy> admission) {
      AtomicReference<E> made = new AtomicReference<>();
      return new Policies(
          context -> {
            E partner = made.get();
            if (partner == null) {
              throw new IllegalStateException("eviction has to be made before admission");
            }
            return admission.apply(partner, context);
          },
          context -> {
            E partner = eviction.apply(context);
            made.set(partner);
            return partner;
          });
    }
  }
}
