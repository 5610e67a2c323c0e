// SPDX-License-Identifier: Apache-2.0
package io.nvcache.ycsb.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RecordCodecTest {
  private static final byte[] KEY = {1, 2, 3};
  private static final byte[][] FIELDS = {{4, 5}, {}, {6}};

  private final RecordCodec codec = new RecordCodec(3);

  @Test
  void shouldUnpackWhatItPacked() {
    assertThat(codec.decode(KEY, codec.encode(KEY, FIELDS))).isDeepEqualTo(FIELDS);
  }

  @Test
  void shouldRefuseEveryChangedByte() {
    byte[] record = codec.encode(KEY, FIELDS);
    for (int i = 0; i < record.length; i++) {
      byte[] changed = record.clone();
      changed[i] ^= 1;
      assertThat(codec.decode(KEY, changed)).as("byte %d", i).isNull();
    }
  }

  @Test
  void shouldRefuseTheRecordOfAnotherKey() {
    assertThat(codec.decode(new byte[] {1, 2, 4}, codec.encode(KEY, FIELDS))).isNull();
  }

  @Test
  void shouldRefuseShortValues() {
    assertThat(codec.decode(KEY, new byte[0])).isNull();
    assertThat(codec.decode(KEY, new byte[] {1, 2, 3})).isNull();
  }
}
