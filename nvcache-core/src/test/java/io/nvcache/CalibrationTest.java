// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CalibrationTest {
  private static final String TARGET =
      "{\"metric\": \"overhead_target\", \"labels\": {\"medium\": \"llpl\"}, \"value\": 0.07,"
          + " \"unit\": \"ratio\"}";
  private static final String OTHER =
      "{\"value\":-1.25E9,\"labels\":{},\"unit\":\"b\\\"/s\",\"metric\":\"read_bandwidth\","
          + "\"more\":\"x\"}";

  @TempDir Path directory;

  private Path file(String text) throws IOException {
    return Files.writeString(directory.resolve("c.json"), text);
  }

  @Test
  void shouldReadTheTargetAmongOtherRecords() throws IOException {
    Path file = file(" [\n" + OTHER + ",\r\n\t" + TARGET + " , " + OTHER + "\n]\n");

    assertThat(Calibration.read(file))
        .isEqualTo(new Calibration("llpl", 0.07, OptionalDouble.empty()));
    assertThat(MeasuredRecords.parse(Files.readString(file)).get(0))
        .isEqualTo(new MeasuredRecords.Entry("read_bandwidth", Map.of(), -1.25e9));
    assertThat(MeasuredRecords.parse("[]")).isEqualTo(List.of());
  }

  @Test
  void shouldReadTheHarmOfTheMediumThatTheTargetIsFor() throws IOException {
    Path file = file("[" + harm("native", 1.5) + "," + TARGET + "," + harm("llpl", 20) + "]");

    assertThat(Calibration.read(file))
        .isEqualTo(new Calibration("llpl", 0.07, OptionalDouble.of(20)));
  }

  @Test
  void shouldRefuseANegativeHarm() throws IOException {
    Path file = file("[" + TARGET + "," + harm("llpl", -1) + "]");

    assertThatThrownBy(() -> Calibration.read(file))
        .hasMessageContaining("write_harm is -1.0; it must be between 0 and");
  }

  private static String harm(String medium, double value) {
    return "{\"metric\":\"write_harm\",\"labels\":{\"medium\":\""
        + medium
        + "\"},\"value\":"
        + value
        + "}";
  }

  @Test
  void shouldSetTheTargetOfACache() throws IOException {
    BlockCacheBuilder builder =
        BlockCache.builder()
            .nativeMemory(4 << 20)
            .calibration(Calibration.read(file("[" + TARGET + "]")));
    try (BlockCache cache = builder.build()) {
      assertThat(cache.control().settings().overheadTarget()).isEqualTo(0.07);
    }
  }

  @Test
  void shouldSayThatTheFileCantBeRead() {
    Path missing = directory.resolve("missing");

    assertThatThrownBy(() -> Calibration.read(missing))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("can't read the calibration " + missing + ": ");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '|',
      value = {
        "``          | line 1 should have '[', and has its end",
        "{}          | line 1 should have '[', and has '{'",
        "[           | line 1 should have '{', and has its end",
        "[]          | it has 0 records of the metric overhead_target instead of one",
        "[T,T]       | it has 2 records of the metric overhead_target instead of one",
        "[T,]        | line 1 should have '{', and has ']'",
        "[T] x       | line 1 should have nothing more, and has 'x'",
        "[T          | line 1 should have ']', and has its end",
        "[{}]        | line 1 should have a string, and has '}'",
        "[{\"metric\":\"a\"}] | line 1 should have metric, labels and value in each record",
        "[{\"metric\":\"a\",\"metric\":\"b\"}] | should have metric once in a record",
        "[{\"value\":\"1\"}]  | line 1 should have a number, and has '\"'",
        "[{\"value\":NaN}]    | line 1 should have a number, and has 'N'",
        "[{\"value\":01}]     | line 1 should have '}', and has '1'",
        "[{\"metric\":3}]     | line 1 should have a string, and has '3'",
        "[{\"labels\":{\"a\":{}}}] | line 1 should have a string, and has '{'",
        "[{\"more\":[]}]      | line 1 should have a string, and has '['",
        "[{\"metric\":\"\\x\"}] | line 1 should have a string, and has '\"'",
        "[{\"metric\":\"overhead_target\",\"labels\":{},\"value\":11}] | overhead_target is 11.0;"
            + " it must be between 0 and 10",
        "[{\"metric\":\"overhead_target\",\"labels\":{},\"value\":-1e0}] | it must be between 0 and"
            + " 10",
        "[{\"metric\":\"overhead_target\",\"labels\":{},\"value\":1e999}] | it must be between 0"
            + " and 10",
      })
  void shouldSayInOneLineWhatIsWrong(String text, String reason) throws IOException {
    Path file = file(text.replace("T", TARGET));

    assertThatThrownBy(() -> Calibration.read(file))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("can't use " + file + " as a calibration: ")
        .hasMessageContaining(reason)
        .hasMessageEndingWith("; make it with nvcache calibrate")
        .message()
        .doesNotContain("\n");
  }

  @Test
  void shouldNameTheLine() throws IOException {
    Path file = file("[\n" + TARGET + ",\n" + OTHER + "\n" + OTHER + "]");

    assertThatThrownBy(() -> Calibration.read(file))
        .hasMessageContaining("line 4 should have ']', and has '{'");
  }

  /** Whatever is cut off or changed, it is read or refused, and never anything else. */
  @Test
  void shouldRefuseOrReadWhateverIsInTheFile() throws IOException {
    String good = "[\n" + OTHER + ",\n" + TARGET + "]\n";
    Random random = new Random(0x5eed);
    for (int i = 0; i < 20_000; i++) {
      StringBuilder text = new StringBuilder(good.substring(0, random.nextInt(good.length() + 1)));
      for (int change = random.nextInt(3); change > 0 && text.length() > 0; change--) {
        text.setCharAt(random.nextInt(text.length()), (char) random.nextInt(128));
      }
      try {
        assertThat(MeasuredRecords.parse(text.toString())).hasSizeLessThanOrEqualTo(2);
      } catch (IllegalArgumentException e) {
        assertThat(e).hasMessageMatching("line \\d should have .*, and has (?s:.*)");
      }
    }
  }

  @Test
  void shouldReadALongStringWithoutRunningOutOfStack() throws IOException {
    String text = "[{\"metric\":\"" + "x".repeat(1 << 20) + "\",\"labels\":{},\"value\":1}]";

    assertThat(MeasuredRecords.parse(text)).hasSize(1);
  }
}
