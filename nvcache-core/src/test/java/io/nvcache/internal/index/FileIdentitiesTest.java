// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.FileIdentity;
import org.junit.jupiter.api.Test;

final class FileIdentitiesTest {
  private static final FileIdentity IDENTITY = FileIdentity.of("test", "file");

  @Test
  void shouldForgetAnIdWhoseBlocksPassedToTheNext() {
    FileTable files = new FileTable();
    FileIdentities identities = new FileIdentities(files);
    identities.identify(3, IDENTITY);
    int number = files.acquire(3, 0);

    identities.identify(4, IDENTITY);

    assertThat(files.find(4, 0)).isEqualTo(number);
    assertThat(identities.isIdentified(3)).isFalse();
    assertThat(identities.isIdentified(4)).isTrue();
  }
}
