// SPDX-License-Identifier: Apache-2.0
package io.nvcache.calibrate;

import java.util.List;
import org.apache.commons.math3.optim.InitialGuess;
import org.apache.commons.math3.optim.MaxEval;
import org.apache.commons.math3.optim.PointValuePair;
import org.apache.commons.math3.optim.nonlinear.scalar.GoalType;
import org.apache.commons.math3.optim.nonlinear.scalar.ObjectiveFunction;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.NelderMeadSimplex;
import org.apache.commons.math3.optim.nonlinear.scalar.noderiv.SimplexOptimizer;

/**
 * The device parameters that come closest to what was measured: least squares of the logarithms, so
 * that a slow point counts as much as a fast one, by Nelder and Mead's simplex for each number of
 * full-speed writers.
 *
 * @param parameters the closest
 * @param error root mean square of the relative differences
 */
public record DeviceFit(DeviceParameters parameters, double error) {
  private static final int UNKNOWNS = 6;
  private static final int RESTARTS = 4;
  private static final int MAX_EVALUATIONS = 20_000;
  private static final double RELATIVE_TOLERANCE = 1e-12;
  private static final double ABSOLUTE_TOLERANCE = 1e-14;
  private static final double FIRST_STEP = 0.3;

  /** Keeps what the points say nothing about at its first guess; too weak to move the rest. */
  private static final double PULL = 1e-7;

  /** Fits the points, of which some have readers only, some writers only, and some both. */
  static DeviceFit of(List<PointResult> points) {
    int mostWriters = points.stream().mapToInt(result -> result.point().writers()).max().orElse(1);
    DeviceParameters best = fit(points, 1);
    for (int fullSpeed = 2; fullSpeed <= mostWriters; fullSpeed++) {
      DeviceParameters candidate = fit(points, fullSpeed);
      if (squares(points, candidate) < squares(points, best)) {
        best = candidate;
      }
    }
    return new DeviceFit(best, Math.sqrt(squares(points, best) / figures(points)));
  }

  private static DeviceParameters fit(List<PointResult> points, int fullSpeedWriters) {
    double[] guess = guess(points);
    double[] at = guess;
    for (int i = 0; i < RESTARTS; i++) {
      PointValuePair found =
          new SimplexOptimizer(RELATIVE_TOLERANCE, ABSOLUTE_TOLERANCE)
              .optimize(
                  new MaxEval(MAX_EVALUATIONS),
                  GoalType.MINIMIZE,
                  new InitialGuess(at),
                  new NelderMeadSimplex(UNKNOWNS, FIRST_STEP),
                  new ObjectiveFunction(
                      unknowns ->
                          squares(points, parameters(unknowns, fullSpeedWriters))
                              + PULL * distance(unknowns, guess)));
      at = found.getPoint();
    }
    return parameters(at, fullSpeedWriters);
  }

  /** Speeds by their logarithms; the others must not be negative. */
  private static DeviceParameters parameters(double[] unknowns, int fullSpeedWriters) {
    return new DeviceParameters(
        Math.exp(unknowns[0]),
        Math.exp(unknowns[1]),
        Math.exp(unknowns[2]),
        fullSpeedWriters,
        Math.abs(unknowns[3]),
        Math.abs(unknowns[4]),
        Math.abs(unknowns[5]));
  }

  private static double[] guess(List<PointResult> points) {
    double allReaders = 1;
    double oneReader = 1;
    double oneWriter = 1;
    for (PointResult result : points) {
      Point point = result.point();
      if (point.writers() == 0) {
        allReaders = Math.max(allReaders, result.reads().mean());
        oneReader = Math.max(oneReader, result.reads().mean() / point.readers());
      } else if (point.readers() == 0) {
        oneWriter = Math.max(oneWriter, result.writes().mean() / point.writers());
      }
    }
    return new double[] {
      Math.log(allReaders), Math.log(oneReader), Math.log(oneWriter), 0, 0.5, 0.5
    };
  }

  private static double squares(List<PointResult> points, DeviceParameters device) {
    double sum = 0;
    for (PointResult result : points) {
      int readers = result.point().readers();
      int writers = result.point().writers();
      if (readers > 0) {
        sum += square(result.reads().mean(), device.allReaders(readers, writers));
      }
      if (writers > 0) {
        sum += square(result.writes().mean(), device.allWriters(readers, writers));
      }
    }
    return sum;
  }

  /** Of nothing at all, one byte per second: a point may have starved. */
  private static double square(double measured, double modelled) {
    double difference = Math.log(Math.max(1, measured) / modelled);
    return difference * difference;
  }

  private static double distance(double[] unknowns, double[] guess) {
    double sum = 0;
    for (int i = 0; i < UNKNOWNS; i++) {
      sum += (unknowns[i] - guess[i]) * (unknowns[i] - guess[i]);
    }
    return sum;
  }

  private static int figures(List<PointResult> points) {
    return points.stream()
        .mapToInt(
            result ->
                (result.point().readers() > 0 ? 1 : 0) + (result.point().writers() > 0 ? 1 : 0))
        .sum();
  }
}
