// SPDX-License-Identifier: Apache-2.0
package io.nvcache.bench.sample;

import io.nvcache.bench.contender.Lane;

/** One side of a pair: a separate loop, so that each call site in it sees one class only. */
@FunctionalInterface
public interface Side {
  void run(KeyWalk walk, Lane lane, int operations);
}
