// libvips for Swift, which can call no variadic function: one function for each call the project makes. All return 0,
// or -1 with a message for `alcedo_vips_take_error`, unless said otherwise. None but the start may be called before a
// successful start.
#ifndef ALCEDO_CVIPS_H
#define ALCEDO_CVIPS_H
#include <stddef.h>

typedef struct _VipsImage VipsImage;
typedef struct _VipsOperation VipsOperation;

// Loads and starts libvips: one thread a picture (pictures are decoded side by side), no cache of operations (ours are
// the caches), and every loader blocked that libvips itself does not trust, as a second layer under our allow-list.
// Loaders that live in modules (Magick, poppler, openslide, HEIF, JXL) are not even read: looking for them in a place
// that does not exist saves 30 to 80 ms and their attack surface.
int alcedo_vips_start(void);

// Blocks of this size and more are mapped one by one, and unmapped when they are freed; needs no start.
void alcedo_map_blocks_from(int bytes);

// The message of the last failure, to be freed with `alcedo_vips_free`, or NULL; clears it.
char *alcedo_vips_take_error(void);
void alcedo_vips_clear_error(void);
void alcedo_vips_free(void *memory);
void alcedo_vips_unref(void *object);

// Facts of a picture.
int alcedo_vips_width(VipsImage *image);
int alcedo_vips_height(VipsImage *image);
int alcedo_vips_bands(VipsImage *image);
int alcedo_vips_pages(VipsImage *image);
int alcedo_vips_orientation(VipsImage *image);
int alcedo_vips_is_lying(VipsImage *image);
int alcedo_vips_is_srgb(VipsImage *image);
int alcedo_vips_is_eight_bit(VipsImage *image);
int alcedo_vips_has_profile(VipsImage *image);
int alcedo_vips_loop(VipsImage *image, int *count);
int alcedo_vips_delays(VipsImage *image, int **delays, int *count);

// Opening. With `strictness` 0, a file that is cut off or damaged is decoded as far as possible; otherwise it is an
// error, for a JPEG each warning too.
int alcedo_vips_load_jpeg(const void *bytes, size_t count, int shrink, int strictness, VipsImage **out);
int alcedo_vips_load_png(const void *bytes, size_t count, int strictness, VipsImage **out);
int alcedo_vips_load_gif(const void *bytes, size_t count, int page, VipsImage **out);
int alcedo_vips_load_webp(const void *bytes, size_t count, double scale, VipsImage **out);
// All frames, one below the other, to be read from the top down. The picture owns a copy of the bytes.
int alcedo_vips_load_webp_frames(const void *bytes, size_t count, VipsImage **out);
int alcedo_vips_frame(VipsImage *frames, int index, VipsImage **out);

// Formats beside those four. `alcedo_vips_allow` unblocks one loader by its name and loads the module that has it, if a
// module is named; -1 when libvips has no such loader here. ImageMagick is allowed the coders of our formats only; it
// selects one by the signature of the bytes. `alcedo_vips_load` gives the loader the bytes, or the path of a file in
// memory if it opens nothing else. Options: `name=value,name=value`. The bytes must outlive the picture.
int alcedo_vips_allow(const char *loader, const char *module);
int alcedo_vips_load(const void *bytes, size_t count, const char *loader, int needsFile, const char *options,
                     VipsImage **out);
// The colour profile, which belongs to the picture; -1 without one.
int alcedo_vips_profile(VipsImage *image, const void **bytes, size_t *count);
// The colour model, 1 grey, 3 RGB, 4 CMYK, 5 Lab, 0 another, and the bits of a sample.
int alcedo_vips_color(VipsImage *image, int *bits);
// Any samples to sRGB with four bands of eight bits, by the picture's own colour profile. Floating-point samples are
// linear light; what is brighter than white is clipped.
int alcedo_vips_to_rgba(VipsImage *in, int isPremultiplied, int usesProfile, int hasOrientation, VipsImage **out);

// Pixels of four eight-bit bands: a copy of some, a view of some that outlive it, and a picture's own, evaluated.
int alcedo_vips_from_bytes(const void *bytes, size_t count, int width, int height, VipsImage **out);
VipsImage *alcedo_vips_over_bytes(const void *bytes, size_t count, int width, int height);
// Evaluates the rows of a picture of four bands of eight bits, from the top until one fails; returns their number.
int alcedo_vips_rows(VipsImage *image, void *pixels);
void *alcedo_vips_to_memory(VipsImage *image, size_t *count);

// From picture to picture.
int alcedo_vips_upright(VipsImage *in, VipsImage **out);
int alcedo_vips_profile_to_srgb(VipsImage *in, VipsImage **out);
int alcedo_vips_resize(VipsImage *in, VipsImage **out, int width, int height);
int alcedo_vips_to_srgb(VipsImage *in, VipsImage **out);
int alcedo_vips_to_bytes(VipsImage *in, VipsImage **out);
int alcedo_vips_add_alpha(VipsImage *in, VipsImage **out);
int alcedo_vips_mark_srgb(VipsImage *in, VipsImage **out);
int alcedo_vips_mark_grey(VipsImage *in, VipsImage **out);
int alcedo_vips_copy(VipsImage *in, VipsImage **out);

// Files in memory, to be freed with `alcedo_vips_free`.
int alcedo_vips_save_png(VipsImage *in, void **bytes, size_t *count);
int alcedo_vips_save_jpeg(VipsImage *in, void **bytes, size_t *count, int quality);
int alcedo_vips_save_progressive_jpeg(VipsImage *in, void **bytes, size_t *count);
int alcedo_vips_save_webp(VipsImage *in, void **bytes, size_t *count, int quality);
int alcedo_vips_save_webp_lossless(VipsImage *in, void **bytes, size_t *count);
int alcedo_vips_save_gif(VipsImage *in, void **bytes, size_t *count);

// Operations by name; NULL for those that do not make a picture from a picture.
VipsOperation *alcedo_vips_operation(const char *name, VipsImage *in);
int alcedo_vips_set(VipsOperation *operation, const char *name, const char *value);
int alcedo_vips_run(VipsOperation *operation, VipsImage **out);
#endif
