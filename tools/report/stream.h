/* SPDX-License-Identifier: BSD-3-Clause */
#pragma once

/* Keys of the lines of a stream that are neither tables nor rows. The first line is {"roast-stream": 1}, the last
 * {"end": true}. */
#define STREAM_MAGIC "roast-stream"
#define STREAM_VERSION 1
#define STREAM_META "meta"         /* of the file */
#define STREAM_METADATA "metadata" /* of the recording */
#define STREAM_VALUE "value"
#define STREAM_END "end"
