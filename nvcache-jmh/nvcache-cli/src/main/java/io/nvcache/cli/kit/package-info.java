// SPDX-License-Identifier: Apache-2.0
/** What commands share: their module, options, errors and progress. */
@NullMarked
package io.nvcache.cli.kit;

import org.jspecify.annotations.NullMarked;
