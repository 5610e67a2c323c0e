// SPDX-License-Identifier: Apache-2.0
package io.nvcache.llpl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nvcache.medium.Medium;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of cached bytes, seen through a second name of the file. */
@NeedsPmdk
final class WipeTest {
  private static final long MIB = 1 << 20;
  private static final String SECRET = "4111 1111 1111 1111";

  @TempDir Path directory;

  private Path heap() {
    return directory.resolve("heap");
  }

  private Path otherName() {
    return directory.resolve("link");
  }

  private void fill(Medium medium) throws IOException {
    Files.createLink(otherName(), heap());
    for (long at = 0; at < medium.capacityBytes(); at += MIB) {
      medium.write(at, ByteBuffer.wrap(SECRET.getBytes(StandardCharsets.US_ASCII)));
    }
    assertThat(Files.readString(otherName(), StandardCharsets.ISO_8859_1)).contains(SECRET);
  }

  @Test
  void shouldLeaveNoCachedByteIfAskedTo() throws IOException {
    Medium medium = LlplHeapMedium.builder(3 * MIB).file(heap()).wipedAtClose().create();
    fill(medium);

    medium.close();

    assertThat(heap()).doesNotExist();
    assertThat(Files.readString(otherName(), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
  }

  @Test
  void shouldWipeThoughItsAddressesAreStillRead() throws IOException {
    Medium medium = LlplHeapMedium.builder(3 * MIB).file(heap()).wipedAtClose().create();
    fill(medium);

    medium.retire();

    assertThat(Files.readString(otherName(), StandardCharsets.ISO_8859_1)).doesNotContain(SECRET);
    ByteBuffer read = ByteBuffer.allocate(SECRET.length());
    medium.read(0, read, SECRET.length());
    assertThat(read.array()).containsOnly(0);
    medium.close();
    assertThat(heap()).doesNotExist();
  }

  @Test
  void shouldDeleteOnlyIfNotAskedTo() throws IOException {
    Medium medium = LlplHeapMedium.create(heap(), 3 * MIB);
    fill(medium);

    medium.close();

    assertThat(heap()).doesNotExist();
    assertThat(Files.readString(otherName(), StandardCharsets.ISO_8859_1)).contains(SECRET);
  }

  @Test
  void shouldWipeWhatAKilledProcessLeft() throws Exception {
    Process holder = ChildJvm.start(HeapHolder.class, List.of(), Map.of(), heap().toString());
    String line = "";
    while (line != null && !line.equals("held")) {
      line = holder.inputReader().readLine();
    }
    assertThatThrownBy(() -> LlplHeapMedium.wipe(heap()))
        .hasMessageContaining("held by another cache or process");
    holder.destroyForcibly();
    assertThat(holder.waitFor(30, TimeUnit.SECONDS)).isTrue();
    Files.createLink(otherName(), heap());

    LlplHeapMedium.wipe(heap());

    assertThat(heap()).doesNotExist();
    assertThat(Files.readAllBytes(otherName())).containsOnly(0);
  }

  @Test
  void shouldRefuseWhatIsNotACaches() throws IOException {
    Path text = Files.writeString(directory.resolve("text"), "mine");
    assertThatThrownBy(() -> LlplHeapMedium.wipe(text))
        .hasMessageContaining("it is not the heap of a cache");
    assertThatThrownBy(() -> LlplHeapMedium.wipe(heap())).hasMessageContaining("does not exist");
    assertThatThrownBy(() -> LlplHeapMedium.wipe(directory))
        .hasMessageContaining("there is no heap in this directory");
    assertThat(text).hasContent("mine");
  }
}
