// The decoders of content codings. Their libraries are loaded at run time, so that neither headers nor link flags are
// needed to build. libcurl's own decoding is not used, because it accepts content that was cut short.
#ifndef CDECODE_H
#define CDECODE_H

#include <stddef.h>
#include <stdint.h>

enum { CDECODE_GZIP, CDECODE_DEFLATE, CDECODE_BROTLI, CDECODE_ZSTD };
enum { CDECODE_FAILED = -1, CDECODE_CONTINUES = 0, CDECODE_ENDED = 1 };

// Returns whether the library for a coding was found.
int cdecode_is_supported(int coding);

// Returns a decoder for a supported coding, or NULL if there is no memory.
void *cdecode_create(int coding);
void cdecode_destroy(void *decoder);

// Decodes from `input` to `output`, and sets the numbers of bytes that were read and written. CDECODE_ENDED means that the
// content is complete. More input may follow CDECODE_CONTINUES; more output may follow if `output` is full. The lengths
// are below 4 GiB.
int cdecode_run(
    void *decoder, const uint8_t *input, size_t input_length, size_t *bytes_read, uint8_t *output, size_t capacity,
    size_t *bytes_written);

#endif
