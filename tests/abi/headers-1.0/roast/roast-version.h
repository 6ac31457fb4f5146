/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/**
 * ROAST_MAJOR_VERSION:
 *
 * The major version of the headers. Plugins of another major version are not loaded.
 *
 * Since: 1.0
 */
#define ROAST_MAJOR_VERSION (1)

/**
 * ROAST_MINOR_VERSION:
 *
 * The minor version of the headers. Plugins built for a newer minor version are not loaded.
 *
 * Since: 1.0
 */
#define ROAST_MINOR_VERSION (0)

/**
 * ROAST_MICRO_VERSION:
 *
 * The micro version of the headers.
 *
 * Since: 1.0
 */
#define ROAST_MICRO_VERSION (0)

/**
 * ROAST_VERSION_S:
 *
 * The version of the headers as a string.
 *
 * Since: 1.0
 */
#define ROAST_VERSION_S "1.0.0"
