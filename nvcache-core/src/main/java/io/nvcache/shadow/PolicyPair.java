// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionFactory;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.memory.Claims;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a miniature.
 *
 * @param admission makes its admission
 * @param eviction makes its eviction
 * @param evictionWindow the window they go with; null for the live setting
 */
public record PolicyPair(
    AdmissionFactory admission, EvictionFactory eviction, @Nullable Duration evictionWindow) {

  /**
   * Makes an eviction policy and claims it for one cache.
   *
   * @throws IllegalStateException if another cache has it
   */
  public EvictionPolicy newEviction(EvictionContext context) {
    EvictionPolicy policy = eviction.create(context);
    Objects.requireNonNull(policy, "the factory gave no eviction policy");
    claim(policy, "eviction policy");
    return policy;
  }

  /**
   * Makes an admission policy and claims it for one cache.
   *
   * @param partner the cache's eviction policy, which may be the same object
   * @throws IllegalStateException if another cache has it
   */
  public AdmissionPolicy newAdmission(AdmissionContext context, EvictionPolicy partner) {
    AdmissionPolicy policy = admission.create(context);
    Objects.requireNonNull(policy, "the factory gave no admission policy");
    if ((Object) policy != partner) {
      claim(policy, "admission policy");
    }
    return policy;
  }

  /** A policy without a field, such as a lambda that captures nothing, may serve any number. */
  private static void claim(AutoCloseable policy, String kind) {
    for (Class<?> type = policy.getClass(); type != null; type = type.getSuperclass()) {
      for (Field field : type.getDeclaredFields()) {
        if (!Modifier.isStatic(field.getModifiers())) {
          Claims.take(policy, kind);
          return;
        }
      }
    }
  }
}
