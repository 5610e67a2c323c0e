// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.index.Bucket;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Slots beside one that changes: their tags and a byte of their rests are written again with it, and
 * must never look different meanwhile. r1 is whether the slot before was found as it is, r2 the one
 * behind.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "as they are")
@Outcome(expect = Expect.FORBIDDEN, desc = "a neighbour changed")
@State
public class NeighbourJcstress {
  private static final long BEFORE = 0x7172_7374_7576_7778L;
  private static final long CHANGING = 0x8182_8384_8586_8788L;
  private static final long BEHIND = 0x9192_9394_9596_9798L;

  private final long bucket = StateMemory.next();

  public NeighbourJcstress() {
    Bucket.publish(bucket, 2, BEFORE);
    Bucket.publish(bucket, 3, CHANGING);
    Bucket.publish(bucket, 4, BEHIND);
  }

  @Actor
  public void writer() {
    Bucket.lock(bucket);
    Bucket.empty(bucket, 3);
    Bucket.unlock(bucket);
    Bucket.lock(bucket);
    Bucket.publish(bucket, 3, CHANGING);
    Bucket.unlock(bucket);
  }

  @Actor
  public void reader(II_Result result) {
    result.r1 = Bucket.find(bucket, BEFORE) == 2 && Bucket.hash(bucket, 2) == BEFORE ? 1 : 0;
    result.r2 = Bucket.find(bucket, BEHIND) == 4 && Bucket.hash(bucket, 4) == BEHIND ? 1 : 0;
  }
}
