// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.admission.AdmissionPresets;
import io.nvcache.control.Condition;
import io.nvcache.medium.SparseMedium;
import io.nvcache.medium.SparseMedium.Operation;
import io.nvcache.testing.Seeds;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A store that replaces blocks under the same name, killed again and again, on a medium that fails
 * once: whichever operation it is that fails, no cache gives a block in a version that was
 * invalidated. Each history is done with each of its operations failing, on media half of which are
 * sealed; {@code -Dnvcache.test.sealed=true} seals all.
 */
@Timeout(120)
final class RevocationFaultsTest {
  private static final int PAGE = 4096;
  private static final int CAPACITY = (2 + 17 * 16) * PAGE;
  private static final int LENGTH = 3 * PAGE;
  private static final int FILES = 3;
  private static final int BLOCKS = 6;
  private static final boolean SEALED = Boolean.getBoolean("nvcache.test.sealed");

  /** How an operation fails. */
  private enum Failure {
    IO_ERROR,
    EXCEPTION,
    OUT_OF_MEMORY;

    void thrown() throws IOException {
      switch (this) {
        case IO_ERROR -> throw new IOException("injected");
        case EXCEPTION -> throw new IllegalStateException("injected");
        case OUT_OF_MEMORY -> throw new OutOfMemoryError("injected");
      }
    }
  }

  /** How a life ends. */
  private enum End {
    KILL,
    POWER_LOSS,
    CLOSE
  }

  /** A store over several lives: what each block's version is, and the cache in front of it. */
  private static final class Store {
    final int[][] versions = new int[FILES][BLOCKS];
    SparseMedium medium = new SparseMedium(CAPACITY, PAGE, 64 << 10);
    @Nullable BlockCache cache;
    int life;
    int hits;

    /** Counts down to the operation that fails; then stays negative. */
    int untilFailure;

    int operations;
    final Failure failure;
    final boolean sealed;

    Store(int failing, Failure failure, boolean sealed) {
      this.untilFailure = failing;
      this.failure = failure;
      this.sealed = sealed;
    }

    void begin() {
      life++;
      medium.interpose(this::before);
      if (!guarded(() -> cache = open())) {
        medium = medium.afterKill().interpose(this::before);
        cache = open(); // Started again.
      }
    }

    private BlockCache open() {
      BlockCacheBuilder builder = BlockCache.builder();
      return (sealed ? builder.encrypted(new CraftedMedium.Keys()) : builder)
          .medium(medium)
          .placement(BlockPlacement.REGIONS)
          .maxBlockBytes(4 * PAGE)
          .expectedBlockBytes(PAGE)
          .maintainedByCaller()
          .maxMediumFailures(Integer.MAX_VALUE)
          .admission(AdmissionPresets.admitAll())
          .testing(TestHook.hashSeed(life))
          .build();
    }

    private void before(Operation operation, long offset) throws IOException {
      operations++;
      if (untilFailure-- == 0) {
        failure.thrown();
      }
    }

    BlockCache cache() {
      return Objects.requireNonNull(cache);
    }

    long id(int file) {
      return 100L * life + file;
    }

    void identify(int file) {
      cache().identify(id(file), FileIdentity.of("test", "file " + file));
    }

    void offer(int file, int block) {
      long offset = (long) block * LENGTH;
      ByteBuffer bytes = TestBlock.of(content(file, block), offset, LENGTH);
      guarded(() -> cache().offer(id(file), offset, bytes, Source.READ));
    }

    private long content(int file, int block) {
      return file * 1000L + versions[file][block];
    }

    /** The store has other bytes there from now on. */
    void replace(int file, int block) {
      versions[file][block]++;
      boolean done = guarded(() -> cache().invalidate(id(file), (long) block * LENGTH));
      if (!done) {
        cache().invalidate(id(file), (long) block * LENGTH); // As after any error of memory.
      }
      assertThat(cache().control().conditions())
          .as("a single error is made good for at once")
          .doesNotContainKey(Condition.INVALIDATIONS_UNSAVED);
    }

