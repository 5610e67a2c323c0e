// SPDX-License-Identifier: Apache-2.0
package io.nvcache.report;

import java.util.List;

/**
 * A table of texts.
 *
 * @param title what was run on what
 * @param header names of the columns
 * @param rows each with a name first
 */
public record ResultTable(String title, List<String> header, List<List<String>> rows) {}
