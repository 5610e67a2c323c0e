// SPDX-License-Identifier: Apache-2.0
package io.nvcache;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A polynomial over the field of GHASH (NIST SP 800-38D), and its roots: of two messages that were
 * sealed with one key and one nonce, the difference of the tags is a polynomial with the
 * authentication key among its roots (Joux, "Authentication failures in NIST version of GCM").
 */
final class GhashPolynomial {
  /** An element, in the order of bits of GCM: the highest bit of the first half is 1. */
  record Element(long high, long low) {
    static final Element ONE = new Element(Long.MIN_VALUE, 0);

    static Element of(byte[] bytes, int at) {
      byte[] padded = new byte[16];
      System.arraycopy(bytes, at, padded, 0, Math.min(16, bytes.length - at));
      ByteBuffer words = ByteBuffer.wrap(padded);
      return new Element(words.getLong(0), words.getLong(8));
    }

    Element plus(Element other) {
      return new Element(high ^ other.high, low ^ other.low);
    }

    Element times(Element other) {
      return new Table(other).times(high, low);
    }

    boolean isZero() {
      return (high | low) == 0;
    }

    /** All elements but zero have the power 2^128 - 1 one. */
    Element inverse() {
      Element inverse = ONE;
      Element power = this;
      for (int i = 0; i < 127; i++) {
        power = power.times(power);
        inverse = inverse.times(power);
      }
      return inverse;
    }
  }

  /** An element times all elements of four bits (Shoup's method). */
  private static final class Table {
    private static final long[] REDUCED = reduced();
    private final long[] high = new long[16];
    private final long[] low = new long[16];

    Table(Element of) {
      high[8] = of.high;
      low[8] = of.low;
      for (int i = 4; i > 0; i >>= 1) {
        long carry = -(low[2 * i] & 1) & 0xe100000000000000L;
        low[i] = low[2 * i] >>> 1 | high[2 * i] << 63;
        high[i] = high[2 * i] >>> 1 ^ carry;
      }
      for (int i = 3; i < 16; i++) {
        int bit = Integer.highestOneBit(i);
        high[i] = high[bit] ^ high[i & ~bit];
        low[i] = low[bit] ^ low[i & ~bit];
      }
    }

    private static long[] reduced() {
      long[] reduced = new long[16];
      for (int i = 0; i < 16; i++) {
        for (int bit = 0; bit < 4; bit++) {
          reduced[i] ^= (i >>> bit & 1) == 0 ? 0 : 0xe100000000000000L >>> (3 - bit);
        }
      }
      return reduced;
    }

    Element times(long otherHigh, long otherLow) {
      long h = 0;
      long l = 0;
      for (int i = 0; i < 32; i++) {
        int nibble = (int) (i < 16 ? otherLow >>> 4 * i : otherHigh >>> 4 * (i - 16)) & 15;
        long carry = REDUCED[(int) l & 15];
        l = (l >>> 4 | h << 60) ^ low[nibble];
        h = h >>> 4 ^ carry ^ high[nibble];
      }
      return new Element(h, l);
    }
  }

  /** By power. */
  private final Element[] coefficients;

  private GhashPolynomial(Element[] coefficients) {
    int length = coefficients.length;
    while (length > 0 && coefficients[length - 1].isZero()) {
      length--;
    }
    this.coefficients = Arrays.copyOf(coefficients, length);
  }

  /** Returns the blocks that GHASH takes of a message, the last one with the lengths. */
  static List<Element> blocks(byte[] bound, byte[] sealed) {
    List<Element> blocks = new ArrayList<>();
    for (byte[] part : new byte[][] {bound, sealed}) {
      for (int at = 0; at < part.length; at += 16) {
        blocks.add(Element.of(part, at));
      }
    }
    blocks.add(new Element(bound.length * 8L, sealed.length * 8L));
    return blocks;
  }

  static Element hash(List<Element> blocks, Element key) {
    Element hash = new Element(0, 0);
    for (Element block : blocks) {
      hash = hash.plus(block).times(key);
    }
    return hash;
  }

