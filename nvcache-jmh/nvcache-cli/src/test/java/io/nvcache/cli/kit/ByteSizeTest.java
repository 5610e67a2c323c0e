// SPDX-License-Identifier: Apache-2.0
package io.nvcache.cli.kit;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "65536, 65536",
    "100B, 100",
    "64KiB, 65536",
    "64kib, 65536",
    "64 MiB, 67108864",
    "1.5GiB, 1610612736",
    "1TiB, 1099511627776",
    "' 1MiB ', 1048576",
    "25%, 250",
    "12.5%, 125",
    "100 %, 1000",
    "0.05%, 0"
  })
  void shouldReadSizesAndPercentagesOfData(String text, long bytes) {
    assertThat(ByteSize.parse(text).orElseThrow().bytes(1000)).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "MiB",
        "%",
        "-1",
        "+1",
        "1e6",
        "1,5GiB",
        "64MB",
        "64M",
        "64m b",
        "0.3B",
        "1.0001KiB",
        "NaN",
        "1..5MiB",
        "99999999999999999999",
        "12%%",
        "0x10",
        "١"
      })
  void shouldRefuseWhatIsNoWholeNumberOfBytes(String text) {
    assertThat(ByteSize.parse(text)).isEmpty();
  }
}
