// SPDX-License-Identifier: Apache-2.0
/** The policies of a cache, guarded against what they throw, and the facts that they ask for. */
@NullMarked
package io.nvcache.internal.policy;

import org.jspecify.annotations.NullMarked;
