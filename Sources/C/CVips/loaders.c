// Loading by libvips' loaders, which are built in or in modules, and the conversion of their pictures to sRGB.
#define _GNU_SOURCE
#include "CVips.h"
#include "libvips.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <sys/mman.h>
#include <unistd.h>

static GMutex lock;

static GType loader_type(const char *loader) { return vips.type_find("VipsOperation", loader); }

// ImageMagick uses only these coders, even if a file or a configuration names others, and writes nothing.
static const char magick_policy[] =
    "<policymap><policy domain=\"delegate\" rights=\"none\" pattern=\"*\"/>"
    "<policy domain=\"filter\" rights=\"none\" pattern=\"*\"/>"
    "<policy domain=\"coder\" rights=\"none\" pattern=\"*\"/>"
    "<policy domain=\"coder\" rights=\"read\" pattern=\"{BMP,ICO,TGA,PSD,PCX,DDS,XBM,XPM,TIFF}\"/></policymap>";

// The module brings MagickCore with it; the functions are found there.
static void restrict_magick(void *module) {
    void (*start)(const char *, int) = (void (*)(const char *, int))dlsym(module, "MagickCoreGenesis");
    int (*set_policy)(const char *, void *) = (int (*)(const char *, void *))dlsym(module, "SetMagickSecurityPolicy");
    void *(*new_exception)(void) = (void *(*)(void))dlsym(module, "AcquireExceptionInfo");
    void *(*free_exception)(void *) = (void *(*)(void *))dlsym(module, "DestroyExceptionInfo");
    if (!start || !set_policy || !new_exception || !free_exception) return;
    start("alcedo", 0);
    void *exception = new_exception();
    set_policy(magick_policy, exception);
    free_exception(exception);
}

// Writes the path of a file or folder beside libvips. Returns 0 if it is longer than `path`.
static int beside_libvips(char path[PATH_MAX], const char *name) {
    Dl_info info;
    char library[PATH_MAX];
    if (!dladdr((void *)vips.init, &info) || !info.dli_fname || !realpath(info.dli_fname, library)) return 0;
    int length = snprintf(path, PATH_MAX, "%s/%s", dirname(library), name);
    return length > 0 && length < PATH_MAX;
}

// Modules are beside libvips, in a folder with its version: `vips-modules-8.14/vips-heif.so`.
static void *open_module(const char *name) {
    char file[64], path[PATH_MAX];
    snprintf(file, sizeof file, "vips-modules-%d.%d/vips-%s.so", vips.version(0), vips.version(1), name);
    return beside_libvips(path, file) ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
}

// In the .tar.xz, ImageMagick's coders are beside libvips, and not where ImageMagick looks for them.
static void find_coders(void) {
    char path[PATH_MAX];
    if (beside_libvips(path, "magick-coders") && !access(path, F_OK)) g_setenv("MAGICK_CODER_MODULE_PATH", path, TRUE);
}

static int load_module(const char *name) {
    if (!strcmp(name, "magick")) find_coders();
    void *module = open_module(name);
    if (!module) return -1;
    const char *(*start)(void *) = (const char *(*)(void *))dlsym(module, "g_module_check_init");
    if (!start) return -1;
    start(NULL);
    if (!strcmp(name, "magick")) restrict_magick(module);
    return 0;
}

int alcedo_vips_allow(const char *loader, const char *module) {
    g_mutex_lock(&lock);
    if (module && !loader_type(loader) && !load_module(module)) {
        // The module's classes are new: libvips blocked the untrusted ones before they existed.
        GType type = loader_type(loader);
        if (type) vips.operation_block_set(g_type_name(g_type_parent(type)), TRUE);
    }
    GType type = loader_type(loader);
    if (type) vips.operation_block_set(g_type_name(type), FALSE);
    g_mutex_unlock(&lock);
    return type ? 0 : -1;
}

static int given_file = -1;

void alcedo_vips_set_file(int descriptor) { given_file = descriptor; }

// Called when a picture is freed: its loader may open the path again as long as it exists.
static void close_file(gpointer file) { close(GPOINTER_TO_INT(file) - 1); }

