// SPDX-License-Identifier: Apache-2.0
package io.nvcache.stats;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counters in stripes, one for each thread that counts, so that counting shares no cache line and
 * takes no locked instruction: those wait for the loads before them, and a lookup would no longer
 * overlap with the next one. For the same reason a count is an opaque store, which costs nothing on
 * any processor; only the count that ends a call is released.
 *
 * <p><b>Assumptions.</b> A thread asks for its {@link #stripe} once per call of the cache and
 * passes it to every count in that call. <b>Guarantees.</b> No count is lost; {@link #sum} over a
 * counter that only grows never decreases; counting allocates nothing and takes no lock. A thread
 * that sees a {@linkplain #addRelease released} count sees all that its writer counted and did
 * before it; between other counts there is no order.
 *
 * <p><b>Ownership.</b> Each of the first stripes has one writer, the thread in {@code owners}; it
 * changes hands only when that thread is dead. A thread that finds none free in its few places has
 * one of the {@link OuterStripes}, which are made as threads need them. To all but the counting of
 * its calls it is one of the threads of a shared stripe, and so are those that find no outer stripe
 * either, which add atomically. Who found none free searches again when {@linkplain
 * #forgetDeadThreads some thread} was found dead, and not before: asking whether others live would
 * cost each of its calls more than all that it counts.
 *
 * <p>A stripe's counters lie together, on the heap, so that they may be read after the cache is
 * closed:
 *
 * <pre>
 *   | pad 128 B | stripe 0: LOOKUPS HITS MISSES ... | stripe 1: ... | ... | pad 128 B |
 *               | a multiple of 128 B               |
 * </pre>
 */
public final class StripedCounters {
  /** What {@link #homeStripe} answers to a thread that counts elsewhere, or nowhere yet. */
  public static final int NOT_AT_HOME = -1;

  private static final VarHandle CELLS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle OWNERS = MethodHandles.arrayElementVarHandle(Thread[].class);
  private static final VarHandle FULL_AT = MethodHandles.arrayElementVarHandle(int[].class);
  private static final int PAD = 128 / Long.BYTES;
  private static final int STRIPE_CELLS = (Counter.values().length + PAD - 1) / PAD * PAD;
  private static final int LEAST_STRIPES = 64;
  private static final int MOST_STRIPES = 256;
  private static final int STRIPES_PER_PROCESSOR = 4;
  private static final int SHARED_STRIPES = 8;

  /** The stripes that a thread may own, from the one its number gives on. */
  private static final int PLACES = 8;

  private final long[] cells;
  private final Thread[] owners;

  /** The first of the shared stripes. */
  private final int shared;

  /** The first of the outer stripes. */
  private final int outer;

  private final OuterStripes outerStripes = new OuterStripes();

  /** How often dead threads were let go. */
  private volatile int releases = 1;

  /** {@link #releases} before a search that found nothing free, by its first place. */
  private final int[] fullAt;

  /** The stripes that were ever given to a thread. */
  private volatile int[] used = {};

  /** Makes counters for about four threads a processor, beyond which some will share. */
  public StripedCounters() {
    this(
        Math.max(
            LEAST_STRIPES,
            Math.min(
                MOST_STRIPES, STRIPES_PER_PROCESSOR * Runtime.getRuntime().availableProcessors())));
  }

  StripedCounters(int minimumStripes) {
    int stripes = Integer.highestOneBit(Math.max(1, 2 * minimumStripes - 1));
    this.owners = new Thread[stripes];
    this.fullAt = new int[stripes];
    this.cells = new long[2 * PAD + (stripes + SHARED_STRIPES) * STRIPE_CELLS];
    this.shared = stripe(stripes);
    this.outer = stripe(stripes + SHARED_STRIPES);
  }

  /** Returns the calling thread's stripe: a number that means something to this object only. */
  public int stripe() {
    int stripe = homeStripe();
    return stripe == NOT_AT_HOME ? findStripe(Thread.currentThread()) : stripe;
  }

  /**
   * Returns the calling thread's stripe if it owns the first one that it may, as nearly all threads
   * do; else {@link #NOT_AT_HOME}.
   */
  public int homeStripe() {
    Thread thread = Thread.currentThread();
    int home = home(thread);
    return owners[home] == thread ? stripe(home) : NOT_AT_HOME;
  }

  /** Returns whether the calling thread is the stripe's only writer. */
  public boolean owns(int stripe) {
    return stripe < shared && owners[(stripe - PAD) / STRIPE_CELLS] == Thread.currentThread();
  }

  /**
   * Returns the thread that is the stripe's only writer, or was when it died; null if there is
   * none.
   */
  public @Nullable Thread owner(int stripe) {
    return stripe < shared ? (Thread) OWNERS.getVolatile(owners, index(stripe)) : null;
  }

  /** Returns how many stripes there are. */
  public int count() {
    return owners.length + SHARED_STRIPES;
  }

  /** Returns one of the {@link #count} stripes. */
  public int stripe(int i) {
    return PAD + i * STRIPE_CELLS;
  }

  /** Returns which of the {@link #count} stripes this one is, or which it belongs to. */
  public int index(int stripe) {
    return stripe < outer
        ? (stripe - PAD) / STRIPE_CELLS
        : sharedIndex(OuterStripes.index(stripe - outer));
  }

  /** Returns the shared stripe that an outer one belongs to, and any other itself. */
  public int common(int stripe) {
    return stripe < outer ? stripe : stripe(index(stripe));
  }

  private int sharedIndex(int i) {
    return owners.length + i % SHARED_STRIPES;
  }

  /** Adds to a counter of the calling thread's stripe. */
  public void add(int stripe, Counter counter, long delta) {
    int i = stripe + place(counter);
    if (stripe < shared) {
      CELLS.setOpaque(cells, i, cells[i] + delta);
    } else {
      addElsewhere(stripe, counter, delta);
    }
  }

  /**
   * Adds to a counter of the calling thread's stripe, behind everything that the thread read, wrote
   * and counted before: for the count that ends a call, or the hold on a block.
   */
  public void addRelease(int stripe, Counter counter, long delta) {
    int i = stripe + place(counter);
    if (stripe < shared) {
      CELLS.setRelease(cells, i, cells[i] + delta);
    } else {
      addElsewhere(stripe, counter, delta);
    }
  }

  private void addElsewhere(int stripe, Counter counter, long delta) {
    if (stripe < outer) {
      CELLS.getAndAdd(cells, stripe + place(counter), delta);
    } else {
      outerStripes.add(stripe - outer, place(counter), delta);
    }
  }

  /** Adds to a counter of any of the {@link #count}; all its writers must do it this way. */
  public void addShared(int stripe, Counter counter, long delta) {
    CELLS.getAndAdd(cells, stripe + place(counter), delta);
  }

  /** Returns one stripe's part of a counter. */
  public long get(int stripe, Counter counter) {
    return stripe < outer
        ? (long) CELLS.getVolatile(cells, stripe + place(counter))
        : outerStripes.get(stripe - outer, place(counter));
  }

  /** Returns the part of one of the {@link #count} stripes, and of those that belong to it. */
  public long getWithOuter(int stripe, Counter counter) {
    long own = get(stripe, counter);
    return stripe < shared
        ? own
        : own + outerStripes.sum((stripe - shared) / STRIPE_CELLS, SHARED_STRIPES, place(counter));
  }

  /** Returns the counter over all stripes. */
  public long sum(Counter counter) {
    long sum = 0;
    for (int stripe : used) {
      sum += get(stripe, counter);
    }
    return sum;
  }

  /**
   * Lets go of the threads that have ended: they would be kept from the garbage collector, and
   * their stripes from others. Called by one thread at a time.
   */
  public void forgetDeadThreads() {
    boolean any = outerStripes.forgetDeadThreads();
    for (int i = 0; i < owners.length; i++) {
      Thread owner = (Thread) OWNERS.getVolatile(owners, i);
      if (owner != null && !owner.isAlive()) {
        any |= OWNERS.compareAndSet(owners, i, owner, null);
      }
    }
    if (any) {
      noteRelease();
    }
  }

  private synchronized void noteRelease() {
    releases++;
  }

  /** Returns how many stripes have counted anything. */
  int usedCount() {
    return used.length;
  }

  private int findStripe(Thread thread) {
    int outside = outerStripes.find(thread);
    if (outside >= 0) {
      return outer + outside;
    }
    int home = home(thread);
    for (int distance = 1; distance < PLACES; distance++) {
      int i = place(home + distance);
      if (owners[i] == thread) {
        return stripe(i);
      }
    }
    int releasesBefore = releases;
    if ((int) FULL_AT.getAcquire(fullAt, home) == releasesBefore) {
      return shared + home % SHARED_STRIPES * STRIPE_CELLS;
    }
    for (int distance = 0; distance < PLACES; distance++) {
      int i = place(home + distance);
      Thread owner = (Thread) OWNERS.getVolatile(owners, i);
      if ((owner == null || !owner.isAlive()) && OWNERS.compareAndSet(owners, i, owner, thread)) {
        return use(stripe(i));
      }
    }
    int taken = outerStripes.take(thread);
    if (taken >= 0) {
      return use(outer + taken);
    }
    int stripe = use(shared + home % SHARED_STRIPES * STRIPE_CELLS);
    FULL_AT.setRelease(fullAt, home, releasesBefore);
    return stripe;
  }

  /** Makes the stripe part of the sums before anything is counted in it. */
  private int use(int stripe) {
    if (Arrays.binarySearch(used, stripe) < 0) {
      addUsed(stripe);
    }
    return stripe;
  }

  private synchronized void addUsed(int stripe) {
    int[] before = used;
    int at = Arrays.binarySearch(before, stripe);
    if (at < 0) {
      int[] after = Arrays.copyOf(before, before.length + 1);
      after[before.length] = stripe;
      Arrays.sort(after);
      used = after;
    }
  }

  private int home(Thread thread) {
    return place((int) thread.getId());
  }

  private int place(int i) {
    return i & (owners.length - 1);
  }

  @SuppressWarnings("EnumOrdinal") // Cells live no longer than the process; any order will do.
  private static int place(Counter counter) {
    return counter.ordinal();
  }
}
