// SPDX-License-Identifier: Apache-2.0
package io.nvcache.hbase.blocks;

import io.nvcache.admission.AdmissionContext;
import io.nvcache.admission.AdmissionFactory;
import io.nvcache.control.DataSet;
import java.util.OptionalLong;

/**
 * Admission that knows no data set, and so never takes one to be small: for a cache that is the
 * only one for data blocks, whatever the small bypass is set to over JMX.
 */
public final class NeverSmall implements DataSet {
  private static final NeverSmall DATA_SET = new NeverSmall();

  private NeverSmall() {}

  public static AdmissionFactory over(AdmissionFactory factory) {
    return context ->
        factory.create(
            new AdmissionContext(
                context.traffic(),
                DATA_SET,
                context.settings(),
                context.overheadTarget(),
                context.removalWeight(),
                context.writeHarm(),
                context.capacityBlocks(),
                context.expectedBlockBytes(),
                context.residents(),
                context.hashSeed()));
  }

  @Override
  public void register(long fileId, long lengthBytes) {}

  @Override
  public void unregister(long fileId) {}

  @Override
  public OptionalLong bytes() {
    return OptionalLong.empty();
  }
}