// Returns a file in memory with the bytes, for loaders that open a path.
static int file_of(const void *bytes, size_t count) {
    if (given_file >= 0) return fcntl(given_file, F_DUPFD_CLOEXEC, 0);
    int file = memfd_create("picture", MFD_CLOEXEC);
    size_t written = 0;
    while (file >= 0 && written < count) {
        ssize_t step = write(file, (const char *)bytes + written, count - written);
        if (step < 0 && errno == EINTR) continue;
        if (step <= 0) {
            close(file);
            return -1;
        }
        written += step;
    }
    return file;
}

static int set_input(VipsOperation *operation, const void *bytes, size_t count, int file) {
    GObjectClass *class = G_OBJECT_GET_CLASS(operation);
    if (file >= 0) {
        char path[64];
        snprintf(path, sizeof path, "/proc/self/fd/%d", file);
        g_object_set(operation, "filename", path, NULL);
        return 0;
    }
    VipsBlob *blob = vips.blob_new(NULL, bytes, count);
    if (g_object_class_find_property(class, "buffer")) {
        g_object_set(operation, "buffer", blob, NULL);
        vips.area_unref((VipsArea *)blob);
        return 0;
    }
    VipsSource *source = vips.source_new_from_blob(blob);
    vips.area_unref((VipsArea *)blob);
    if (!source) return -1;
    g_object_set(operation, "source", source, NULL);
    g_object_unref(source);
    return 0;
}

static int set_options(VipsOperation *operation, const char *options) {
    char **list = g_strsplit(options, ",", -1);
    int status = 0;
    for (char **option = list; *option && !status; option++) {
        char *value = strchr(*option, '=');
        if (!value) continue;
        *value = 0;
        status = vips.object_set_argument_from_string((VipsObject *)operation, *option, value + 1);
    }
    g_strfreev(list);
    return status;
}

int alcedo_vips_load(const void *bytes, size_t count, const char *loader, int needsFile, const char *options,
                     VipsImage **out) {
    // A message about an earlier picture must not be taken for one about this picture.
    vips.error_clear();
    VipsOperation *operation = vips.operation_new(loader);
    if (!operation) return -1;
    int file = needsFile ? file_of(bytes, count) : -1;
    int status = needsFile && file < 0 ? -1 : set_input(operation, bytes, count, file) || set_options(operation, options);
    if (status) g_object_unref(operation);
    else status = alcedo_vips_run(operation, out);
    if (file < 0) return status;
    if (status) close(file);
    else g_object_set_data_full(G_OBJECT(*out), "alcedo-file", GINT_TO_POINTER(file + 1), close_file);
    return status;
}

// Replaces the picture by the result of a step; both are owned.
#define STEP(call)                                                                                                     \
    do {                                                                                                               \
        VipsImage *next = NULL;                                                                                        \
        int failed = (call);                                                                                           \
        g_object_unref(image);                                                                                         \
        if (failed) return -1;                                                                                         \
        image = next;                                                                                                  \
    } while (0)

// Converts the colours of linear light to sRGB; light brighter than white (1) is clipped.
static int linear_colors(VipsImage *in, VipsImage **out) {
    VipsImage *image = in;
    g_object_ref(image);
    if (vips.image_get_bands(image) < 3) {
        STEP(vips.extract_band(image, &next, 0, NULL));
        VipsImage *same[3] = {image, image, image};
        STEP(vips.bandjoin(same, &next, 3, NULL));
    } else {
        STEP(vips.extract_band(image, &next, 0, "n", 3, NULL));
    }
    STEP(vips.copy(image, &next, "interpretation", VIPS_INTERPRETATION_scRGB, NULL));
    STEP(vips.colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL));
    *out = image;
    return 0;
}

// Converts alpha: the loaders return it from 0 to 255, although colours are from 0 to 1.
static int linear_alpha(VipsImage *in, VipsImage **out) {
    VipsImage *image = NULL;
    if (vips.extract_band(in, &image, vips.image_get_bands(in) - 1, NULL)) return -1;
    STEP(vips.linear1(image, &next, 1, 0, "uchar", TRUE, NULL));
    *out = image;
    return 0;
}