    void maintain() {
      guarded(() -> cache().control().maintain());
    }

    /** Returns whether it found memory. */
    private boolean guarded(Runnable call) {
      try {
        call.run();
        return true;
      } catch (OutOfMemoryError injected) {
        assertThat(injected).hasMessage("injected");
        return false;
      }
    }

    void check() {
      for (int file = 0; file < FILES; file++) {
        for (int block = 0; block < BLOCKS; block++) {
          long offset = (long) block * LENGTH;
          ByteBuffer dst = ByteBuffer.allocate(LENGTH);
          long id = id(file);
          int[] length = new int[1];
          guarded(() -> length[0] = cache().get(id, offset, dst));
          if (length[0] > 0) {
            hits++;
            TestBlock.assertMatches(dst.flip(), content(file, block), offset, LENGTH);
          }
        }
      }
    }

    void rot(int page) {
      try {
        medium.write(page, ByteBuffer.allocate(PAGE), 0, PAGE);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      medium = medium.afterKill();
    }

    void end(End how) {
      if (how == End.CLOSE) {
        guarded(() -> cache().close());
        medium = medium.afterKill();
        return;
      }
      SparseMedium left = how == End.KILL ? medium.afterKill() : medium.afterPowerLoss();
      medium.interpose((operation, offset) -> {}); // What is done from now on, is not done.
      cache().close();
      medium = left;
    }
  }

  /** What is done to a store in some lives. */
  private interface History {
    void run(Store store);
  }

  private static void withEachFailing(Failure failure, History history) {
    Store sound = new Store(-1, failure, SEALED);
    history.run(sound);
    assertThat(sound.hits).as("not all in vain").isPositive();
    for (int failing = 0; failing < sound.operations; failing++) {
      boolean sealed = SEALED || (failing + failure.ordinal()) % 2 == 1;
      try {
        history.run(new Store(failing, failure, sealed));
      } catch (RuntimeException | Error e) {
        String what = "operation " + failing + (sealed ? ", sealed: " : ", in the clear: ");
        throw new AssertionError(what + e.getMessage(), e);
      }
    }
  }

  /** A block is replaced; then a life in which nothing is; then one that must not know it. */
  @ParameterizedTest
  @EnumSource(names = {"IO_ERROR", "OUT_OF_MEMORY"})
  void shouldNotBringABlockBack_TwoRestartsLater(Failure failure) {
    withEachFailing(
        failure,
        store -> {
          store.begin();
          for (int file = 0; file < FILES; file++) {
            store.identify(file);
            for (int block = 0; block < BLOCKS; block++) {
              store.offer(file, block);
            }
          }
          store.maintain();
          store.replace(1, 2);
          store.end(End.KILL);
          store.begin();
          store.maintain();
          store.identify(0);
          store.offer(0, 1);
          store.check();
          store.end(End.KILL);
          store.begin();
          store.maintain();
          for (int file = 0; file < FILES; file++) {
            store.identify(file);
          }
          store.check();
          store.end(End.CLOSE);
        });
  }

  /** While the regions are yet to be looked at, and in a life that may be cold. */
  @ParameterizedTest
  @EnumSource(names = {"IO_ERROR", "OUT_OF_MEMORY"})
  void shouldNotBringABlockBackThatWasReplacedBeforeItWasRestored(Failure failure) {
    withEachFailing(
        failure,
        store -> {
          store.begin();
          store.identify(0);
          store.identify(1);
          for (int block = 0; block < BLOCKS; block++) {
            store.offer(0, block);
            store.offer(1, block);
          }
          store.end(End.CLOSE);
          store.begin();
          store.identify(0);
          store.replace(0, 1);
          store.identify(0);
          store.end(End.POWER_LOSS);
          store.begin();
          store.identify(1);
          store.maintain();
          store.check();
          store.end(End.KILL);
          store.begin();
          store.identify(0);
          store.identify(1);
          store.maintain();
          store.check();
          store.end(End.KILL);
        });
  }

