// Kinds of TIFF that libvips does not read, by libtiff's conversion to RGBA: subsampled colours, JPEG of TIFF 6.0,
// planes with extra samples. https://libtiff.gitlab.io/libtiff/functions/TIFFReadRGBAImage.html
#include "frames.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <tiffio.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(TIFFClientOpen)                                                                                                \
    USE(TIFFClose)                                                                                                     \
    USE(TIFFGetField)                                                                                                  \
    USE(TIFFNumberOfDirectories)                                                                                       \
    USE(TIFFSetDirectory)                                                                                              \
    USE(TIFFSetField)                                                                                                  \
    USE(TIFFRGBAImageOK)                                                                                               \
    USE(TIFFReadRGBAImageOriented)                                                                                     \
    USE(TIFFSetErrorHandler)                                                                                           \
    USE(TIFFSetWarningHandler)

static struct { FUNCTIONS(ALCEDO_DECLARE) } table;

// Whether libtiff lacked memory since the file was opened; a helper decodes one picture at a time.
static _Thread_local int lacks_memory;

static void note_error(const char *module, const char *format, va_list values) {
    if (strstr(format, "emory") || strstr(format, "No space")) lacks_memory = 1;
}

static int failure(void) { return lacks_memory ? alcedo_frames_no_memory : alcedo_frames_damaged; }

static int load(void) {
    void *library = dlopen("libtiff.so.6", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    FUNCTIONS(ALCEDO_FIND)
    table.TIFFSetErrorHandler(note_error);
    table.TIFFSetWarningHandler(NULL);
    return 1;
}

ALCEDO_LOAD_ONCE(alcedo_tiff_load)

typedef struct {
    alcedo_frames base;
    TIFF *tiff;
    const uint8_t *bytes;
    toff_t count, place;
    uint32_t width, height;
} tiff_file;

static tmsize_t read_bytes(thandle_t handle, void *target, tmsize_t wanted) {
    tiff_file *file = (tiff_file *)handle;
    toff_t rest = file->place < file->count ? file->count - file->place : 0;
    tmsize_t count = (toff_t)wanted < rest ? wanted : (tmsize_t)rest;
    memcpy(target, file->bytes + file->place, count);
    file->place += count;
    return count;
}

static tmsize_t write_bytes(thandle_t handle, void *source, tmsize_t count) { return 0; }

static toff_t seek(thandle_t handle, toff_t place, int from) {
    tiff_file *file = (tiff_file *)handle;
    file->place = place + (from == SEEK_CUR ? file->place : from == SEEK_END ? file->count : 0);
    return file->place;
}

static int close_bytes(thandle_t handle) { return 0; }

static toff_t size(thandle_t handle) { return ((tiff_file *)handle)->count; }

static int32_t delay(alcedo_frames *frames, int32_t index) { return 0; }

static int read_frame(alcedo_frames *frames, int32_t index, uint8_t *pixels) {
    tiff_file *file = (tiff_file *)frames;
    if (!table.TIFFReadRGBAImageOriented(file->tiff, file->width, file->height, (uint32_t *)pixels, ORIENTATION_TOPLEFT,
                                         1))
        return failure();
    uint16_t extra = 0, *kinds = NULL;
    if (!table.TIFFGetField(file->tiff, TIFFTAG_EXTRASAMPLES, &extra, &kinds) || !extra) return 0;
    // libtiff takes a sample without a meaning for alpha, and multiplies the colours by alpha.
    int isAlpha = kinds[0] != EXTRASAMPLE_UNSPECIFIED;
    for (uint8_t *pixel = pixels; pixel < pixels + (size_t)file->width * file->height * 4; pixel += 4) {
        for (int channel = 0; isAlpha && pixel[3] && channel < 3; channel++) {
            int value = (pixel[channel] * 255 + pixel[3] / 2) / pixel[3];
            pixel[channel] = value > 255 ? 255 : value;
        }
        if (!isAlpha) pixel[3] = 255;
    }
    return 0;
}

static void close_file(alcedo_frames *frames) {
    tiff_file *file = (tiff_file *)frames;
    if (file->tiff) table.TIFFClose(file->tiff);
    free(file);
}

alcedo_frames *alcedo_tiff_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info,
                                int *reason) {
    tiff_file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->base = (alcedo_frames){delay, read_frame, close_file};
    file->bytes = bytes;
    file->count = count;
    lacks_memory = 0;
    file->tiff = table.TIFFClientOpen("picture", "rm", file, read_bytes, write_bytes, seek, close_bytes, size, NULL, NULL);
    uint16_t orientation = 1;
    if (file->tiff) info->pages = table.TIFFNumberOfDirectories(file->tiff);
    if (!file->tiff || info->page >= info->pages || !table.TIFFSetDirectory(file->tiff, (uint16_t)info->page) ||
        !table.TIFFGetField(file->tiff, TIFFTAG_IMAGEWIDTH, &file->width) ||
        !table.TIFFGetField(file->tiff, TIFFTAG_IMAGELENGTH, &file->height) || file->width > INT32_MAX ||
        file->height > INT32_MAX) {
        *reason = failure();
        close_file(&file->base);
        return NULL;
    }
    char text[1024];
    uint16_t planes = 1, colors = 0, across = 2, down = 2;
    table.TIFFGetField(file->tiff, TIFFTAG_PLANARCONFIG, &planes);
    table.TIFFGetField(file->tiff, TIFFTAG_PHOTOMETRIC, &colors);
    table.TIFFGetField(file->tiff, TIFFTAG_YCBCRSUBSAMPLING, &across, &down);
    static const float standard[] = {0.299f, 0.587f, 0.114f};
    float *weights = NULL;
    int hasWeights = table.TIFFGetField(file->tiff, TIFFTAG_YCBCRCOEFFICIENTS, &weights);
    if (colors == PHOTOMETRIC_YCBCR && hasWeights && !(weights[1] > 0))
        table.TIFFSetField(file->tiff, TIFFTAG_YCBCRCOEFFICIENTS, standard);
    // libtiff reads subsampled colours in one plane only, but does not say so here.
    int hasSmallPlanes = planes == PLANARCONFIG_SEPARATE && colors == PHOTOMETRIC_YCBCR && (across > 1 || down > 1);
    if (hasSmallPlanes || !table.TIFFRGBAImageOK(file->tiff, text)) {
        *reason = alcedo_frames_unsupported;
        close_file(&file->base);
        return NULL;
    }
    if (table.TIFFGetField(file->tiff, TIFFTAG_ORIENTATION, &orientation)) info->orientation = orientation;
    table.TIFFSetField(file->tiff, TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    *reason = 0;
    info->width = (int32_t)file->width;
    info->height = (int32_t)file->height;
    info->primaries = info->transfer = 2;
    return &file->base;
}
