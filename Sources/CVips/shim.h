// libvips' calls are variadic, which Swift cannot call: one inline function for each call the project makes.
#ifndef ALCEDO_CVIPS_H
#define ALCEDO_CVIPS_H
#include <malloc.h>
#include <vips/vips.h>

// Warnings about damaged files would be written over the screen; what fails is reported as an error anyway.
static void alcedo_vips_ignore(const gchar *domain, GLogLevelFlags level, const gchar *message, gpointer data) {}

// Blocks of this size and more are mapped one by one, and unmapped when they are freed.
static inline void alcedo_map_blocks_from(int bytes) { mallopt(M_MMAP_THRESHOLD, bytes); }

// Starts libvips: one thread a picture (pictures are decoded side by side), no cache of operations (ours are the
// caches), and every loader blocked that libvips itself does not trust, as a second layer under our allow-list.
// Loaders that live in modules (Magick, poppler, openslide, HEIF, JXL) are not even read: looking for them in a place
// that does not exist saves 30 to 80 ms and their attack surface.
static inline int alcedo_vips_start(void) {
    g_setenv("VIPSHOME", "/nonexistent", TRUE);
    if (vips_init("alcedo")) return -1;
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    vips_block_untrusted_set(TRUE);
    g_log_set_handler("VIPS", G_LOG_LEVEL_MASK, alcedo_vips_ignore, NULL);
    return 0;
}

