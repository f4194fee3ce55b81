// AVIF pictures and sequences by libavif: https://github.com/AOMediaCodec/libavif/blob/v0.11.1/include/avif/avif.h
#define _GNU_SOURCE
#include "frames.h"
#include <avif/avif.h>
#include <stdlib.h>
#include <string.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(avifDecoderCreate)                                                                                             \
    USE(avifDecoderDestroy)                                                                                            \
    USE(avifDecoderSetIOMemory)                                                                                        \
    USE(avifDecoderParse)                                                                                              \
    USE(avifDecoderNthImage)                                                                                           \
    USE(avifDecoderNthImageTiming)                                                                                     \
    USE(avifRGBImageSetDefaults)                                                                                       \
    USE(avifImageYUVToRGB)

static struct { FUNCTIONS(ALCEDO_DECLARE) } table;

static int load(void) {
    // The structures of a later library differ, so only the library that fits the headers is loaded.
    void *library = dlopen(AVIF_VERSION_MAJOR >= 1 ? "libavif.so.16" : "libavif.so.15", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    FUNCTIONS(ALCEDO_FIND)
    return 1;
}

ALCEDO_LOAD_ONCE(alcedo_avif_load)

typedef struct {
    alcedo_frames base;
    avifDecoder *decoder;
    int32_t width, height, last_delay;
    // Whether the file has a depth map, which libavif 0.11 takes for alpha.
    int has_depth;
} avif_file;

static int32_t delay(alcedo_frames *frames, int32_t index) {
    // Each call adds up the times of all frames before, so frames from number `most` on get the delay of the last frame
    // read.
    enum { most = 1000 };
    avifImageTiming timing;
    uint32_t frame = (uint32_t)(index < most ? index : most - 1);
    avif_file *file = (avif_file *)frames;
    if (index >= most && file->last_delay) return file->last_delay;
    if (table.avifDecoderNthImageTiming(file->decoder, frame, &timing)) return 0;
    double delay = timing.duration * 1000 + 0.5;
    return file->last_delay = delay < 1e9 ? (int32_t)delay : 1000000000;
}

static int read_frame(alcedo_frames *frames, int32_t index, uint8_t *pixels) {
    avif_file *file = (avif_file *)frames;
    if (table.avifDecoderNthImage(file->decoder, (uint32_t)index)) return alcedo_frames_damaged;
    const avifImage *image = file->decoder->image;
    if ((int32_t)image->width != file->width || (int32_t)image->height != file->height) return alcedo_frames_damaged;
    avifRGBImage rgb;
    table.avifRGBImageSetDefaults(&rgb, image);
    rgb.depth = 8;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.pixels = pixels;
    rgb.rowBytes = image->width * 4;
    if (table.avifImageYUVToRGB(image, &rgb)) return alcedo_frames_damaged;
    uint8_t *end = pixels + (size_t)image->width * image->height * 4;
    for (uint8_t *pixel = pixels; file->has_depth && pixel < end; pixel += 4) pixel[3] = 255;
    return 0;
}

static void close_file(alcedo_frames *frames) {
    table.avifDecoderDestroy(((avif_file *)frames)->decoder);
    free(frames);
}

// Whether the beginning of a file has a name of an auxiliary picture. Source: ISO/IEC 23008-12, section 6.5.8.
static int has_name(const void *bytes, size_t count, const char *name) {
    return memmem(bytes, count < 1 << 16 ? count : 1 << 16, name, strlen(name)) != NULL;
}

// The plays that the edit list of a sequence states: one, or 0 for endless if it repeats or there is none.
// Source: ISO/IEC 14496-12, section 8.6.6; libavif 0.11 does not read it.
static int plays(const uint8_t *bytes, size_t count) {
    const uint8_t *list = memmem(bytes, count < 1 << 16 ? count : 1 << 16, "elst", 4);
    return list && (size_t)(list - bytes) + 8 <= count && !(list[7] & 1);
}

// Whether a file has one picture without tiles, besides those that belong to it, such as alpha. libavif 0.11 puts the
// tiles of a grid in a wrong order, and shows no other picture than the first; those of a pyramid are the same picture.
// Source: ISO/IEC 14496-12, sections 8.11.6 (infe) and 8.11.12 (iref); ISO/IEC 23008-12, section 6.8.12 (pymd).
static int is_single(const uint8_t *bytes, size_t count) {
    const uint8_t *place = bytes, *end = bytes + (count < 1 << 16 ? count : 1 << 16);
    int pictures = 0;
    while ((place = memmem(place, end - place, "infe", 4)) && end - place > 20) {
        place += 4;
        pictures += !memcmp(place + (*place == 3 ? 10 : 8), "av01", 4);
    }
    for (place = bytes; (place = memmem(place, end - place, "auxl", 4)); place += 4) pictures--;
    for (place = bytes; (place = memmem(place, end - place, "thmb", 4)); place += 4) pictures--;
    return (pictures <= 1 || has_name(bytes, count, "pymd")) && !has_name(bytes, count, "dimg");
}

// The EXIF orientation that equals the rotation of a picture and its mirroring after that.
static int32_t orientation(const avifImage *image) {
    static const int32_t rotated[] = {1, 8, 3, 6}, flipped[] = {4, 5, 2, 7}, mirrored[] = {2, 7, 4, 5};
    int angle = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0;
    if (!(image->transformFlags & AVIF_TRANSFORM_IMIR)) return rotated[angle];
    return image->imir.mode ? mirrored[angle] : flipped[angle];
}

alcedo_frames *alcedo_avif_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info,
                                int *reason) {
    avif_file *file = calloc(1, sizeof *file);
    avifDecoder *decoder = file ? table.avifDecoderCreate() : NULL;
    if (!decoder) {
        free(file);
        return NULL;
    }
    file->base = (alcedo_frames){delay, read_frame, close_file};
    file->decoder = decoder;
    file->decoder->maxThreads = 2;
    file->decoder->ignoreExif = file->decoder->ignoreXMP = AVIF_TRUE;
    file->decoder->strictFlags = AVIF_STRICT_DISABLED;
    if (pixels < file->decoder->imageSizeLimit) file->decoder->imageSizeLimit = pixels > 0 ? (uint32_t)pixels : 1;
    if (table.avifDecoderSetIOMemory(file->decoder, bytes, count) || table.avifDecoderParse(file->decoder)) {
        close_file(&file->base);
        return NULL;
    }
    const avifImage *image = decoder->image;
    // Colour profiles, cropping, tiles and collections are for another library.
    if (decoder->imageCount == 1 &&
        (image->icc.size || image->transformFlags & AVIF_TRANSFORM_CLAP || !is_single(bytes, count))) {
        *reason = alcedo_frames_unsupported;
        close_file(&file->base);
        return NULL;
    }
    *reason = 0;
    file->has_depth = has_name(bytes, count, "auxiliary:depth") && !has_name(bytes, count, "auxiliary:alpha");
    file->width = info->width = (int32_t)file->decoder->image->width;
    file->height = info->height = (int32_t)file->decoder->image->height;
    info->count = file->decoder->imageCount;
    info->orientation = orientation(image);
    info->bits = (int32_t)image->depth;
    info->is_grey = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400;
    info->plays = plays(bytes, count);
    // A colour profile has precedence.
    if (!file->decoder->image->icc.size) {
        info->primaries = file->decoder->image->colorPrimaries;
        info->transfer = file->decoder->image->transferCharacteristics;
    }
    return &file->base;
}
