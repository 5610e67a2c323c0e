// SPDX-License-Identifier: Apache-2.0
package io.nvcache.writelog.format;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.medium.Durability;
import io.nvcache.writelog.Persistence;
import io.nvcache.writelog.mapped.LogFile;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaneTest {
  @TempDir private Path directory;

  /** Cassandra's direct I/O writes whole blocks, while others fill the block behind its record. */
  @Test
  void shouldKeepAWriteWhoseBufferAnotherThreadChanges() throws IOException {
    LogLayout layout = new LogLayout(1, 1 << 20, 4, 1, 0);
    try (LogFile log =
        LogFile.open(
            directory.resolve("log"), layout, Persistence.EMULATED, Durability.POWER_FAIL)) {
      ByteBuffer source = ByteBuffer.wrap("stable and not".getBytes(StandardCharsets.UTF_8));
      Lane lane = new Lane(0, changing(log.lane(0), source), 1, layout.logId(), 0);
      lane.append(LogRecord.WRITE, 1, 1, 0, new ByteBuffer[] {source}, 0, source.remaining(), 0);
      assertThat(source.get(13)).as("what the other thread stored").isEqualTo((byte) '!');
      assertThat(LogRecord.isWhole(log.lane(0), 0, 0, 1, layout.logId())).isTrue();
      assertThat(LogRecord.hasPayload(log.lane(0), 0)).as("the payload's sum").isTrue();
    }
  }

  /** Returns a region during whose copies another thread changes what is copied. */
  private static LogRegion changing(LogRegion region, ByteBuffer source) {
    return (LogRegion)
        Proxy.newProxyInstance(
            LogRegion.class.getClassLoader(),
            new Class<?>[] {LogRegion.class},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(region, arguments);
                if (method.getName().equals("put")) {
                  source.put(13, (byte) '!');
                }
                return result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
