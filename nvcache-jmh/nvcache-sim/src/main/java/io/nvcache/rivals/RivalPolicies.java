// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Admission and eviction of one cache, which may know of each other.
 *
 * @param admission makes the one
 * @param eviction makes the other; to be called first, as the engine does
 */
public record RivalPolicies(AdmissionFactory admission, EvictionFactory eviction) {
  /** Two that share state: admission is made from the eviction that was made before. */
  static <E extends EvictionPolicy> RivalPolicies linked(
      Function<EvictionContext, E> eviction,
      BiFunction<E, AdmissionContext, AdmissionPolicy> admission) {
    AtomicReference<E> made = new AtomicReference<>();
    return new RivalPolicies(
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
