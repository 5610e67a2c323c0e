// SPDX-License-Identifier: Apache-2.0
package io.nvcache.rivals;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionDecision;
import io.nvcache.admission.AdmissionPolicy;
import io.nvcache.eviction.EvictionContext;
import io.nvcache.eviction.EvictionPolicy;
import io.nvcache.eviction.SlotMarks;
import io.nvcache.eviction.Sweep;
import io.nvcache.rivals.Rival.Policies;

/**
 * S3-FIFO: J. Yang et al., "FIFO Queues are All You Need for Cache Eviction", SOSP 2023. New blocks
 * enter a small queue of 1/10 of the cache; from its end, those hit more than once move to the main
 * queue, and the others leave a ghost behind, by which they enter the main queue when they come
 * back. Blocks at the end of the main queue that were hit get another round for each of up to three
 * hits.
 *
 * <p>The parts of the small queue and of the ghosts are of the blocks cached at the moment, since
 * the blocks' sizes differ. As in the paper, hits count from 0 again when a block moves.
 */
public final class S3Fifo implements EvictionPolicy {
  private static final double SMALL_SHARE = 0.1;
  private static final int MOST_HITS = 3;
  private static final int HITS_TO_MOVE = 2;

  private final SlotMarks hits;
  private final SlotQueue small;
  private final SlotQueue main;
  private final SlotNames names;
  private final NameQueue ghosts = new NameQueue();

  /** The slot given last, and whether it was from the small queue: it then leaves a ghost. */
  private int given = NO_VICTIM;

  private boolean givenOfSmall;

  private S3Fifo(EvictionContext context) {
    this.hits = context.marks();
    this.small = new SlotQueue(context.slots());
    this.main = new SlotQueue(context.slots());
    this.names = new SlotNames(context.slots());
  }

  /** Both halves of the policy, for one cache: admission takes everything and notes the names. */
  public static Policies pair() {
    return Policies.linked(S3Fifo::new, S3Fifo::naming);
  }

  private AdmissionPolicy naming(AdmissionContext context) {
    return candidate -> decide(candidate.fileId(), candidate.offset());
  }

  private AdmissionDecision decide(long fileId, long offset) {
    names.offer(fileId, offset);
    return AdmissionDecision.ADMIT;
  }

  @Override
  public synchronized void onAdmit(int slot) {
    hits.set(slot, 0);
    if (ghosts.remove(names.admit(slot))) {
      main.putFirst(slot);
    } else {
      small.putFirst(slot);
    }
  }

  @Override
  public void onHit(int slot) {
    int count = hits.get(slot);
    if (count < MOST_HITS) {
      hits.set(slot, count + 1);
    }
  }

  @Override
  public synchronized void onRemove(int slot) {
    boolean left = small.remove(slot) || main.remove(slot);
    if (left && slot == given) {
      if (givenOfSmall) {
        ghosts.put(names.of(slot), (long) ((1 - SMALL_SHARE) * (resident() + 1)));
      }
      given = NO_VICTIM;
    }
  }

  private int resident() {
    return small.size() + main.size();
  }

  @Override
  public synchronized int victim() {
    // A block that was given and is still there can't be evicted now: look in the other queue.
    boolean refused = given != NO_VICTIM;
    given = NO_VICTIM;
    // Moves and rounds are bounded: each lowers hits, which come in but rarely at the same time.
    for (int step = (MOST_HITS + 2) * resident(); step > 0; step--) {
      boolean due = small.size() >= SMALL_SHARE * resident();
      boolean ofSmall = small.size() > 0 && (main.size() == 0 || (refused ? !givenOfSmall : due));
      if (ofSmall ? isLastOfSmallToGo() : isLastOfMainToGo()) {
        givenOfSmall = ofSmall;
        return given;
      }
    }
    return NO_VICTIM;
  }

  private boolean isLastOfSmallToGo() {
    int slot = small.last();
    boolean stays = hits.get(slot) >= HITS_TO_MOVE;
    hits.set(slot, 0);
    small.remove(slot);
    main.putFirst(slot);
    given = stays ? NO_VICTIM : slot;
    return !stays;
  }

  private boolean isLastOfMainToGo() {
    int slot = main.last();
    int count = hits.get(slot);
    hits.set(slot, Math.max(0, count - 1));
    main.putFirst(slot);
    given = count > 0 ? NO_VICTIM : slot;
    return count == 0;
  }

  /** Few hits first, and of as few, a block of the small queue before one of the main queue. */
  @Override
  public synchronized int worth(int slot) {
    return 2 * hits.get(slot) + (main.contains(slot) ? 1 : 0);
  }

  @Override
  public void sweep(Sweep sweep) {}

  @Override
  public long metadataBytes() {
    return small.metadataBytes() + main.metadataBytes();
  }

  @Override
  public void close() {}
}