// One that is cut off is an error, unless it is known to be a part (`whole` 0): then what is missing is grey.
static inline int alcedo_vips_load_jpeg(const void *bytes, size_t count, int shrink, int whole, VipsImage **out) {
    return vips_jpegload_buffer((void *)bytes, count, out, "shrink", shrink,
                                "fail_on", whole ? VIPS_FAIL_ON_ERROR : VIPS_FAIL_ON_NONE,
                                "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline int alcedo_vips_load_png(const void *bytes, size_t count, VipsImage **out) {
    return vips_pngload_buffer((void *)bytes, count, out, "fail_on", VIPS_FAIL_ON_ERROR,
                               "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline int alcedo_vips_load_gif(const void *bytes, size_t count, int page, VipsImage **out) {
    return vips_gifload_buffer((void *)bytes, count, out, "page", page, "fail_on", VIPS_FAIL_ON_ERROR,
                               "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

static inline int alcedo_vips_load_webp(const void *bytes, size_t count, double scale, VipsImage **out) {
    return vips_webpload_buffer((void *)bytes, count, out, "scale", scale, "fail_on", VIPS_FAIL_ON_ERROR,
                                "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

// All frames, one below the other, to be read from the top down. The picture owns a copy of the bytes.
static inline int alcedo_vips_load_webp_frames(const void *bytes, size_t count, VipsImage **out) {
    VipsBlob *blob = vips_blob_copy(bytes, count);
    VipsSource *source = vips_source_new_from_blob(blob);
    vips_area_unref(VIPS_AREA(blob));
    if (!source) return -1;
    int status = vips_webpload_source(source, out, "n", -1, "fail_on", VIPS_FAIL_ON_ERROR,
                                      "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    g_object_unref(source);
    return status;
}

// Copies one frame's rows into a picture of its own. A region of its own for each frame, as a region belongs to the
// thread that made it; what remembers the place in the file is the picture.
static inline int alcedo_vips_copy_rows(VipsImage *frames, VipsImage *frame, int top) {
    VipsRegion *region = vips_region_new(frames);
    VipsRect rows = {0, top, frame->Xsize, frame->Ysize};
    int status = vips_region_prepare(region, &rows);
    for (int y = 0; !status && y < frame->Ysize; y++)
        memcpy(VIPS_IMAGE_ADDR(frame, 0, y), VIPS_REGION_ADDR(region, 0, top + y), VIPS_IMAGE_SIZEOF_LINE(frame));
    g_object_unref(region);
    return status;
}

static inline int alcedo_vips_frame(VipsImage *frames, int index, VipsImage **out) {
    int height = vips_image_get_page_height(frames);
    if (index < 0 || index >= frames->Ysize / height) {
        vips_error("frame", "%s", "no such frame");
        return -1;
    }
    VipsImage *frame = vips_image_new_memory();
    int status = vips_image_pipelinev(frame, VIPS_DEMAND_STYLE_ANY, frames, NULL);
    if (!status) {
        frame->Ysize = height;
        vips_image_remove(frame, VIPS_META_PAGE_HEIGHT);
        vips_image_remove(frame, VIPS_META_N_PAGES);
        status = vips_image_write_prepare(frame) || alcedo_vips_copy_rows(frames, frame, index * height);
    }
    if (status) g_object_unref(frame);
    else *out = frame;
    return status;
}

// Turns by the EXIF orientation; turning reads the rows in another order than they come in.
static inline int alcedo_vips_upright(VipsImage *in, VipsImage **out) {
    VipsImage *memory = vips_image_copy_memory(in);
    if (!memory) return -1;
    int status = vips_autorot(memory, out, NULL);
    g_object_unref(memory);
    return status;
}

// From the picture's own colour profile. Without one this would assume a profile and shift every colour, so the caller
// asks first whether there is one.
static inline int alcedo_vips_profile_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_icc_transform(in, out, "srgb", "embedded", TRUE, NULL);
}

static inline int alcedo_vips_has_profile(VipsImage *in) { return vips_image_get_typeof(in, VIPS_META_ICC_NAME) != 0; }

static inline int alcedo_vips_resize(VipsImage *in, VipsImage **out, int width, int height) {
    return vips_thumbnail_image(in, out, width, "height", height, "size", VIPS_SIZE_FORCE, "no_rotate", TRUE, NULL);
}

static inline int alcedo_vips_to_srgb(VipsImage *in, VipsImage **out) {
    return vips_colourspace(in, out, VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int alcedo_vips_to_bytes(VipsImage *in, VipsImage **out) { return vips_cast_uchar(in, out, NULL); }

static inline int alcedo_vips_add_alpha(VipsImage *in, VipsImage **out) { return vips_addalpha(in, out, NULL); }

static inline int alcedo_vips_premultiply(VipsImage *in, VipsImage **out) { return vips_premultiply(in, out, NULL); }

static inline int alcedo_vips_unpremultiply(VipsImage *in, VipsImage **out) {
    return vips_unpremultiply(in, out, NULL);
}

static inline int alcedo_vips_mark_srgb(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
}

static inline int alcedo_vips_blur(VipsImage *in, VipsImage **out, double sigma) {
    return vips_gaussblur(in, out, sigma, "min_ampl", 0.01, "precision", VIPS_PRECISION_FLOAT, NULL);
}

static inline int alcedo_vips_round(VipsImage *in, VipsImage **out) { return vips_rint(in, out, NULL); }

static inline int alcedo_vips_save_png(VipsImage *in, void **bytes, size_t *count) {
    return vips_pngsave_buffer(in, bytes, count, "strip", TRUE, "compression", 3, NULL);
}

// JPEG has no alpha; the caller has laid the picture over a colour, so the fourth band says nothing.
static inline int alcedo_vips_save_jpeg(VipsImage *in, void **bytes, size_t *count, int quality) {
    VipsImage *opaque;
    if (vips_extract_band(in, &opaque, 0, "n", 3, NULL)) return -1;
    int status = vips_jpegsave_buffer(opaque, bytes, count, "strip", TRUE, "Q", quality, "optimize_coding", TRUE, NULL);
    g_object_unref(opaque);
    return status;
}

// In scans, the coarse one first; the tests' own.
static inline int alcedo_vips_save_progressive_jpeg(VipsImage *in, void **bytes, size_t *count) {
    VipsImage *opaque;
    if (vips_extract_band(in, &opaque, 0, "n", 3, NULL)) return -1;
    int status = vips_jpegsave_buffer(opaque, bytes, count, "strip", TRUE, "interlace", TRUE, NULL);
    g_object_unref(opaque);
    return status;
}

static inline int alcedo_vips_save_webp(VipsImage *in, void **bytes, size_t *count, int quality) {
    return vips_webpsave_buffer(in, bytes, count, "strip", TRUE, "Q", quality, NULL);
}

// Effort 0 takes a fifth of a second a megapixel for half of PNG's bytes; more effort takes three times as long and
// saves another tenth.
static inline int alcedo_vips_save_webp_lossless(VipsImage *in, void **bytes, size_t *count) {
    return vips_webpsave_buffer(in, bytes, count, "strip", TRUE, "lossless", TRUE, "effort", 0, NULL);
}

static inline int alcedo_vips_save_gif(VipsImage *in, void **bytes, size_t *count) {
    return vips_gifsave_buffer(in, bytes, count, "strip", TRUE, NULL);
}

// A picture in sRGB that owns its bytes.
static inline int alcedo_vips_from_bytes(const void *bytes, size_t count, int width, int height, VipsImage **out) {
    VipsImage *plain = vips_image_new_from_memory_copy(bytes, count, width, height, 4, VIPS_FORMAT_UCHAR);
    if (!plain) return -1;
    int status = vips_copy(plain, out, "interpretation", VIPS_INTERPRETATION_sRGB, NULL);
    g_object_unref(plain);
    return status;
}

// One or two bands are grey, whatever the operation that left them over says.
static inline int alcedo_vips_mark_grey(VipsImage *in, VipsImage **out) {
    return vips_copy(in, out, "interpretation", VIPS_INTERPRETATION_B_W, NULL);
}

static inline int alcedo_vips_copy(VipsImage *in, VipsImage **out) { return vips_copy(in, out, NULL); }

// An operation by name that makes a picture from a picture; NULL for all others, above all those that touch files.
static inline VipsOperation *alcedo_vips_operation(const char *name, VipsImage *in) {
    VipsOperation *operation = vips_operation_new(name);
    if (!operation) return NULL;
    GObjectClass *type = G_OBJECT_GET_CLASS(operation);
    GParamSpec *input = g_object_class_find_property(type, "in");
    GParamSpec *output = g_object_class_find_property(type, "out");
    int fits = input && output && input->value_type == VIPS_TYPE_IMAGE && output->value_type == VIPS_TYPE_IMAGE;
    int blocked = vips_operation_get_flags(operation) & (VIPS_OPERATION_UNTRUSTED | VIPS_OPERATION_BLOCKED);
    if (!fits || blocked || g_type_is_a(G_OBJECT_TYPE(operation), VIPS_TYPE_FOREIGN)) {
        vips_error(name, "%s", "does not make a picture from a picture");
        g_object_unref(operation);
        return NULL;
    }
    g_object_set(operation, "in", in, NULL);
    return operation;
}

// An argument as text; pictures are refused, as libvips would read them from files.
static inline int alcedo_vips_set(VipsOperation *operation, const char *name, const char *value) {
    GParamSpec *argument = g_object_class_find_property(G_OBJECT_GET_CLASS(operation), name);
    if (!argument || g_type_is_a(argument->value_type, VIPS_TYPE_OBJECT) ||
        g_type_is_a(argument->value_type, VIPS_TYPE_ARRAY_IMAGE)) {
        vips_error(name, "%s", "no argument that can be given as text");
        return -1;
    }
    return vips_object_set_argument_from_string(VIPS_OBJECT(operation), name, value);
}

// Runs the operation and lets it go.
static inline int alcedo_vips_run(VipsOperation *operation, VipsImage **out) {
    int status = vips_object_build(VIPS_OBJECT(operation));
    if (!status) g_object_get(operation, "out", out, NULL);
    vips_object_unref_outputs(VIPS_OBJECT(operation));
    g_object_unref(operation);
    return status;
}
#endif