// Releases `image`.
static int from_linear(VipsImage *image, int isPremultiplied, VipsImage **out) {
    int bands = vips.image_get_bands(image);
    if (isPremultiplied && bands == 4) STEP(vips.unpremultiply(image, &next, "max_alpha", 255.0, NULL));
    VipsImage *parts[2] = {NULL, NULL};
    int status = linear_colors(image, &parts[0]);
    if (!status && (bands == 2 || bands == 4)) {
        status = linear_alpha(image, &parts[1]) || vips.bandjoin(parts, out, 2, NULL);
    } else if (!status) {
        *out = g_object_ref(parts[0]);
    }
    for (int i = 0; i < 2; i++)
        if (parts[i]) g_object_unref(parts[i]);
    g_object_unref(image);
    return status;
}

// Returns the colour space of a picture's samples. For a file it follows from the number and size of the samples,
// unless the loader names a space other than grey or RGB; these two do not always fit the number of bands. After an
// operation the picture names its space, but one or two bands are always grey.
static VipsInterpretation interpretation(VipsImage *image, int isFile) {
    VipsInterpretation stated = vips.image_get_interpretation(image);
    if (!isFile) return vips.image_get_bands(image) < 3 ? VIPS_INTERPRETATION_B_W : stated;
    int isWide = vips.image_get_format(image) == VIPS_FORMAT_USHORT;
    if (stated == VIPS_INTERPRETATION_CMYK || stated == VIPS_INTERPRETATION_LAB || stated == VIPS_INTERPRETATION_XYZ ||
        stated == VIPS_INTERPRETATION_LABS)
        return stated;
    if (vips.image_get_bands(image) < 3) return isWide ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_B_W;
    return isWide ? VIPS_INTERPRETATION_RGB16 : VIPS_INTERPRETATION_sRGB;
}

int alcedo_vips_color(VipsImage *image, int *bits) {
    *bits = 8 * (int)vips.format_sizeof_unsafe(vips.image_get_format(image));
    // The samples of 10 and 12 bits of a HEIF file arrive in 16.
    if (vips.image_get_typeof(image, "heif-bitdepth")) vips.image_get_int(image, "heif-bitdepth", bits);
    switch (vips.image_get_interpretation(image)) {
    case VIPS_INTERPRETATION_CMYK: return 4;
    case VIPS_INTERPRETATION_LAB:
    case VIPS_INTERPRETATION_LABS: return 5;
    case VIPS_INTERPRETATION_XYZ: return 0;
    default: return vips.image_get_bands(image) < 3 ? 1 : 3;
    }
}

int alcedo_vips_profile(VipsImage *image, const void **bytes, size_t *count) {
    return vips.image_get_typeof(image, VIPS_META_ICC_NAME)
               ? vips.image_get_blob(image, VIPS_META_ICC_NAME, bytes, count)
               : -1;
}

static int has_tag(const unsigned char *profile, size_t count, const char *name) {
    size_t tags = count < 132 ? 0 : profile[130] << 8 | profile[131];
    for (size_t tag = 0; tag < tags && 132 + tag * 12 + 12 <= count; tag++)
        if (!memcmp(profile + 132 + tag * 12, name, 4)) return 1;
    return 0;
}

// The rendering intent for a picture's profile. One of tables may have no table for the relative intent; libvips then
// leaves the colours as they are, without an error. Source: ICC.1:2022, section 9.2 and table 25.
static VipsIntent supported_intent(VipsImage *image) {
    const void *profile = NULL;
    size_t count = 0;
    if (alcedo_vips_profile(image, &profile, &count) || has_tag(profile, count, "A2B1")) return VIPS_INTENT_RELATIVE;
    if (has_tag(profile, count, "A2B0")) return VIPS_INTENT_PERCEPTUAL;
    return has_tag(profile, count, "A2B2") ? VIPS_INTENT_SATURATION : VIPS_INTENT_RELATIVE;
}

// Joins the alpha of a picture, its last band, to its converted colours. libvips 8.14 converts the colours of 16 bits to
// 8, but not alpha.
static int with_alpha(VipsImage *image, VipsImage *colors, VipsImage **out) {
    VipsImage *alpha = NULL, *parts[2] = {colors, NULL};
    if (vips.extract_band(image, &alpha, vips.image_get_bands(image) - 1, NULL)) return -1;
    double factor = vips.image_get_format(image) == VIPS_FORMAT_USHORT ? 1 / 257.0 : 1;
    int status = vips.linear1(alpha, &parts[1], factor, factor < 1 ? 0.5 : 0, "uchar", TRUE, NULL) ||
                 vips.bandjoin(parts, out, 2, NULL);
    if (parts[1]) g_object_unref(parts[1]);
    g_object_unref(alpha);
    return status;
}

