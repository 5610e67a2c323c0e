// SPDX-License-Identifier: Apache-2.0
package io.nvcache.shadow;

import io.nvcache.admission.AdmissionFactory;
import io.nvcache.eviction.EvictionFactory;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a miniature.
 *
 * @param admission makes its admission
 * @param eviction makes its eviction
 * @param evictionWindow the window they go with; null for the live setting
 */
public record PolicyPair(
    AdmissionFactory admission, EvictionFactory eviction, @Nullable Duration evictionWindow) {}
