#include "CVips.h"
#include "libvips.h"
#include <dlfcn.h>
#include <malloc.h>
#include <math.h>
#include <stdint.h>

AlcedoVipsFunctions vips;

// Warnings about damaged files would be written over the screen. Failures are reported as errors anyway.
static void ignore(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {}

void alcedo_map_blocks_from(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

static int find_functions(void) {
    void *library = dlopen("libvips.so.42", RTLD_LAZY);
    if (!library) return -1;
#define ALCEDO_VIPS_FIND(name)                                                                                         \
    vips.name = (__typeof__(vips.name))dlsym(library, "vips_" #name);                                                  \
    if (!vips.name) return -1;
    ALCEDO_VIPS_FUNCTIONS(ALCEDO_VIPS_FIND)
    return 0;
}

// ImageMagick, if its module is loaded at all, works on one thread, in memory and without OpenCL.
static void limit_magick(void) {
    g_setenv("MAGICK_THREAD_LIMIT", "1", TRUE);
    g_setenv("MAGICK_OCL_DEVICE", "OFF", TRUE);
    g_setenv("MAGICK_MEMORY_LIMIT", "1GiB", TRUE);
    g_setenv("MAGICK_MAP_LIMIT", "0", TRUE);
    g_setenv("MAGICK_DISK_LIMIT", "0", TRUE);
}

int alcedo_vips_start(void) {
    if (find_functions()) return -1;
    g_setenv("VIPSHOME", "/nonexistent", TRUE);
    limit_magick();
    if (vips.init("alcedo")) return -1;
    vips.concurrency_set(1);
    vips.cache_set_max(0);
    vips.block_untrusted_set(TRUE);
    g_log_set_handler("VIPS", G_LOG_LEVEL_MASK, ignore, NULL);
    return 0;
}

// Copies one frame's rows into a picture of its own. Each frame has a region of its own, because a region belongs to
// the thread that made it. The picture, not the region, keeps the position in the file.
static int copy_rows(VipsImage *frames, VipsImage *frame, int top) {
    VipsRegion *region = vips.region_new(frames);
    VipsRect rows = {0, top, frame->Xsize, frame->Ysize};
    int status = vips.region_prepare(region, &rows);
    for (int y = 0; !status && y < frame->Ysize; y++)
        memcpy(VIPS_IMAGE_ADDR(frame, 0, y), VIPS_REGION_ADDR(region, 0, top + y), VIPS_IMAGE_SIZEOF_LINE(frame));
    g_object_unref(region);
    return status;
}

int alcedo_vips_frame(VipsImage *frames, int index, VipsImage **out) {
    int height = vips.image_get_page_height(frames);
    if (index < 0 || index >= frames->Ysize / height) {
        vips.error("frame", "%s", "no such frame");
        return -1;
    }
    VipsImage *frame = vips.image_new_memory();
    int status = vips.image_pipelinev(frame, VIPS_DEMAND_STYLE_ANY, frames, NULL);
    if (!status) {
        frame->Ysize = height;
        vips.image_remove(frame, VIPS_META_PAGE_HEIGHT);
        vips.image_remove(frame, VIPS_META_N_PAGES);
        status = vips.image_write_prepare(frame) || copy_rows(frames, frame, index * height);
    }
    if (status) g_object_unref(frame);
    else *out = frame;
    return status;
}

// Rotates by the EXIF orientation. Rotation reads the rows in another order than the file has them.
int alcedo_vips_upright(VipsImage *in, VipsImage **out) {
    if (vips.image_get_orientation(in) == 1) return vips.copy(in, out, NULL);
    VipsImage *memory = vips.image_copy_memory(in);
    if (!memory) return -1;
    int status = vips.autorot(memory, out, NULL);
    g_object_unref(memory);
    return status;
}

int alcedo_vips_resize(VipsImage *in, VipsImage **out, int width, int height) {
    return vips.thumbnail_image(in, out, width, "height", height, "size", VIPS_SIZE_FORCE, "no_rotate", TRUE, NULL);
}

void alcedo_vips_set_frames(VipsImage *image, int height, const int *delays, int count, int plays) {
    vips.image_set_int(image, VIPS_META_PAGE_HEIGHT, height);
    vips.image_set_array_int(image, "delay", delays, count);
    vips.image_set_int(image, "loop", plays);
}

int alcedo_vips_save(VipsImage *in, const char *suffix, void **bytes, size_t *count) {
    return vips.image_write_to_buffer(in, suffix, bytes, count, NULL);
}

int alcedo_vips_from_bytes(const void *bytes, size_t count, int width, int height, int copies, VipsImage **out) {
    VipsImage *plain = (copies ? vips.image_new_from_memory_copy : vips.image_new_from_memory)(
        bytes, count, width, height, 4, VIPS_FORMAT_UCHAR);
    if (!plain) return -1;
    int status = vips.copy(plain, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(plain);
    return status;
}

// The colours as inks beside black, of which libvips takes 0 for none.
static int inverted_inks(VipsImage *in, const unsigned char *black, VipsImage **out) {
    int width = vips.image_get_width(in), height = vips.image_get_height(in);
    VipsImage *parts[3] = {NULL, NULL, NULL}, *colors = NULL, *joined = NULL;
    VipsImage *plane = vips.image_new_from_memory_copy(black, (size_t)width * height, width, height, 1, VIPS_FORMAT_UCHAR);
    int status = !plane || vips.extract_band(in, &colors, 0, "n", 3, NULL) || vips.extract_band(in, &parts[2], 3, NULL) ||
                 vips.linear1(colors, &parts[0], -1, 255, "uchar", TRUE, NULL) ||
                 vips.linear1(plane, &parts[1], -1, 255, "uchar", TRUE, NULL) || vips.bandjoin(parts, &joined, 3, NULL) ||
                 vips.copy(joined, out, "interpretation", VIPS_INTERPRETATION_CMYK, NULL);
    VipsImage *all[] = {plane, colors, parts[0], parts[1], parts[2], joined};
    for (int index = 0; index < 6; index++)
        if (all[index]) g_object_unref(all[index]);
    return status;
}

int alcedo_vips_in_profile(VipsImage *in, const unsigned char *black, const void *profile, size_t count, VipsImage **out) {
    if (black ? inverted_inks(in, black, out) : vips.copy(in, out, NULL)) return -1;
    if (profile) vips.image_set_blob_copy(*out, VIPS_META_ICC_NAME, profile, count);
    return 0;
}

// Returns an operation by name that makes a picture from a picture; NULL for others, in particular for those that use
// files.
VipsOperation *alcedo_vips_operation(const char *name, VipsImage *in) {
    VipsOperation *operation = vips.operation_new(name);
    if (!operation) return NULL;
    GObjectClass *type = G_OBJECT_GET_CLASS(operation);
    GParamSpec *input = g_object_class_find_property(type, "in");
    GParamSpec *output = g_object_class_find_property(type, "out");
    int fits = input && output && input->value_type == vips.image_get_type() && output->value_type == vips.image_get_type();
    int blocked = vips.operation_get_flags(operation) & (VIPS_OPERATION_UNTRUSTED | VIPS_OPERATION_BLOCKED);
    if (!fits || blocked || g_type_is_a(G_OBJECT_TYPE(operation), vips.foreign_get_type())) {
        vips.error(name, "%s", "does not make a picture from a picture");
        g_object_unref(operation);
        return NULL;
    }
    g_object_set(operation, "in", in, NULL);
    return operation;
}

// Sets an argument from text; refuses pictures, because libvips would read them from files.
int alcedo_vips_set(VipsOperation *operation, const char *name, const char *value) {
    GParamSpec *argument = g_object_class_find_property(G_OBJECT_GET_CLASS(operation), name);
    if (!argument || g_type_is_a(argument->value_type, vips.object_get_type()) ||
        g_type_is_a(argument->value_type, vips.array_image_get_type())) {
        vips.error(name, "%s", "no argument that can be given as text");
        return -1;
    }
    return vips.object_set_argument_from_string((VipsObject *)operation, name, value);
}

// Runs the operation and releases it.
int alcedo_vips_run(VipsOperation *operation, VipsImage **out) {
    int status = vips.object_build((VipsObject *)operation);
    if (!status) g_object_get(operation, "out", out, NULL);
    vips.object_unref_outputs((VipsObject *)operation);
    g_object_unref(operation);
    return status;
}

void alcedo_vips_unref(void *object) { g_object_unref(object); }

void alcedo_vips_free(void *memory) { g_free(memory); }

char *alcedo_vips_take_error(void) { return vips.error_buffer_copy(); }

int alcedo_vips_width(VipsImage *image) { return vips.image_get_width(image); }

int alcedo_vips_bands(VipsImage *image) { return vips.image_get_bands(image); }
int alcedo_vips_height(VipsImage *image) { return vips.image_get_height(image); }

int alcedo_vips_pages(VipsImage *image) { return vips.image_get_n_pages(image); }

int alcedo_vips_is_lying(VipsImage *image) { return vips.image_get_orientation_swap(image); }

int alcedo_vips_loop(VipsImage *image, int *count) {
    return vips.image_get_typeof(image, "loop") ? vips.image_get_int(image, "loop", count) : -1;
}

int alcedo_vips_delays(VipsImage *image, int **delays, int *count) {
    return vips.image_get_typeof(image, "delay") ? vips.image_get_array_int(image, "delay", delays, count) : -1;
}

// Evaluates the rows of a picture from the top down and calls `visit` with each; -1 if the first or, of a picture that
// must be whole, any row fails.
static int visit_rows(VipsImage *image, int isWhole, void (*visit)(const void *row, int y, void *context), void *context) {
    enum { most = 16 };
    int width = vips.image_get_width(image), height = vips.image_get_height(image), done = 0;
    VipsRegion *region = vips.region_new(image);
    while (region && done < height) {
        VipsRect rows = {0, done, width, height - done < most ? height - done : most};
        if (vips.region_prepare(region, &rows)) break;
        for (int y = 0; y < rows.height; y++, done++) visit(VIPS_REGION_ADDR(region, 0, done), done, context);
    }
    if (region) g_object_unref(region);
    if (done < (isWhole ? height : 1)) return -1;
    if (done < height) vips.error_clear();
    return 0;
}

typedef struct {
    char *pixels;
    size_t rowBytes;
} row_copies;

static void copy_row(const void *row, int y, void *context) {
    row_copies *copies = context;
    memcpy(copies->pixels + y * copies->rowBytes, row, copies->rowBytes);
}

int alcedo_vips_rows(VipsImage *image, int isWhole, void *pixels) {
    if (vips.image_get_bands(image) != 4 || vips.image_get_format(image) != VIPS_FORMAT_UCHAR) {
        vips.error("rows", "%s", "the picture does not have four bands of eight bits");
        return -1;
    }
    row_copies copies = {pixels, (size_t)vips.image_get_width(image) * 4};
    return visit_rows(image, isWhole, copy_row, &copies);
}

int alcedo_vips_samples(VipsImage *image) {
    VipsBandFormat format = vips.image_get_format(image);
    VipsInterpretation space = vips.image_get_interpretation(image);
    if (format == VIPS_FORMAT_UCHAR || format == VIPS_FORMAT_CHAR || format == VIPS_FORMAT_USHORT || space == VIPS_INTERPRETATION_LAB ||
        space == VIPS_INTERPRETATION_XYZ || space == VIPS_INTERPRETATION_LABS)
        return alcedo_samples_plain;
    return vips.band_format_isfloat(format) ? alcedo_samples_fractions : alcedo_samples_integers;
}

typedef struct {
    VipsBandFormat format;
    int width, bands, colors;
    double low, high;
} sample_range;

static double sample(const void *row, int index, VipsBandFormat format) {
    switch (format) {
    case VIPS_FORMAT_SHORT: return ((const int16_t *)row)[index];
    case VIPS_FORMAT_INT: return ((const int32_t *)row)[index];
    case VIPS_FORMAT_UINT: return ((const uint32_t *)row)[index];
    case VIPS_FORMAT_FLOAT: return ((const float *)row)[index];
    case VIPS_FORMAT_DOUBLE: return ((const double *)row)[index];
    default: return NAN;
    }
}

static void extend(const void *row, int y, void *context) {
    sample_range *range = context;
    for (int x = 0; x < range->width; x++)
        for (int band = 0; band < range->colors; band++) {
            double value = sample(row, x * range->bands + band, range->format);
            if (!isfinite(value)) continue;
            if (value < range->low) range->low = value;
            if (value > range->high) range->high = value;
        }
}

int alcedo_vips_range(VipsImage *image, int colors, int isWhole, double *low, double *high) {
    int bands = vips.image_get_bands(image);
    sample_range range = {vips.image_get_format(image), vips.image_get_width(image), bands,
                          colors < bands ? colors : bands, INFINITY, -INFINITY};
    if (visit_rows(image, isWhole, extend, &range)) return -1;
    *low = range.low;
    *high = range.high;
    return 0;
}
