// libvips for Swift, which cannot call variadic functions: one function for each call that the project makes. All
// return 0, or -1 with a message for `alcedo_vips_take_error`, unless stated otherwise. Call none of them before a
// successful start, except the start itself.
#ifndef ALCEDO_CVIPS_H
#define ALCEDO_CVIPS_H
#include <stddef.h>

typedef struct _VipsImage VipsImage;
typedef struct _VipsOperation VipsOperation;

// Loads and starts libvips with one thread per picture (pictures are decoded concurrently) and without its operation
// cache (the program has its own caches). Blocks every loader that libvips itself does not trust, as a second layer
// below our list of allowed loaders. Loaders in modules (Magick, poppler, openslide, HEIF, JXL) are not loaded: libvips
// searches them in a folder that does not exist, which saves 30 to 80 ms and reduces the attack surface.
int alcedo_vips_start(void);

// Makes malloc map blocks of this size and more one by one, and unmap them when they are freed; needs no start.
void alcedo_map_blocks_from(int bytes);

// The message of the last failure, to be freed with `alcedo_vips_free`, or NULL; clears it.
char *alcedo_vips_take_error(void);
void alcedo_vips_free(void *memory);
void alcedo_vips_unref(void *object);

// Facts of a picture.
int alcedo_vips_width(VipsImage *image);
int alcedo_vips_height(VipsImage *image);
int alcedo_vips_bands(VipsImage *image);
int alcedo_vips_pages(VipsImage *image);
int alcedo_vips_is_lying(VipsImage *image);
int alcedo_vips_loop(VipsImage *image, int *count);
int alcedo_vips_delays(VipsImage *image, int **delays, int *count);

// Returns a frame of a picture whose frames lie one below the other; they are to be read from the top down.
int alcedo_vips_frame(VipsImage *frames, int index, VipsImage **out);

// Opening. `alcedo_vips_allow` unblocks one loader by its name and loads the module that has it, if a module is named;
// -1 when libvips has no such loader here. ImageMagick is allowed the coders of our formats only; it selects one by the
// signature of the bytes. `alcedo_vips_load` gives the loader the bytes, or the path of a file in memory if it opens
// nothing else. Options: `name=value,name=value`. The bytes must outlive the picture.
int alcedo_vips_allow(const char *loader, const char *module);
// Sets the file in memory that has the bytes of the next pictures, for a process that may not create one; -1 for none.
void alcedo_vips_set_file(int descriptor);
int alcedo_vips_load(const void *bytes, size_t count, const char *loader, int needsFile, const char *options,
                     VipsImage **out);
// Returns the colour profile, which belongs to the picture; -1 if there is none.
int alcedo_vips_profile(VipsImage *image, const void **bytes, size_t *count);
// The colour model, 1 grey, 3 RGB, 4 CMYK, 5 Lab, 0 another, and the bits of a sample.
int alcedo_vips_color(VipsImage *image, int *bits);
// Any samples to sRGB with four bands of eight bits, by the picture's own colour profile. Floating-point samples of a
// file are linear light; what is brighter than white is clipped. A profile that does not fit is ignored.
int alcedo_vips_to_rgba(VipsImage *in, int isFile, int isPremultiplied, int usesProfile, int hasOrientation,
                        VipsImage **out);

// The samples of a picture: plain ones of 8 or 16 bits without a sign, or of Lab and XYZ, whose values have a meaning;
// other integers; fractions.
enum { alcedo_samples_plain, alcedo_samples_integers, alcedo_samples_fractions };
int alcedo_vips_samples(VipsImage *image);
// The smallest and the largest finite sample of the first `colors` bands; low is above high if there is none. Unless
// the picture must be whole, the rows before the first that fails are enough. A sequential picture cannot be read again.
int alcedo_vips_range(VipsImage *image, int colors, int isWhole, double *low, double *high);
// To samples of eight bits: of the first `colors` bands low becomes 0 and high 255, the others have the range of their
// type.
int alcedo_vips_scale_samples(VipsImage *in, int colors, double low, double high, VipsImage **out);
// Samples of 16 bits for fractions from 0 to 1; a copy of other pictures.
int alcedo_vips_fractions_to_wide(VipsImage *in, VipsImage **out);
// Samples of 16 bits as the fractions of IEEE 754 that their bits are.
int alcedo_vips_from_halves(VipsImage *in, VipsImage **out);
// The data window of an OpenEXR file in its display window: cut at its edges, transparent beside the data.
int alcedo_vips_in_display_window(VipsImage *in, const void *bytes, size_t count, VipsImage **out);
// The first bands of a picture.
int alcedo_vips_first_bands(VipsImage *in, int count, VipsImage **out);

// A picture in sRGB of pixels of four eight-bit bands: of a copy of them, or of bytes that outlive it.
int alcedo_vips_from_bytes(const void *bytes, size_t count, int width, int height, int copies, VipsImage **out);
// Pixels of four eight-bit bands as colours of a profile, which may be NULL; with black, as inks of which 0 is full.
int alcedo_vips_in_profile(VipsImage *in, const unsigned char *black, const void *profile, size_t count, VipsImage **out);
// Evaluates the rows of a picture of four bands of eight bits from the top down. Unless it must be whole, the rows
// before the first that fails are enough.
int alcedo_vips_rows(VipsImage *image, int isWhole, void *pixels);

// From picture to picture.
int alcedo_vips_upright(VipsImage *in, VipsImage **out);
int alcedo_vips_resize(VipsImage *in, VipsImage **out, int width, int height);

// Frames that stand one below the other: the height and the milliseconds of each, and the plays (0: endless).
void alcedo_vips_set_frames(VipsImage *image, int height, const int *delays, int count, int plays);
// A file in memory, to be freed with `alcedo_vips_free`. The suffix names its format and options: `.jpg[strip,Q=85]`.
int alcedo_vips_save(VipsImage *in, const char *suffix, void **bytes, size_t *count);

// Operations by name; NULL for those that do not make a picture from a picture.
VipsOperation *alcedo_vips_operation(const char *name, VipsImage *in);
int alcedo_vips_set(VipsOperation *operation, const char *name, const char *value);
int alcedo_vips_run(VipsOperation *operation, VipsImage **out);
#endif
