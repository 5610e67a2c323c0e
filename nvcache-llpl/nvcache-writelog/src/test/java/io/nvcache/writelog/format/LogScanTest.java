// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogScanTest {
  private static final LogLayout LAYOUT = new LogLayout(1, 1 << 20, 16, 1, 0);
  private static final int LENGTH = 100;

  @TempDir private Path directory;
  private LogFile log;

  /** A log of two records, the first of which lacks its bytes. */
  @BeforeEach
  void write() throws IOException {
    log =
        LogFile.open(directory.resolve("log"), LAYOUT, Persistence.EMULATED, Durability.POWER_FAIL);
    int epoch = (int) log.head().getLong(LogLayout.EPOCH);
    Lane lane = new Lane(0, log.lane(0), epoch, LAYOUT.logId(), 0);
    for (int seq = 1; seq <= 2; seq++) {
      ByteBuffer[] payload = {ByteBuffer.allocate(LENGTH).put(0, (byte) seq)};
      lane.append(LogRecord.WRITE, seq, FileTable.idOf(0, 1), 0, payload, 0, LENGTH, 0);
    }
    log.lane(0).put(LogRecord.HEADER_BYTES, ByteBuffer.allocate(1), 0, 1);
  }

  @AfterEach
  void close() {
    log.close();
  }

  @Test
  void shouldCountARecordThatLacksItsBytes() throws java.io.IOException {
    assertThat(LogScan.of(log, LAYOUT).damaged()).isEqualTo(1);
  }

  /** A drain of another process frees the first record once the scan has begun. */
  @Test
  void shouldNotTakeARecordForDamagedWhoseRoomIsUsedAgain() throws java.io.IOException {
    int[] asked = {0};
    LogRegion head =
        (LogRegion)
            Proxy.newProxyInstance(
                LogRegion.class.getClassLoader(),
                new Class<?>[] {LogRegion.class},
                (proxy, method, arguments) -> {
                  boolean isDrained =
                      method.getName().equals("getLong")
                          && arguments[0].equals(LogLayout.DRAINED_SEQ)
                          && asked[0]++ > 0;
                  return isDrained ? (Object) 1L : method.invoke(log.head(), arguments);
                });
    LogMemory memory =
        new LogMemory() {
          @Override
          public LogRegion head() {
            return head;
          }

          @Override
          public LogRegion lane(int index) {
            return log.lane(index);
          }

          @Override
          public void close() {}
        };
    assertThat(LogScan.of(memory, LAYOUT).damaged()).isZero();
  }
}
