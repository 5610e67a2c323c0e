// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

class LogLayoutTest {
  private static final LogLayout LAYOUT = new LogLayout(3, 16 << 10, 5, 77, 99);

  @Test
  void shouldPinTheBytesOfTheSuperblock() {
    ByteBuffer page = LAYOUT.superblocks().order(ByteOrder.LITTLE_ENDIAN);
    byte[] magic = new byte[8];
    page.get(0, magic);
    assertThat(new String(magic, java.nio.charset.StandardCharsets.US_ASCII)).isEqualTo("WRITELOG");
    assertThat(page.getInt(8)).isEqualTo(3);
    assertThat(page.getInt(12)).isEqualTo(3);
    assertThat(page.getLong(16)).isEqualTo(16 << 10);
    assertThat(page.getInt(24)).isEqualTo(5);
    assertThat(page.getLong(32)).isEqualTo(77);
    assertThat(page.getLong(40)).isEqualTo(99);
  }

  @Test
  void shouldPlaceEachPart() {
    assertThat(LAYOUT.headBytes()).isEqualTo(20480).isGreaterThanOrEqualTo(3 * 4096 + 5 * 1024);
    assertThat(LAYOUT.laneOffset(2)).isEqualTo(20480 + 2 * (16 << 10));
    assertThat(LAYOUT.fileBytes()).isEqualTo(20480 + 3 * (16 << 10));
    assertThat(LogLayout.laneTail(LogLayout.MAX_LANES)).isLessThanOrEqualTo(LogLayout.TABLE);
    assertThat(LogLayout.EPOCH).isEqualTo(8192);
    assertThat(LogLayout.RUN).isEqualTo(8192 + 8);
    assertThat(LogLayout.DRAINED_SEQ).isEqualTo(8192 + 64);
    assertThat(LogLayout.laneTail(1)).isEqualTo(8192 + 3 * 64);
  }

  @Test
  void shouldReadTheCopyOfADamagedSuperblock() {
    ByteBuffer page = LAYOUT.superblocks();
    page.put(13, (byte) 1);
    assertThat(LogLayout.read(page)).isEqualTo(LAYOUT);
    page.put(4096 + 13, (byte) 1);
    assertThatThrownBy(() -> LogLayout.read(page)).hasMessageContaining("not a write log");
  }

  @Test
  void shouldRefuseAnotherVersion() {
    ByteBuffer page = LAYOUT.superblocks().order(ByteOrder.LITTLE_ENDIAN);
    page.putInt(8, 2);
    java.util.zip.CRC32C sum = new java.util.zip.CRC32C();
    sum.update(page.slice(0, 28));
    sum.update(page.slice(32, 16));
    page.putInt(28, (int) sum.getValue());
    assertThatThrownBy(() -> LogLayout.read(page)).hasMessageContaining("version 2");
  }

  @Test
  void shouldRefuseWhatNoLogCanBe() {
    assertThatThrownBy(() -> new LogLayout(0, 16 << 10, 5, 0, 0))
        .hasMessageContaining("lanes is 0");
    assertThatThrownBy(() -> new LogLayout(33, 16 << 10, 5, 0, 0)).hasMessageContaining("32");
    assertThatThrownBy(() -> new LogLayout(1, 20_000, 5, 0, 0)).hasMessageContaining("4096");
    assertThatThrownBy(() -> new LogLayout(1, 4096, 5, 0, 0)).hasMessageContaining("16384");
    assertThatThrownBy(() -> new LogLayout(1, 16 << 10, 70_000, 0, 0))
        .hasMessageContaining("65536");
  }
}
