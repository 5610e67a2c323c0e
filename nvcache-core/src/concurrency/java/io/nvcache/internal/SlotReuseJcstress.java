// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal;

import io.nvcache.internal.index.Bucket;
import io.nvcache.internal.index.BucketLayout;
import io.nvcache.internal.space.MediumSpace;
import io.nvcache.memory.RawMemory;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * Space that passes from one block to another while a reader copies it (ABA): the entry goes, the
 * bytes of the next block are written in the same place, and an entry of that block takes the same
 * slot of the bucket. The reader of the first may see its bytes, 1, or nothing, -1; never 2.
 */
@JCStressTest
@Outcome(id = "1", expect = Expect.ACCEPTABLE, desc = "its bytes")
@Outcome(id = "-1", expect = Expect.ACCEPTABLE, desc = "thrown away")
@Outcome(expect = Expect.FORBIDDEN, desc = "another block's bytes")
@State
public class SlotReuseJcstress {
  // Hashes with other tags and other rests, so that neither store alone makes one of the other.
  private static final long FIRST = 0x0000_0011_0000_0700L;
  private static final long SECOND = 0x0000_0022_0000_0800L;

  private final long bucket = StateMemory.next();
  private final long block = bucket + BucketLayout.BUCKET_BYTES;

  public SlotReuseJcstress() {
    RawMemory.putLong(block, 1);
    Bucket.prepare(bucket, 0, 0, 0);
    Bucket.publish(bucket, 0, FIRST);
  }

  @Actor
  public void evictAndInsert() {
    Bucket.lock(bucket);
    Bucket.empty(bucket, 0);
    Bucket.unlock(bucket);
    RawMemory.putLong(block, 2); // No lock is held while the medium is written.
    Bucket.lock(bucket);
    Bucket.prepare(bucket, 0, 0, 0);
    Bucket.publish(bucket, 0, SECOND);
    Bucket.unlock(bucket);
  }

  @Actor
  public void reader(I_Result result) {
    int version = Bucket.versionAcquire(bucket);
    if (Bucket.isLocked(version) || Bucket.find(bucket, FIRST) != 0) {
      result.r1 = -1;
      return;
    }
    int copied = (int) RawMemory.getLong(block);
    result.r1 = Bucket.isUnchanged(bucket, version) ? copied : -1;
  }

  /** With the bytes written before the entry is gone, as an in-place update would. */
  @JCStressTest
  @Outcome(
      id = {"1", "-1"},
      expect = Expect.ACCEPTABLE,
      desc = "right")
  @Outcome(id = "2", expect = Expect.ACCEPTABLE_INTERESTING, desc = "another's bytes: caught")
  @State
  public static class Broken {
    private final long bucket = StateMemory.next();
    private final long block = bucket + BucketLayout.BUCKET_BYTES;

    public Broken() {
      RawMemory.putLong(block, 1);
      Bucket.prepare(bucket, 0, 0, 0);
      Bucket.publish(bucket, 0, FIRST);
    }

    @Actor
    public void evictAndInsert() {
      RawMemory.putLong(block, 2);
      StateMemory.linger();
      Bucket.lock(bucket);
      Bucket.empty(bucket, 0);
      Bucket.unlock(bucket);
    }

    @Actor
    public void reader(I_Result result) {
      int version = Bucket.versionAcquire(bucket);
      if (Bucket.isLocked(version) || Bucket.find(bucket, FIRST) != 0) {
        result.r1 = -1;
        return;
      }
      int copied = (int) RawMemory.getLong(block);
      result.r1 = Bucket.isUnchanged(bucket, version) ? copied : -1;
    }
  }
}
