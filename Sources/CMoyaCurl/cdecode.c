#include "cdecode.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

// The memory layouts of structures that the libraries exchange with their callers. zlib compares the size of its own.

typedef struct {
    const uint8_t *next_in;
    unsigned avail_in;
    unsigned long total_in;
    uint8_t *next_out;
    unsigned avail_out;
    unsigned long total_out;
    const char *msg;
    void *state;
    void *zalloc, *zfree, *opaque;
    int data_type;
    unsigned long adler, reserved;
} zlib_stream;

typedef struct {
    const void *bytes;
    size_t size, position;
} zstd_buffer;

enum { zlib_ok = 0, zlib_stream_end = 1, zlib_buffer_error = -5 };
enum { brotli_error = 0, brotli_success = 1 };

static struct {
    int (*init)(zlib_stream *, int window_bits, const char *version, int size);
    int (*inflate)(zlib_stream *, int flush);
    int (*end)(zlib_stream *);
} zlib;

static struct {
    void *(*create)(void *allocate, void *free, void *context);
    int (*run)(void *, size_t *available_in, const uint8_t **next_in, size_t *available_out, uint8_t **next_out,
               size_t *total_out);
    void (*destroy)(void *);
} brotli;

static struct {
    void *(*create)(void);
    size_t (*run)(void *, zstd_buffer *output, zstd_buffer *input);
    size_t (*destroy)(void *);
    unsigned (*is_error)(size_t);
} zstd;

static int has_zlib, has_brotli, has_zstd;
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

typedef struct {
    void *target;
    const char *name;
} function;

static int load_library(const char *file, const function *functions, size_t count) {
    void *library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
    if (!library) return 0;
    for (size_t index = 0; index < count; index++) {
        void *address = dlsym(library, functions[index].name);
        if (!address) return 0;
        *(void **)functions[index].target = address;
    }
    return 1;
}

static void load(void) {
    has_zlib = load_library(
        "libz.so.1",
        (function[]){{&zlib.init, "inflateInit2_"}, {&zlib.inflate, "inflate"}, {&zlib.end, "inflateEnd"}}, 3);
    has_brotli = load_library(
        "libbrotlidec.so.1",
        (function[]){{&brotli.create, "BrotliDecoderCreateInstance"},
                     {&brotli.run, "BrotliDecoderDecompressStream"},
                     {&brotli.destroy, "BrotliDecoderDestroyInstance"}},
        3);
    has_zstd = load_library(
        "libzstd.so.1",
        (function[]){{&zstd.create, "ZSTD_createDStream"},
                     {&zstd.run, "ZSTD_decompressStream"},
                     {&zstd.destroy, "ZSTD_freeDStream"},
                     {&zstd.is_error, "ZSTD_isError"}},
        4);
}

int cdecode_is_supported(int coding) {
    pthread_once(&load_once, load);
    return coding == CDECODE_BROTLI ? has_brotli : coding == CDECODE_ZSTD ? has_zstd : has_zlib;
}

typedef struct {
    int coding;
    // Whether `stream` is initialized, as it is after the first byte.
    int has_stream;
    zlib_stream stream;
    // The state of Brotli or zstd.
    void *state;
} decoder;

void *cdecode_create(int coding) {
    decoder *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->coding = coding;
    if (coding == CDECODE_GZIP || coding == CDECODE_DEFLATE) return self;
    self->state = coding == CDECODE_BROTLI ? brotli.create(NULL, NULL, NULL) : zstd.create();
    if (self->state) return self;
    free(self);
    return NULL;
}

void cdecode_destroy(void *raw) {
    decoder *self = raw;
    if (self->has_stream) zlib.end(&self->stream);
    if (self->coding == CDECODE_BROTLI) brotli.destroy(self->state);
    if (self->coding == CDECODE_ZSTD) zstd.destroy(self->state);
    free(self);
}

static int run_zlib(
    decoder *self, const uint8_t *input, size_t input_length, size_t *bytes_read, uint8_t *output, size_t capacity,
    size_t *bytes_written) {
    zlib_stream *stream = &self->stream;
    if (!self->has_stream) {
        if (input_length == 0) return CDECODE_CONTINUES;
        // The coding `deflate` is the format of zlib (RFC 9110, section 8.4.1.2), but some servers omit its header.
        int window_bits = self->coding == CDECODE_GZIP ? 16 + 15 : (input[0] & 0x0f) == 8 ? 15 : -15;
        if (zlib.init(stream, window_bits, "1", (int)sizeof *stream) != zlib_ok) return CDECODE_FAILED;
        self->has_stream = 1;
    }
    stream->next_in = input;
    stream->avail_in = (unsigned)input_length;
    stream->next_out = output;
    stream->avail_out = (unsigned)capacity;
    int code = zlib.inflate(stream, 0);
    *bytes_read = (size_t)(stream->next_in - input);
    *bytes_written = (size_t)(stream->next_out - output);
    if (code == zlib_stream_end) return CDECODE_ENDED;
    return code == zlib_ok || code == zlib_buffer_error ? CDECODE_CONTINUES : CDECODE_FAILED;
}

int cdecode_run(
    void *raw, const uint8_t *input, size_t input_length, size_t *bytes_read, uint8_t *output, size_t capacity,
    size_t *bytes_written) {
    decoder *self = raw;
    *bytes_read = *bytes_written = 0;
    if (self->coding == CDECODE_GZIP || self->coding == CDECODE_DEFLATE) {
        return run_zlib(self, input, input_length, bytes_read, output, capacity, bytes_written);
    }
    if (self->coding == CDECODE_BROTLI) {
        size_t in = input_length, out = capacity;
        uint8_t *next = output;
        int code = brotli.run(self->state, &in, &input, &out, &next, NULL);
        *bytes_read = input_length - in;
        *bytes_written = capacity - out;
        return code == brotli_error ? CDECODE_FAILED : code == brotli_success ? CDECODE_ENDED : CDECODE_CONTINUES;
    }
    zstd_buffer in = {input, input_length, 0}, out = {output, capacity, 0};
    size_t code = zstd.run(self->state, &out, &in);
    *bytes_read = in.position;
    *bytes_written = out.position;
    return zstd.is_error(code) ? CDECODE_FAILED : code == 0 ? CDECODE_ENDED : CDECODE_CONTINUES;
}
