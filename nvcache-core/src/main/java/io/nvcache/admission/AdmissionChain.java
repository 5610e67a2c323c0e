// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.Source;
import io.nvcache.memory.Claims;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Reasons to refuse, asked in order until one does; put the cheapest first. Links that had agreed
 * when a later one refused get their agreement back.
 */
public final class AdmissionChain implements AdmissionPolicy {
  private final AdmissionPolicy[] links;

  private AdmissionChain(AdmissionPolicy[] links) {
    this.links = links;
  }

  /**
   * Returns a chain of the policies that these factories make; without any, it admits everything.
   */
  public static AdmissionFactory of(AdmissionFactory... factories) {
    AdmissionFactory[] inOrder = factories.clone();
    return context ->
        new AdmissionChain(
            Arrays.stream(inOrder)
                .map(factory -> factory.create(context))
                .toArray(AdmissionPolicy[]::new));
  }

  @Override
  public AdmissionDecision decide(long fileId, long offset, int lengthBytes, Source source) {
    for (int i = 0; i < links.length; i++) {
      AdmissionDecision decision = links[i].decide(fileId, offset, lengthBytes, source);
      if (decision != AdmissionDecision.ADMIT) {
        takeBack(i, lengthBytes, source);
        return decision;
      }
    }
    return AdmissionDecision.ADMIT;
  }

  @Override
  public AdmissionDecision decideCarried(
      long fileId, long offset, int lengthBytes, double recentLookups) {
    for (int i = 0; i < links.length; i++) {
      AdmissionDecision decision =
          links[i].decideCarried(fileId, offset, lengthBytes, recentLookups);
      if (decision != AdmissionDecision.ADMIT) {
        takeCarriedBack(i, lengthBytes);
        return decision;
      }
    }
    return AdmissionDecision.ADMIT;
  }

  /** Returns whether all links agree. */
  @Override
  public boolean readmits(int gain, int lengthBytes) {
    for (int i = 0; i < links.length; i++) {
      if (!links[i].readmits(gain, lengthBytes)) {
        takeBack(i, lengthBytes);
        return false;
      }
    }
    return links.length > 0;
  }

  @Override
  public void foretell(long fileId, long offset, double recentLookups) {
    for (AdmissionPolicy link : links) {
      link.foretell(fileId, offset, recentLookups);
    }
  }

  @Override
  public void reserve(double recentLookups, long bytes) {
    for (AdmissionPolicy link : links) {
      link.reserve(recentLookups, bytes);
    }
  }

  /** Returns the highest of the links' counts. */
  @Override
  public double recentMisses(long fileId, long offset) {
    double most = 0;
    for (AdmissionPolicy link : links) {
      most = Math.max(most, link.recentMisses(fileId, offset));
    }
    return most;
  }

  @Override
  public void notAdmitted(int lengthBytes) {
    takeBack(links.length, lengthBytes);
  }

  @Override
  public void notAdmitted(int lengthBytes, Source source) {
    takeBack(links.length, lengthBytes, source);
  }

  private void takeBack(int count, int lengthBytes) {
    for (int i = 0; i < count; i++) {
      links[i].notAdmitted(lengthBytes);
    }
  }

  private void takeBack(int count, int lengthBytes, Source source) {
    for (int i = 0; i < count; i++) {
      links[i].notAdmitted(lengthBytes, source);
    }
  }

  @Override
  public void carriedNotAdmitted(int lengthBytes) {
    takeCarriedBack(links.length, lengthBytes);
  }

  private void takeCarriedBack(int count, int lengthBytes) {
    for (int i = 0; i < count; i++) {
      links[i].carriedNotAdmitted(lengthBytes);
    }
  }

  /** Returns whether all links allow it. */
  @Override
  public boolean mayEvict() {
    for (AdmissionPolicy link : links) {
      if (!link.mayEvict()) {
        return false;
      }
    }
    return true;
  }

  /** Returns what the first link says that keeps such a ratio. */
  @Override
  public OptionalDouble overhead() {
    for (AdmissionPolicy link : links) {
      OptionalDouble overhead = link.overhead();
      if (overhead.isPresent()) {
        return overhead;
      }
    }
    return OptionalDouble.empty();
  }

  @Override
  public long metadataBytes() {
    long bytes = 0;
    for (AdmissionPolicy link : links) {
      bytes += link.metadataBytes();
    }
    return bytes;
  }

  @Override
  public void close() {
    Claims.requireNotHeld(this);
    for (AdmissionPolicy link : links) {
      link.close();
    }
  }
}