// Whether the profile is of grey, as libheif gives it with pictures of three bands. Source: ICC.1:2022, table 19.
static int has_grey_profile(VipsImage *image) {
    const void *profile = NULL;
    size_t count = 0;
    return !alcedo_vips_profile(image, &profile, &count) && count >= 20 &&
           !memcmp((const char *)profile + 16, "GRAY", 4);
}

// Returns the picture in sRGB by its colour profile; NULL if that does not fit its samples.
static VipsImage *profile_applied(VipsImage *image) {
    // Samples in Lab have their meaning without a profile.
    VipsInterpretation space = vips.image_get_interpretation(image);
    if (space == VIPS_INTERPRETATION_LAB || space == VIPS_INTERPRETATION_LABS) return NULL;
    int bands = vips.image_get_bands(image), isCMYK = space == VIPS_INTERPRETATION_CMYK;
    int count = isCMYK ? 4 : bands < 3 || has_grey_profile(image) ? 1 : 3;
    int hasAlpha = isCMYK ? bands == 5 : bands == 2 || bands == 4;
    VipsImage *colors = NULL, *named = NULL, *converted = NULL, *result = NULL;
    if (count == 1 && bands > 2)
        space = vips.image_get_format(image) == VIPS_FORMAT_USHORT ? VIPS_INTERPRETATION_GREY16
                                                                   : VIPS_INTERPRETATION_B_W;
    if (!vips.extract_band(image, &colors, 0, "n", count < bands ? count : bands, NULL) &&
        !vips.copy(colors, &named, "interpretation", space, NULL) &&
        !vips.icc_transform(named, &converted, "srgb", "embedded", TRUE, "intent", supported_intent(image), NULL)) {
        if (!hasAlpha) result = g_object_ref(converted);
        else if (with_alpha(image, converted, &result)) result = NULL;
    }
    if (!result) vips.error_clear();
    if (converted) g_object_unref(converted);
    if (named) g_object_unref(named);
    if (colors) g_object_unref(colors);
    return result;
}

// Converts inks without a profile as browsers do: each colour is what its ink and black let through.
static int from_inks(VipsImage *in, VipsImage **out) {
    double most = vips.image_get_format(in) == VIPS_FORMAT_USHORT ? 65535 : 255;
    VipsImage *image = NULL;
    if (vips.linear1(in, &image, -1, most, NULL)) return -1;
    VipsImage *colors = NULL, *black = NULL, *product = NULL;
    int status = vips.extract_band(image, &colors, 0, "n", 3, NULL) || vips.extract_band(image, &black, 3, NULL) ||
                 vips.multiply(colors, black, &product, NULL);
    g_object_unref(image);
    if (colors) g_object_unref(colors);
    if (black) g_object_unref(black);
    if (status) return -1;
    image = product;
    STEP(vips.linear1(image, &next, 255 / (most * most), 0.5, "uchar", TRUE, NULL));
    STEP(vips.copy(image, &next, "interpretation", VIPS_INTERPRETATION_sRGB, NULL));
    if (vips.image_get_bands(in) == 5) {
        VipsImage *joined = NULL;
        status = with_alpha(in, image, &joined);
        g_object_unref(image);
        if (status) return -1;
        image = joined;
    }
    *out = image;
    return 0;
}

// Colours of Lab, which in files is relative to D50, as in profiles; libvips takes it for D65.
static int lab_colors(VipsImage *in, VipsArrayDouble *white, VipsImage *toD65, VipsImage **out) {
    VipsImage *image = NULL;
    int isPacked = vips.image_get_coding(in) == VIPS_CODING_LABQ;
    int status = isPacked ? vips.LabQ2Lab(in, &image, NULL) : vips.colourspace(in, &image, VIPS_INTERPRETATION_LAB, NULL);
    if (status) return -1;
    STEP(vips.extract_band(image, &next, 0, "n", 3, NULL));
    STEP(vips.Lab2XYZ(image, &next, "temp", white, NULL));
    STEP(vips.recomb(image, &next, toD65, NULL));
    STEP(vips.copy(image, &next, "interpretation", VIPS_INTERPRETATION_XYZ, NULL));
    STEP(vips.colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL));
    *out = image;
    return 0;
}

