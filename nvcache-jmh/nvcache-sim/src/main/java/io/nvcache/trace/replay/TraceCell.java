// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace.replay;

/**
 * What one policy reached.
 *
 * @param policy the policy
 * @param result what came of its replay
 */
public record TraceCell(TracePolicy policy, ReplayResult result) {}
