// libcurl itself needs their libraries, so they are installed wherever libcurl is.
#define _GNU_SOURCE
#include "CCodings.h"

#include <brotli/decode.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>

#define BROTLI(USE)                                                                                                    \
    USE(BrotliDecoderCreateInstance)                                                                                   \
    USE(BrotliDecoderDecompressStream)                                                                                 \
    USE(BrotliDecoderDestroyInstance)

#define ZSTD(USE)                                                                                                      \
    USE(ZSTD_createDCtx)                                                                                               \
    USE(ZSTD_DCtx_setParameter)                                                                                        \
    USE(ZSTD_decompressStream)                                                                                         \
    USE(ZSTD_freeDCtx)                                                                                                 \
    USE(ZSTD_isError)

static struct {
#define DECLARE(name) __typeof__(name) *name;
    BROTLI(DECLARE) ZSTD(DECLARE)
} table;

static int has_brotli, has_zstd;

#define FIND(name) if (!(table.name = (__typeof__(name) *)dlsym(library, #name))) return;

static void load_brotli(void) {
    void *library = dlopen("libbrotlidec.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    BROTLI(FIND)
    has_brotli = 1;
}

static void load_zstd(void) {
    void *library = dlopen("libzstd.so.1", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
    ZSTD(FIND)
    has_zstd = 1;
}

enum { damaged = -1, too_large = -2, missing = -3, no_memory = -4 };

typedef struct {
    uint8_t *bytes;
    size_t count, capacity, limit;
    int is_full;
} buffer;

// Makes room for more bytes; false if there are `limit` bytes already, or no memory.
static int grow(buffer *buffer) {
    if (buffer->count < buffer->capacity) return 1;
    if (buffer->capacity > buffer->limit) return 0;
    // One byte beyond the limit shows that there are more.
    size_t capacity = buffer->capacity * 2 > buffer->limit ? buffer->limit + 1 : buffer->capacity * 2;
    uint8_t *bytes = realloc(buffer->bytes, capacity);
    if (!bytes) {
        buffer->is_full = 1;
        return 0;
    }
    buffer->bytes = bytes;
    buffer->capacity = capacity;
    return 1;
}

static int64_t decode_brotli(const void *bytes, size_t count, buffer *buffer) {
    BrotliDecoderState *state = table.BrotliDecoderCreateInstance(NULL, NULL, NULL);
    if (!state) return no_memory;
    const uint8_t *input = bytes;
    BrotliDecoderResult result = BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT;
    while (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT && grow(buffer)) {
        size_t room = buffer->capacity - buffer->count;
        uint8_t *output = buffer->bytes + buffer->count;
        result = table.BrotliDecoderDecompressStream(state, &count, &input, &room, &output, NULL);
        buffer->count = buffer->capacity - room;
    }
    table.BrotliDecoderDestroyInstance(state);
    if (result == BROTLI_DECODER_RESULT_NEEDS_MORE_OUTPUT) return too_large;
    return result == BROTLI_DECODER_RESULT_SUCCESS ? (int64_t)buffer->count : damaged;
}

static int64_t decode_zstd(const void *bytes, size_t count, buffer *buffer) {
    ZSTD_DCtx *context = table.ZSTD_createDCtx();
    if (!context) return no_memory;
    // Frames may ask for a window; RFC 8878 recommends 8 MiB as the limit.
    table.ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23);
    ZSTD_inBuffer input = {bytes, count, 0};
    size_t result = 1;
    while ((result != 0 || input.pos < input.size) && !table.ZSTD_isError(result)) {
        if (!grow(buffer)) break;
        size_t before = input.pos, earlier = buffer->count;
        ZSTD_outBuffer output = {buffer->bytes, buffer->capacity, buffer->count};
        result = table.ZSTD_decompressStream(context, &output, &input);
        buffer->count = output.pos;
        // The stream is cut off.
        if (input.pos == before && buffer->count == earlier) break;
    }
    table.ZSTD_freeDCtx(context);
    if (buffer->count > buffer->limit) return too_large;
    return result == 0 && input.pos == input.size ? (int64_t)buffer->count : damaged;
}

int64_t alcedo_decode(alcedo_coding coding, const void *bytes, size_t count, size_t limit, uint8_t **decoded) {
    static pthread_once_t brotli = PTHREAD_ONCE_INIT, zstd = PTHREAD_ONCE_INIT;
    *decoded = NULL;
    if (coding == alcedo_coding_brotli) pthread_once(&brotli, load_brotli);
    else pthread_once(&zstd, load_zstd);
    if (!(coding == alcedo_coding_brotli ? has_brotli : has_zstd)) return missing;
    size_t capacity = limit < 1 << 16 ? limit + 1 : 1 << 16;
    buffer buffer = {malloc(capacity), 0, capacity, limit, 0};
    if (!buffer.bytes) return no_memory;
    int64_t result = coding == alcedo_coding_brotli ? decode_brotli(bytes, count, &buffer)
                                                    : decode_zstd(bytes, count, &buffer);
    if (buffer.is_full) result = no_memory;
    else if (result > (int64_t)limit) result = too_large;
    if (result < 0) free(buffer.bytes);
    else *decoded = buffer.bytes;
    return result;
}