// Source of the matrix: the transformation of Bradford.
static int from_lab(VipsImage *in, VipsImage **out) {
    static const double d50[] = {VIPS_D50_X0, VIPS_D50_Y0, VIPS_D50_Z0};
    static const double bradford[] = {0.9555766,  -0.0230393, 0.0631636, -0.0282895, 1.0099416,
                                      0.0210077, 0.0122982,  -0.0204830, 1.3299098};
    VipsArrayDouble *white = vips.array_double_new(d50, 3);
    VipsImage *toD65 = vips.image_new_matrix_from_array(3, 3, bradford, 9), *colors = NULL;
    int status = toD65 ? lab_colors(in, white, toD65, &colors) : -1;
    int hasAlpha = vips.image_get_bands(in) == 4 && vips.image_get_coding(in) == VIPS_CODING_NONE;
    if (!status && hasAlpha) status = with_alpha(in, colors, out);
    else *out = colors ? g_object_ref(colors) : NULL;
    if (colors) g_object_unref(colors);
    if (toD65) g_object_unref(toD65);
    vips.area_unref((VipsArea *)white);
    return status;
}

int alcedo_vips_from_halves(VipsImage *in, VipsImage **out) {
    enum { count = 1 << 16 };
    float *values = malloc(count * sizeof *values);
    if (!values) return -1;
    for (int bits = 0; bits < count; bits++) {
        int exponent = bits >> 10 & 31, fraction = bits & 1023;
        float value = exponent ? ldexpf(1024 + fraction, exponent - 25) : ldexpf(fraction, -24);
        if (exponent == 31) value = fraction ? NAN : INFINITY;
        values[bits] = bits >> 15 ? -value : value;
    }
    VipsImage *table = vips.image_new_from_memory_copy(values, count * sizeof *values, count, 1, 1, VIPS_FORMAT_FLOAT);
    free(values);
    int status = table ? vips.maplut(in, out, table, NULL) : -1;
    if (table) g_object_unref(table);
    return status;
}

int alcedo_vips_fractions_to_wide(VipsImage *in, VipsImage **out) {
    if (!vips.band_format_isfloat(vips.image_get_format(in))) return vips.copy(in, out, NULL);
    VipsImage *image = NULL;
    if (vips.linear1(in, &image, 65535, 0.5, NULL)) return -1;
    int status = vips.cast(image, out, VIPS_FORMAT_USHORT, NULL);
    g_object_unref(image);
    return status;
}

// Reads left, top, right and bottom of a window in the header. Source: OpenEXR's file layout.
static int read_window(const void *bytes, size_t count, const char *name, int32_t window[4]) {
    char mark[32];
    size_t length = strlen(name) + 7, searched = count < 1 << 16 ? count : 1 << 16;
    snprintf(mark, sizeof mark, "%s%cbox2i", name, 0);
    const char *place = memmem(bytes, searched, mark, length);
    if (!place || (size_t)((const char *)bytes + count - place) < length + 20) return -1;
    memcpy(window, place + length + 4, 16);
    return 0;
}

int alcedo_vips_in_display_window(VipsImage *in, const void *bytes, size_t count, VipsImage **out) {
    int32_t data[4], display[4];
    if (read_window(bytes, count, "dataWindow", data) || read_window(bytes, count, "displayWindow", display) ||
        !memcmp(data, display, sizeof data))
        return vips.copy(in, out, NULL);
    int64_t width = (int64_t)display[2] - display[0] + 1, height = (int64_t)display[3] - display[1] + 1;
    int64_t left = (int64_t)data[0] - display[0], top = (int64_t)data[1] - display[1];
    if (width < 1 || height < 1 || width > VIPS_MAX_COORD || height > VIPS_MAX_COORD || llabs(left) > VIPS_MAX_COORD ||
        llabs(top) > VIPS_MAX_COORD) {
        vips.error("openexr", "%s", "its display window is invalid");
        return -1;
    }
    return vips.embed(in, out, (int)left, (int)top, (int)width, (int)height, NULL);
}

int alcedo_vips_first_bands(VipsImage *in, int count, VipsImage **out) {
    if (count < vips.image_get_bands(in)) return vips.extract_band(in, out, 0, "n", count, NULL);
    *out = g_object_ref(in);
    return 0;
}

