// SPDX-License-Identifier: Apache-2.0
package io.nvcache.model.figures;

import io.nvcache.model.RunResult;
import io.nvcache.model.Scenario;

/**
 * A run that a figure is made of.
 *
 * @param scenario what was run
 * @param result what it came to
 */
public record FigureRun(Scenario scenario, RunResult result) {}
