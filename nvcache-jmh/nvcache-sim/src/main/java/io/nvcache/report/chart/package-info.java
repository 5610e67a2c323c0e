// SPDX-License-Identifier: Apache-2.0
/** Pictures as SVG, whose text is text: small, searchable, and the same on every machine. */
@NullMarked
package io.nvcache.report.chart;

import org.jspecify.annotations.NullMarked;
