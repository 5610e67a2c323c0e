// SPDX-License-Identifier: Apache-2.0
/** Replays traces against policies, and reports hits and writes next to their bounds. */
@NullMarked
package io.nvcache.trace.replay;

import org.jspecify.annotations.NullMarked;
