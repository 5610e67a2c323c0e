// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench;

/** One side of a pair: a loop of its own, so that each call site in it sees one class only. */
@FunctionalInterface
interface Side {
  void run(KeyWalk walk, Lane lane, int operations);
}
