// SPDX-License-Identifier: Apache-2.0
/** The figures and tables of the papers, each as rows of paper, model, bar and verdict. */
@NullMarked
package io.nvcache.model.figures;

import org.jspecify.annotations.NullMarked;
