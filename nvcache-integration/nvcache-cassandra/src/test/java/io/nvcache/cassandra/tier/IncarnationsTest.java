// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cassandra.tier;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.FileIdentity;
import io.nvcache.cassandra.tier.Incarnations.Incarnation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class IncarnationsTest {
  private final Incarnations incarnations = new Incarnations();
  private final List<Long> begun = new ArrayList<>();
  private final List<Long> over = new ArrayList<>();

  private Incarnation open(Object key, long length) {
    return incarnations.open(key, length, null, file -> begun.add(file.id()));
  }

  private void close(Incarnation file) {
    incarnations.close(file, gone -> over.add(gone.id()));
  }

  @Test
  void shouldShareALifeAmongOverlappingHandles() {
    Incarnation early = open("inode 1", 100);
    Incarnation last = open("inode 1", 100);
    assertThat(last.id()).isEqualTo(early.id());
    close(early);
    assertThat(over).isEmpty();
    assertThat(open("inode 1", 100).id()).isEqualTo(early.id());
    close(last);
    close(last);
    assertThat(over).containsExactly(early.id());
    assertThat(begun).containsExactly(early.id());
    assertThat(incarnations.size()).isZero();
  }

  /** An SSTable that is opened early has no digest yet, by which it is known. */
  @Test
  void shouldNameALifeThatBeganWithoutAName() {
    NamedFile named = new NamedFile(FileIdentity.of("a"), Path.of("a-Data.db"));
    Incarnation early = open("inode 1", 100);
    assertThat(early.named()).isNull();

    for (NamedFile next : new NamedFile[] {named, null, named}) {
      incarnations.open("inode 1", 100, next, file -> begun.add(file.id()));
      assertThat(early.named()).isEqualTo(named);
    }
    assertThat(begun).containsExactly(early.id(), early.id());
  }

  @Test
  void shouldNotGiveAnIdTwiceToAFileThatComesBack() {
    Incarnation first = open("inode 1", 100);
    close(first);
    Incarnation second = open("inode 1", 100);
    assertThat(second.id()).isNotEqualTo(first.id());
    assertThat(over).containsExactly(first.id());
  }

  @Test
  void shouldTakeAnotherLengthForAnotherFile() {
    Incarnation shorter = open("inode 1", 100);
    Incarnation longer = open("inode 1", 200);
    assertThat(longer.id()).isNotEqualTo(shorter.id());
    close(shorter);
    assertThat(open("inode 1", 200).id()).isEqualTo(longer.id());
    assertThat(over).containsExactly(shorter.id());
  }

  @Test
  void shouldNotMixLivesUpUnderConcurrency() throws Exception {
    int threads = 4;
    Set<Long> ended = ConcurrentHashMap.newKeySet();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    List<Future<Boolean>> outcomes = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      outcomes.add(
          pool.submit(
              () -> {
                boolean aliveWhileOpen = true;
                for (int i = 0; i < 20_000; i++) {
                  Incarnation file = incarnations.open("inode", 1, null, fresh -> {});
                  aliveWhileOpen &= !ended.contains(file.id());
                  incarnations.close(file, gone -> ended.add(gone.id()));
                }
                return aliveWhileOpen;
              }));
    }
    for (Future<Boolean> outcome : outcomes) {
      assertThat(outcome.get()).isTrue();
    }
    pool.shutdown();
    assertThat(incarnations.size()).isZero();
    assertThat(new HashSet<>(ended)).isNotEmpty();
  }

  @Test
  void shouldTellFilesApartByWhatIsOpenNotByTheirPath(@TempDir Path directory) throws Exception {
    Path file = Files.writeString(directory.resolve("nb-1-big-Data.db"), "first");
    Path link = Files.createLink(directory.resolve("snapshot"), file);
    Object first = FileKey.of(-1, file.toString());
    assertThat(FileKey.of(-1, link.toString())).isEqualTo(first);
    // The first file goes on to exist under its other name, so its inode can't be taken.
    Files.delete(file);
    Files.writeString(file, "second");
    assertThat(FileKey.of(-1, file.toString())).isNotEqualTo(first);
    assertThat(FileKey.of(-1, directory.resolve("none").toString()))
        .isNotEqualTo(FileKey.of(-1, directory.resolve("none").toString()));
  }
}
