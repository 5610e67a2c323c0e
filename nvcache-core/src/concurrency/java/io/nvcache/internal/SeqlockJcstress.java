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
 * The publication of an entry: a reader that finds the version unchanged has read a location and a
 * slack that belong together, as a lookup does. r1 is the location read and r2 the slack, -1 each
 * if the reader had to throw them away.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = Expect.ACCEPTABLE, desc = "before")
@Outcome(id = "2, 2", expect = Expect.ACCEPTABLE, desc = "after")
@Outcome(id = "-1, -1", expect = Expect.ACCEPTABLE, desc = "thrown away")
@Outcome(expect = Expect.FORBIDDEN, desc = "half a change")
@State
public class SeqlockJcstress {
  private static final long HASH = 0x0000_0011_0000_0700L;

  private final long bucket = StateMemory.next();

  public SeqlockJcstress() {
    Bucket.prepare(bucket, 0, 1, 1);
    Bucket.publish(bucket, 0, HASH);
  }

  @Actor
  public void writer() {
    Bucket.lock(bucket);
    Bucket.prepare(bucket, 0, 2, 2);
    Bucket.unlock(bucket);
  }

  @Actor
  public void reader(II_Result result) {
    int version = Bucket.versionAcquire(bucket);
    int location = (int) Bucket.location(bucket, 0);
    int slack = Bucket.slack(bucket, 0);
    boolean stands = !Bucket.isLocked(version) && Bucket.isUnchanged(bucket, version);
    result.r1 = stands ? location : -1;
    result.r2 = stands ? slack : -1;
  }

  /** The same without the version: what it is there for must show. */
  @JCStressTest
  @Outcome(
      id = {"1, 1", "2, 2"},
      expect = Expect.ACCEPTABLE,
      desc = "whole")
  @Outcome(expect = Expect.ACCEPTABLE_INTERESTING, desc = "half a change: caught")
  @State
  public static class Broken {
    private final long bucket = StateMemory.next();

    public Broken() {
      Bucket.prepare(bucket, 0, 1, 1);
      Bucket.publish(bucket, 0, HASH);
    }

    @Actor
    public void writer() {
      Bucket.prepare(bucket, 0, 2, 2);
    }

    @Actor
    public void reader(II_Result result) {
      result.r1 = (int) Bucket.location(bucket, 0);
      StateMemory.linger();
      result.r2 = Bucket.slack(bucket, 0);
    }
  }
}