  /** Returns what may be the key of two messages of one length, with their tags. */
  static List<Element> keys(List<Element> one, Element tag, List<Element> other, Element otherTag) {
    Element[] difference = new Element[one.size() + 1];
    for (int i = 0; i < one.size(); i++) {
      difference[one.size() - i] = one.get(i).plus(other.get(i));
    }
    difference[0] = tag.plus(otherTag);
    GhashPolynomial all = new GhashPolynomial(difference).monic();
    GhashPolynomial power = x();
    for (int i = 0; i < 128; i++) {
      power = power.squared(all);
    }
    List<Element> roots = new ArrayList<>();
    all.gcd(power.plus(x())).split(roots, new SplittableRandom(1));
    return roots;
  }

  private static GhashPolynomial x() {
    return new GhashPolynomial(new Element[] {new Element(0, 0), Element.ONE});
  }

  /** Finds the roots of a product of linear factors: Berlekamp's trace algorithm. */
  private void split(List<Element> roots, SplittableRandom random) {
    if (degree() == 1) {
      roots.add(coefficients[0]);
    }
    if (degree() < 2) {
      return;
    }
    GhashPolynomial factor = this;
    while (factor.degree() < 1 || factor.degree() == degree()) {
      Element[] start = {new Element(0, 0), new Element(random.nextLong(), random.nextLong())};
      GhashPolynomial power = new GhashPolynomial(start).mod(this);
      GhashPolynomial trace = power;
      for (int i = 1; i < 128; i++) {
        power = power.squared(this);
        trace = trace.plus(power);
      }
      factor = gcd(trace);
    }
    factor.split(roots, random);
    divided(factor, false).split(roots, random);
  }

  private int degree() {
    return coefficients.length - 1;
  }

  private GhashPolynomial monic() {
    if (coefficients.length == 0) {
      return this;
    }
    Table inverse = new Table(coefficients[degree()].inverse());
    Element[] scaled = coefficients.clone();
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = inverse.times(scaled[i].high, scaled[i].low);
    }
    return new GhashPolynomial(scaled);
  }

  private GhashPolynomial plus(GhashPolynomial other) {
    Element[] sum = new Element[Math.max(coefficients.length, other.coefficients.length)];
    Arrays.fill(sum, new Element(0, 0));
    for (int i = 0; i < sum.length; i++) {
      sum[i] = i < coefficients.length ? coefficients[i] : sum[i];
      sum[i] = i < other.coefficients.length ? sum[i].plus(other.coefficients[i]) : sum[i];
    }
    return new GhashPolynomial(sum);
  }

  private GhashPolynomial mod(GhashPolynomial monic) {
    return divided(monic, true);
  }

  private GhashPolynomial divided(GhashPolynomial monic, boolean rest) {
    Element[] left = coefficients.clone();
    int degree = monic.degree();
    for (int k = left.length - 1; k >= degree; k--) {
      Element factor = left[k];
      if (!factor.isZero()) {
        Table table = new Table(factor);
        for (int j = 0; j < degree; j++) {
          Element of = monic.coefficients[j];
          left[k - degree + j] = left[k - degree + j].plus(table.times(of.high, of.low));
        }
      }
    }
    return new GhashPolynomial(
        rest
            ? Arrays.copyOf(left, Math.min(left.length, degree))
            : Arrays.copyOfRange(left, Math.min(left.length, degree), left.length));
  }

  private GhashPolynomial squared(GhashPolynomial monic) {
    Element[] square = new Element[Math.max(0, 2 * coefficients.length - 1)];
    Arrays.fill(square, new Element(0, 0));
    for (int i = 0; i < coefficients.length; i++) {
      square[2 * i] = coefficients[i].times(coefficients[i]);
    }
    return new GhashPolynomial(square).mod(monic);
  }

  private GhashPolynomial gcd(GhashPolynomial other) {
    GhashPolynomial one = monic();
    GhashPolynomial two = other.monic();
    while (two.coefficients.length > 0) {
      GhashPolynomial rest = one.mod(two);
      one = two;
      two = rest.monic();
    }
    return one;
  }
}
