// Raw files of cameras, developed by LibRaw: https://www.libraw.org/docs/API-C.html
#include "frames.h"
#include <errno.h>
#include <stdlib.h>

// Only functions whose form is the same in LibRaw 0.20 to 0.22 are used, so its header is not needed.
typedef struct libraw libraw;

typedef struct {
    int type;
    unsigned short height, width, colors, bits;
    unsigned size;
    unsigned char data[];
} libraw_picture;

// The flag `quiet` keeps LibRaw from writing to the standard error.
enum {
    quiet = 2,
    libraw_bitmap = 2,
    libraw_unsupported = -2,
    libraw_no_memory = -100007,
    libraw_cut = -100009,
    libraw_too_big = -100012,
    libraw_pool_is_full = -100013
};

static struct {
    libraw *(*libraw_init)(unsigned flags);
    void (*libraw_close)(libraw *);
    int (*libraw_open_buffer)(libraw *, const void *bytes, size_t count);
    int (*libraw_adjust_sizes_info_only)(libraw *);
    int (*libraw_get_iwidth)(libraw *), (*libraw_get_iheight)(libraw *);
    float (*libraw_get_cam_mul)(libraw *, int color);
    void (*libraw_set_user_mul)(libraw *, int color, float factor);
    void (*libraw_set_gamma)(libraw *, int index, float value);
    void (*libraw_set_demosaic)(libraw *, int method);
    int (*libraw_unpack)(libraw *);
    int (*libraw_dcraw_process)(libraw *);
    libraw_picture *(*libraw_dcraw_make_mem_image)(libraw *, int *error);
    void (*libraw_dcraw_clear_mem)(libraw_picture *);
} table;

#define FIND(name) if (!(table.name = (__typeof__(table.name))dlsym(library, #name))) return 0;

static int load(void) {
    // Debian 12, 13 and later ones.
    static const char *const names[] = {"libraw.so.20", "libraw.so.23", "libraw.so.24", "libraw.so.25"};
    void *library = NULL;
    // A helper decodes one picture on one thread.
    setenv("OMP_NUM_THREADS", "1", 0);
    for (size_t index = 0; !library && index < sizeof names / sizeof *names; index++)
        library = dlopen(names[index], RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    FIND(libraw_init)
    FIND(libraw_close)
    FIND(libraw_open_buffer)
    FIND(libraw_adjust_sizes_info_only)
    FIND(libraw_get_iwidth)
    FIND(libraw_get_iheight)
    FIND(libraw_get_cam_mul)
    FIND(libraw_set_user_mul)
    FIND(libraw_set_gamma)
    FIND(libraw_set_demosaic)
    FIND(libraw_unpack)
    FIND(libraw_dcraw_process)
    FIND(libraw_dcraw_make_mem_image)
    FIND(libraw_dcraw_clear_mem)
    return 1;
}

ALCEDO_LOAD_ONCE(alcedo_raw_load)

typedef struct {
    alcedo_frames base;
    const void *bytes;
    size_t count;
    int width, height;
} raw_file;

static int reason(int error) {
    switch (error) {
    // An error of the system has its positive number.
    case ENOMEM:
    case libraw_no_memory:
    case libraw_too_big:
    case libraw_pool_is_full: return alcedo_frames_no_memory;
    case libraw_cut: return alcedo_frames_cut;
    case libraw_unsupported: return alcedo_frames_unsupported;
    default: return alcedo_frames_damaged;
    }
}

static int32_t delay(alcedo_frames *frames, int32_t index) { return 0; }

// Copies a developed picture, which is upright.
static int copy(const raw_file *file, const libraw_picture *picture, uint8_t *pixels) {
    size_t area = (size_t)file->width * file->height, colors = picture->colors;
    if (picture->type != libraw_bitmap || picture->bits != 8 || (colors != 1 && colors != 3) ||
        picture->width != file->width || picture->height != file->height || picture->size < area * colors)
        return alcedo_frames_unsupported;
    for (size_t index = 0; index < area; index++) {
        const unsigned char *sample = picture->data + index * colors;
        for (size_t color = 0; color < 3; color++) pixels[index * 4 + color] = sample[color % colors];
        pixels[index * 4 + 3] = 255;
    }
    return 0;
}

static int read_frame(alcedo_frames *frames, int32_t index, uint8_t *pixels) {
    raw_file *file = (raw_file *)frames;
    libraw *raw = table.libraw_init(quiet);
    if (!raw) return alcedo_frames_no_memory;
    // The curve of sRGB, the white balance of the camera, and PPG, which is four times as fast as the default, AHD.
    table.libraw_set_gamma(raw, 0, 1 / 2.4f);
    table.libraw_set_gamma(raw, 1, 12.92f);
    table.libraw_set_demosaic(raw, 2);
    int error = table.libraw_open_buffer(raw, file->bytes, file->count);
    if (!error) {
        int isKnown = 1;
        for (int color = 0; color < 3; color++) isKnown = isKnown && table.libraw_get_cam_mul(raw, color) > 0;
        for (int color = 0; isKnown && color < 4; color++)
            table.libraw_set_user_mul(raw, color, table.libraw_get_cam_mul(raw, color));
        error = table.libraw_unpack(raw);
    }
    if (!error) error = table.libraw_dcraw_process(raw);
    libraw_picture *picture = error ? NULL : table.libraw_dcraw_make_mem_image(raw, &error);
    int result = picture ? copy(file, picture, pixels) : reason(error);
    if (picture) table.libraw_dcraw_clear_mem(picture);
    table.libraw_close(raw);
    return result;
}

static void close_file(alcedo_frames *frames) { free(frames); }

alcedo_frames *alcedo_raw_open(const void *bytes, size_t count, alcedo_frames_info *info, int *failure) {
    raw_file *file = calloc(1, sizeof *file);
    libraw *raw = file ? table.libraw_init(quiet) : NULL;
    int error = raw ? table.libraw_open_buffer(raw, bytes, count) : libraw_no_memory;
    if (!error) error = table.libraw_adjust_sizes_info_only(raw);
    if (!error) {
        *file = (raw_file){{delay, read_frame, close_file}, bytes, count};
        info->width = file->width = table.libraw_get_iwidth(raw);
        info->height = file->height = table.libraw_get_iheight(raw);
        info->primaries = info->transfer = 2;
    }
    *failure = error ? reason(error) : 0;
    if (raw) table.libraw_close(raw);
    if (error) free(file);
    return error ? NULL : &file->base;
}
