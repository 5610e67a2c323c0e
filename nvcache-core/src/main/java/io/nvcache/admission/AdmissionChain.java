// SPDX-License-Identifier: Apache-2.0
package io.nvcache.admission;

import io.nvcache.memory.Claims;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * Reasons to refuse, asked in order until one does; put the cheapest first. Links that had agreed
 * when a later one refused, or threw, get their agreement back; the one that threw does not.
 */
public final class AdmissionChain implements AdmissionPolicy, HeatAware {
  private final AdmissionPolicy[] links;

  private AdmissionChain(AdmissionPolicy[] links) {
    this.links = links;
  }

  /**
   * Returns a chain of the policies that these factories make; without any, it admits everything.
   */
  public static AdmissionFactory of(AdmissionFactory... factories) {
    AdmissionFactory[] inOrder = factories.clone();
    return context -> new AdmissionChain(create(inOrder, context));
  }

  /** Closes what was made where a later factory fails. */
  private static AdmissionPolicy[] create(AdmissionFactory[] factories, AdmissionContext context) {
    AdmissionPolicy[] made = new AdmissionPolicy[factories.length];
    int count = 0;
    try {
      while (count < made.length) {
        made[count] = Objects.requireNonNull(factories[count].create(context), "a chained policy");
        count++;
      }
      return made;
    } finally {
      if (count < made.length) {
        close(made, count);
      }
    }
  }

  @Override
  public AdmissionDecision decide(Candidate candidate) {
    int agreed = 0;
    try {
      for (; agreed < links.length; agreed++) {
        AdmissionDecision decision = links[agreed].decide(candidate);
        if (decision != AdmissionDecision.ADMIT) {
          return decision;
        }
      }
      return AdmissionDecision.ADMIT;
    } finally {
      if (agreed < links.length) {
        refund(agreed, candidate);
      }
    }
  }

  @Override
  public void refund(Candidate candidate) {
    refund(links.length, candidate);
  }

  /** Refunds the first links, also where one of them throws. */
  private void refund(int count, Candidate candidate) {
    if (count > 0) {
      try {
        links[count - 1].refund(candidate);
      } finally {
        refund(count - 1, candidate);
      }
    }
  }

  /** Returns whether all links agree. */
  @Override
  public boolean readmits(int gain, int lengthBytes) {
    int agreed = 0;
    try {
      while (agreed < links.length && links[agreed].readmits(gain, lengthBytes)) {
        agreed++;
      }
      return agreed > 0 && agreed == links.length;
    } finally {
      if (agreed < links.length) {
        refundReadmission(agreed, lengthBytes);
      }
    }
  }

  @Override
  public void refundReadmission(int lengthBytes) {
    refundReadmission(links.length, lengthBytes);
  }

  /** Refunds the first links, also where one of them throws. */
  private void refundReadmission(int count, int lengthBytes) {
    if (count > 0) {
      try {
        links[count - 1].refundReadmission(lengthBytes);
      } finally {
        refundReadmission(count - 1, lengthBytes);
      }
    }
  }

  @Override
  public void prime(long fileId, long offset, double recentLookups) {
    for (AdmissionPolicy link : links) {
      HeatAware.of(link).prime(fileId, offset, recentLookups);
    }
  }

  @Override
  public void reserve(double recentLookups, long bytes) {
    for (AdmissionPolicy link : links) {
      HeatAware.of(link).reserve(recentLookups, bytes);
    }
  }

  /** Returns the highest of the links' counts. */
  @Override
  public double recentMisses(long fileId, long offset) {
    double most = 0;
    for (AdmissionPolicy link : links) {
      most = Math.max(most, HeatAware.of(link).recentMisses(fileId, offset));
    }
    return most;
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
    close(links, links.length);
  }

  /** Closes the first of these, also where one of them throws. */
  private static void close(AdmissionPolicy[] policies, int count) {
    if (count > 0) {
      try {
        policies[count - 1].close();
      } finally {
        close(policies, count - 1);
      }
    }
  }
}
