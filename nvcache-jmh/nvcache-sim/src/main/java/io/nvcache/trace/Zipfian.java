// SPDX-License-Identifier: Apache-2.0
package io.nvcache.trace;

/**
 * The zipfian distribution as YCSB draws from it: J. Gray et al., "Quickly Generating
 * Billion-Record Synthetic Databases", SIGMOD 1994, with exponent 0.99. YCSB's own generator can't
 * be seeded, therefore this one.
 */
public final class Zipfian {
  static final double EXPONENT = 0.99;

  /** Terms of zeta that are summed one by one before the sum is continued by an integral. */
  private static final int EXACT_TERMS = 1000;

  private static final long FNV_OFFSET_BASIS = 0xCBF29CE484222325L;
  private static final long FNV_PRIME = 1_099_511_628_211L;

  private static final double EXACT_ZETA = sumOfTerms(EXACT_TERMS);
  private static final double ZETA_OF_TWO = sumOfTerms(2);

  private final long items;
  private final double zeta;
  private final double eta;

  /**
   * A distribution over the ranks 0 to {@code items} − 1.
   *
   * @param items at least 1
   */
  public Zipfian(long items) {
    this.items = items;
    this.zeta = zeta(items);
    this.eta = (1 - StrictMath.pow(2.0 / items, 1 - EXPONENT)) / (1 - ZETA_OF_TWO / zeta);
  }

  /**
   * The rank that a uniform draw means.
   *
   * @param uniform from 0 to 1, 1 excluded
   */
  public long rank(double uniform) {
    double share = uniform * zeta;
    if (share < 1 || items == 1) {
      return 0;
    }
    if (share < ZETA_OF_TWO || items == 2) {
      return 1;
    }
    double rank = items * StrictMath.pow(eta * uniform - eta + 1, 1 / (1 - EXPONENT));
    return Math.min(items - 1, (long) rank);
  }

  /**
   * Returns the hash by which YCSB spreads ranks over keys: 64-bit FNV over the bytes, lowest
   * first, made non-negative.
   */
  public static long scramble(long rank) {
    long hash = FNV_OFFSET_BASIS;
    for (int shift = 0; shift < Long.SIZE; shift += Byte.SIZE) {
      hash = (hash ^ (rank >>> shift & 0xFF)) * FNV_PRIME;
    }
    return Math.abs(hash);
  }

  /** The sum of i^−0.99 for i = 1 to n, by Euler and Maclaurin's formula beyond the first terms. */
  static double zeta(long n) {
    if (n <= EXACT_TERMS) {
      return sumOfTerms((int) n);
    }
    double power = 1 - EXPONENT;
    double integral =
        (StrictMath.pow((double) n, power) - StrictMath.pow(EXACT_TERMS, power)) / power;
    double ends =
        (StrictMath.pow((double) n, -EXPONENT) - StrictMath.pow(EXACT_TERMS, -EXPONENT)) / 2;
    return EXACT_ZETA + integral + ends;
  }

  private static double sumOfTerms(int n) {
    double sum = 0;
    for (int i = n; i >= 1; i--) {
      sum += StrictMath.pow(i, -EXPONENT);
    }
    return sum;
  }
}