static int scale(VipsImage *in, double low, double high, VipsImage **out) {
    double factor = high > low ? 255 / (high - low) : 0;
    // The conversion to integers drops the fraction.
    return vips.linear1(in, out, factor, 0.5 - low * factor, "uchar", TRUE, NULL);
}

// The range of the type of samples; of fractions 0 to 1.
static void type_range(VipsBandFormat format, double *low, double *high) {
    *low = 0;
    switch (format) {
    case VIPS_FORMAT_SHORT: *high = 32767; break;
    case VIPS_FORMAT_INT: *high = 2147483647; break;
    case VIPS_FORMAT_UINT: *high = 4294967295.0; break;
    default: *high = 1;
    }
}

int alcedo_vips_scale_samples(VipsImage *in, int colors, double low, double high, VipsImage **out) {
    int bands = vips.image_get_bands(in);
    if (colors >= bands) return scale(in, low, high, out);
    VipsImage *parts[2] = {NULL, NULL}, *scaled[2] = {NULL, NULL};
    double bottom, top;
    type_range(vips.image_get_format(in), &bottom, &top);
    int status = vips.extract_band(in, &parts[0], 0, "n", colors, NULL) ||
                 vips.extract_band(in, &parts[1], colors, "n", bands - colors, NULL) ||
                 scale(parts[0], low, high, &scaled[0]) || scale(parts[1], bottom, top, &scaled[1]) ||
                 vips.bandjoin(scaled, out, 2, NULL);
    for (int index = 0; index < 2; index++) {
        if (parts[index]) g_object_unref(parts[index]);
        if (scaled[index]) g_object_unref(scaled[index]);
    }
    return status;
}

int alcedo_vips_to_rgba(VipsImage *in, int isFile, int isPremultiplied, int usesProfile, int hasOrientation,
                        VipsImage **out) {
    VipsImage *image = in;
    g_object_ref(image);
    if (vips.image_get_coding(image) == VIPS_CODING_RAD) STEP(vips.rad2float(image, &next, NULL));
    // Writers that call 8-bit samples signed mean unsigned ones, and every other viewer shows them so.
    if (vips.image_get_format(image) == VIPS_FORMAT_CHAR)
        STEP(vips.copy(image, &next, "format", VIPS_FORMAT_UCHAR, NULL));
    if (isFile && vips.band_format_isfloat(vips.image_get_format(image)) &&
        vips.image_get_interpretation(image) != VIPS_INTERPRETATION_LAB &&
        vips.image_get_interpretation(image) != VIPS_INTERPRETATION_XYZ) {
        VipsImage *converted;
        if (from_linear(image, isPremultiplied, &converted)) return -1;
        image = converted;
    } else {
        STEP(vips.copy(image, &next, "interpretation", interpretation(image, isFile), NULL));
        if (usesProfile && vips.image_get_typeof(image, VIPS_META_ICC_NAME)) {
            VipsImage *converted = profile_applied(image);
            // A profile that does not fit the samples is ignored.
            if (converted) {
                g_object_unref(image);
                image = converted;
            }
        }
        if (vips.image_get_interpretation(image) == VIPS_INTERPRETATION_CMYK && vips.image_get_bands(image) >= 4)
            STEP(from_inks(image, &next));
        VipsInterpretation space = vips.image_get_interpretation(image);
        if (space == VIPS_INTERPRETATION_LAB || space == VIPS_INTERPRETATION_LABS) STEP(from_lab(image, &next));
        if (vips.image_get_interpretation(image) != VIPS_INTERPRETATION_sRGB)
            STEP(vips.colourspace(image, &next, VIPS_INTERPRETATION_sRGB, NULL));
    }
    if (vips.image_get_format(image) != VIPS_FORMAT_UCHAR) STEP(vips.cast_uchar(image, &next, NULL));
    if (vips.image_get_bands(image) > 4) STEP(vips.extract_band(image, &next, 0, "n", 4, NULL));
    if (vips.image_get_bands(image) == 3) STEP(vips.addalpha(image, &next, NULL));
    STEP(vips.copy(image, &next, NULL));
    // Loaders that rotate the picture themselves do not remove its EXIF orientation.
    if (!hasOrientation) vips.image_remove(image, VIPS_META_ORIENTATION);
    *out = image;
    return 0;
}