  /** A region that one start can't read may be what the next one finds. */
  @ParameterizedTest
  @EnumSource(names = {"IO_ERROR", "OUT_OF_MEMORY"})
  void shouldNotBringABlockBackFromARegionThatWasNotRead(Failure failure) {
    withEachFailing(
        failure,
        store -> {
          store.begin();
          store.identify(0);
          for (int block = 0; block < 3; block++) {
            store.offer(0, block);
          }
          store.end(End.CLOSE);
          store.begin();
          store.maintain();
          store.identify(0);
          store.check();
          store.replace(0, 1);
          store.end(End.KILL);
          store.begin();
          store.maintain();
          for (int block = 0; block < 2 * BLOCKS; block++) {
            store.offer(block < BLOCKS ? 1 : 2, block % BLOCKS);
          }
          store.maintain();
          store.end(End.KILL);
          store.begin();
          store.maintain();
          store.identify(0);
          store.check();
          store.end(End.KILL);
        });
  }

  /** After any error, each copy knows all: the other one may rot. */
  @ParameterizedTest
  @ValueSource(ints = {0, PAGE})
  void shouldNotBringABlockBack_WhicheverCopyRots(int copy) {
    withEachFailing(
        Failure.IO_ERROR,
        store -> {
          store.begin();
          store.identify(0);
          store.identify(1);
          for (int block = 0; block < BLOCKS; block++) {
            store.offer(0, block);
            store.offer(1, block);
          }
          store.maintain();
          store.replace(0, 2);
          store.end(End.POWER_LOSS);
          store.rot(copy);
          store.begin();
          store.maintain();
          store.identify(0);
          store.identify(1);
          store.check();
          store.end(End.KILL);
        });
  }

  /** A cache of few blocks forgets files without blocks, though it is yet to restore theirs. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void shouldNotBringABlockBackOfAFileThatItForgot(boolean whileRestoring) {
    Store store = new Store(-1, Failure.IO_ERROR, false);
    store.begin();
    store.identify(0);
    store.offer(0, 0);
    store.end(End.CLOSE);

    store.begin();
    store.identify(0);
    for (int other = 1; other < 66_000; other++) {
      store.cache().identify(-other, FileIdentity.of("test", "other " + other));
    }
    if (!whileRestoring) {
      store.maintain();
    }
    store.replace(0, 0);
    store.maintain();
    store.identify(0);
    store.check();
    store.offer(0, 0);
    store.check();
    store.end(End.CLOSE);

    store.begin();
    store.maintain();
    store.identify(0);
    store.check();
    store.end(End.CLOSE);
  }

  /** Any calls in any order. */
  @Test
  void shouldNotBringABlockBackWhateverWasDone() {
    Seeds.each(
        3,
        seed -> {
          long number = seed.nextLong();
          Failure failure = Failure.values()[seed.nextInt(Failure.values().length)];
          withEachFailing(failure, store -> live(store, new SplittableRandom(number)));
        });
  }

  private static void live(Store store, SplittableRandom random) {
    for (int life = 0; life < 4; life++) {
      store.begin();
      List<Integer> named = new ArrayList<>();
      int calls = 10 + random.nextInt(30);
      for (int call = 0; call < calls; call++) {
        int file = random.nextInt(FILES);
        int block = random.nextInt(BLOCKS);
        int what = random.nextInt(12);
        if (!named.contains(file)) { // A block is invalidated by who has named its file.
          store.identify(file);
          named.add(file);
        } else if (what == 0) {
          store.replace(file, block);
        } else if (what == 1) {
          store.identify(file);
        } else if (what == 2) {
          store.maintain();
        } else {
          store.offer(file, block);
        }
      }
      store.check();
      if (!named.isEmpty() && random.nextBoolean()) {
        store.replace(named.get(random.nextInt(named.size())), random.nextInt(BLOCKS));
      }
      store.end(End.values()[random.nextInt(End.values().length)]);
    }
    store.begin();
    store.maintain();
    for (int file = 0; file < FILES; file++) {
      store.identify(file);
    }
    store.check();
    store.end(End.CLOSE);
  }
}
