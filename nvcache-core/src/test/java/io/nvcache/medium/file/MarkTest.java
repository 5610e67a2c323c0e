// SPDX-License-Identifier: Apache-2.0
package io.nvcache.medium.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HexFormat;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MarkTest {
  private static final ProcessName OWNER = new ProcessName(1, 2, 3, 4, 5);
  private static final Mark MARK = new Mark(Mark.FLASH, 1 << 20, new UUID(6, 7), OWNER, 8);

  private static ByteBuffer encoded(Mark mark) {
    ByteBuffer granule = ByteBuffer.allocate(4096);
    mark.encode(granule);
    return granule;
  }

  private static String hex(ByteBuffer granule, int from, int to) {
    return HexFormat.of().formatHex(granule.array(), from, to);
  }

  @Test
  void shouldHaveTheLayoutThatIsDrawn() {
    ByteBuffer granule = encoded(MARK);
    assertThat(hex(granule, 0, 32))
        .isEqualTo(
            "4e56436163686531" + "0000000000100000" + "0000000000000006" + "0000000000000007");
    assertThat(hex(granule, 36, 64)).matches("0*");
    assertThat(hex(granule, 64, 120))
        .isEqualTo(
            "4e564f776e657231"
                + "0000000000000001"
                + "0000000000000002"
                + "0000000000000003"
                + "0000000000000004"
                + "0000000000000005"
                + "0000000000000008");
    assertThat(hex(granule, 124, 4096)).matches("0*");
    assertThat(Mark.decode(granule)).isEqualTo(MARK);
  }

  /** As builds before owners were named wrote it. */
  @Test
  void shouldBeWhatItWasOnceItIsReleased() {
    ByteBuffer granule = encoded(MARK.released());
    assertThat(hex(granule, 36, 4096)).matches("0*");
    assertThat(Mark.decode(granule))
        .isEqualTo(new Mark(Mark.FLASH, 1 << 20, new UUID(6, 7), null, 0));
  }

  @Test
  void shouldBeNoneWithAnyByteChanged() {
    for (int at :
        IntStream.concat(IntStream.range(0, 130), IntStream.of(440, 510, 4095)).toArray()) {
      ByteBuffer granule = encoded(MARK);
      granule.put(at, (byte) (granule.get(at) ^ 0x40));
      assertThat(Mark.decode(granule)).as("byte %d", at).isNull();
    }
  }

  @Test
  void shouldTellADamagedOneFromWhatAnotherWroteOverIt() {
    ByteBuffer damaged = encoded(MARK);
    damaged.put(9, (byte) 77);
    assertThat(Mark.wasOne(damaged)).isTrue();
    damaged.put(1024 + 56, (byte) 0x53); // As ext4 does, which leaves the first 1024 bytes.
    assertThat(Mark.wasOne(damaged)).isFalse();
    assertThat(Mark.wasOne(ByteBuffer.allocate(4096))).isFalse();
  }

  /** Or blocks would be written in the clear to what says that all of it is encrypted. */
  @Test
  void shouldBeOfTheKindThatLiesThere_IfAnotherCantBeWritten(@TempDir Path directory)
      throws IOException {
    Path file = directory.resolve("f");
    FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
    OwnerMark mark = new OwnerMark(file, new MarkPlace(channel, 0, 4096), Mark.SEALED);
    mark.write(1 << 20);
    channel.close();

    assertThatThrownBy(() -> mark.become(Mark.FLASH)).isInstanceOf(ClosedChannelException.class);

    assertThat(mark.kind()).isEqualTo(Mark.SEALED);
  }
}
