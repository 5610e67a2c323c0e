// SPDX-License-Identifier: Apache-2.0
package io.nvcache.tuning;

/**
 * A straight line through what reads cost against the rate of writes next to them: least squares
 * with weights that fade, so that the line follows a medium that ages or is shared.
 *
 * <p>A line is what the paper's figures come to in the range that an overhead target allows (SoCC
 * '22, Fig. 2); beyond saturation it underestimates, which errs towards more writes than are good,
 * and is found out by the next measurements there.
 */
final class InterferenceFit {
  /** A measurement counts for half after some two hundred further ones. */
  private static final double KEPT = 0.9965;

  private static final int LEAST_SAMPLES = 20;

  /** Below this part of its mean the write rate has not varied enough to tell anything. */
  private static final double LEAST_SPREAD = 0.2;

  /** Standard errors below or above which a normal value lies once in twenty. */
  private static final double ONE_SIDED = 1.645;

  private long samples;
  private double weight;
  private double meanX;
  private double meanY;
  private double squaresX;
  private double squaresY;
  private double products;

  /**
   * Takes a measurement.
   *
   * @param writtenBytesPerSecond while it was made
   * @param readNanosPerByte what reads cost
   */
  void add(double writtenBytesPerSecond, double readNanosPerByte) {
    samples++;
    weight = weight * KEPT + 1;
    squaresX *= KEPT;
    squaresY *= KEPT;
    products *= KEPT;
    double dx = writtenBytesPerSecond - meanX;
    double dy = readNanosPerByte - meanY;
    meanX += dx / weight;
    meanY += dy / weight;
    squaresX += dx * (writtenBytesPerSecond - meanX);
    squaresY += dy * (readNanosPerByte - meanY);
    products += dx * (readNanosPerByte - meanY);
  }

  long samples() {
    return samples;
  }

  /** Returns whether there were enough measurements at different enough rates. */
  boolean isKnown() {
    return samples >= LEAST_SAMPLES
        && meanX > 0
        && Math.sqrt(squaresX / weight) >= LEAST_SPREAD * meanX;
  }

  /**
   * Returns how many nanoseconds a byte read takes more for each byte written a second; at least 0.
   */
  double slope() {
    return squaresX > 0 ? Math.max(0, products / squaresX) : 0;
  }

  /** Returns what a byte read takes while nothing is written. */
  double base() {
    return Math.max(0, meanY - slope() * meanX);
  }

  /** Returns the standard error of the slope. */
  double slopeError() {
    double residuals = Math.max(0, squaresY - slope() * products);
    return weight > 2 && squaresX > 0 ? Math.sqrt(residuals / (weight - 2) / squaresX) : 0;
  }

  /** Returns the least part by which reads are slower at a rate than undisturbed; 95 % sure. */
  double leastSlowdownAt(double writtenBytesPerSecond) {
    return slowdown(Math.max(0, slope() - ONE_SIDED * slopeError()), writtenBytesPerSecond);
  }

  /** Returns the largest part by which reads are slower at a rate than undisturbed; 95 % sure. */
  double mostSlowdownAt(double writtenBytesPerSecond) {
    return slowdown(slope() + ONE_SIDED * slopeError(), writtenBytesPerSecond);
  }

  /**
   * Without bound where the line says that undisturbed reads take no time, as it does of a medium
   * that slows down more and more.
   */
  private double slowdown(double slope, double writtenBytesPerSecond) {
    double more = slope * writtenBytesPerSecond;
    return more > 0 ? more / base() : 0;
  }

  /** Returns the mean of the write rates so far, and what they vary by beyond it. */
  double highRate() {
    return weight > 0 ? meanX + Math.sqrt(squaresX / weight) : 0;
  }
}
