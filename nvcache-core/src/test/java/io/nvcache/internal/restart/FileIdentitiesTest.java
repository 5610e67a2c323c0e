// SPDX-License-Identifier: Apache-2.0
package io.nvcache.internal.restart;

import static org.assertj.core.api.Assertions.assertThat;

import io.nvcache.FileIdentity;
import io.nvcache.internal.index.FileTable;
import org.junit.jupiter.api.Test;

final class FileIdentitiesTest {
  private static final FileIdentity IDENTITY = FileIdentity.of("test", "file");

  @Test
  void shouldForgetAnIdWhoseBlocksPassedToTheNext() {
    FileTable files = new FileTable();
    FileIdentities identities = new FileIdentities(files, 64);
    identities.identify(3, IDENTITY);
    int number = files.acquire(3, 0);

    identities.identify(4, IDENTITY);

    assertThat(files.find(4, 0)).isEqualTo(number);
    assertThat(identities.isIdentified(3)).isFalse();
    assertThat(identities.isIdentified(4)).isTrue();
  }

  @Test
  void shouldNameTheOwnerOfANumberWithoutAListOfAll() {
    FileTable files = new FileTable();
    FileIdentities identities = new FileIdentities(files, 64);
    identities.identify(3, IDENTITY);
    int number = files.acquire(3, 7);
    int unnamed = files.acquire(9, 0);

    assertThat(identities.owner(number)).isEqualTo(new FileIdentities.Owner(IDENTITY, 7));
    assertThat(identities.owner(unnamed)).isNull();
    assertThat(identities.owner(1 << 20)).as("never given").isNull();

    identities.identify(4, IDENTITY);
    assertThat(identities.owner(number)).as("passed on").isNotNull();

    files.drop(4);
    assertThat(identities.owner(number)).as("dropped").isNull();
  }

  @Test
  void shouldNameTheOwnerOfARestoredNumberBeforeAndAfterItIsNamed() {
    FileTable files = new FileTable();
    FileIdentities identities = new FileIdentities(files, 64);
    identities.beginRestoring(10);
    int number;
    synchronized (identities) {
      number = identities.number(IDENTITY, 0, 5);
    }
    assertThat(number).isEqualTo(5);
    assertThat(identities.owner(5)).isEqualTo(new FileIdentities.Owner(IDENTITY, 0));

    identities.identify(3, IDENTITY);

    assertThat(files.find(3, 0)).isEqualTo(5);
    assertThat(identities.owner(5)).isEqualTo(new FileIdentities.Owner(IDENTITY, 0));
  }

  @Test
  void shouldKeepNoMoreIdentitiesThanThereCanBeBlocks() {
    FileTable files = new FileTable();
    FileIdentities identities = new FileIdentities(files, 64);
    identities.identify(0, new FileIdentity(0, 1));
    files.acquire(0, 0);
    int seen = 300_000;
    for (int i = 1; i < seen; i++) {
      identities.identify(i, new FileIdentity(i, 1));
    }
    assertThat(identities.isIdentified(0)).as("has a block").isTrue();
    assertThat(identities.isIdentified(seen - 1)).as("the newest").isTrue();
    long kept = 0;
    for (int i = 0; i < seen; i++) {
      kept += identities.isIdentified(i) ? 1 : 0;
    }
    assertThat(kept).isLessThanOrEqualTo(1 << 16);
  }
}
