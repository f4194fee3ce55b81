// libvips' functions by their names without `vips_`: `vips.init("…")`. They are called through a table instead of being
// linked, so that libvips and its hundred libraries are loaded only when a picture needs them. A call of a function
// that is not listed here is a linker error.
#ifndef ALCEDO_LIBVIPS_H
#define ALCEDO_LIBVIPS_H
// With DEBUG, libvips' macros call checks that are not in the table.
#undef DEBUG
#include <vips/vips.h>

#define ALCEDO_VIPS_FUNCTIONS(USE)                                                                                     \
    USE(Lab2XYZ)                                                                                                       \
    USE(LabQ2Lab)                                                                                                      \
    USE(addalpha)                                                                                                      \
    USE(area_unref)                                                                                                    \
    USE(array_double_new)                                                                                              \
    USE(array_image_get_type)                                                                                          \
    USE(autorot)                                                                                                       \
    USE(band_format_isfloat)                                                                                           \
    USE(bandjoin)                                                                                                      \
    USE(blob_new)                                                                                                      \
    USE(block_untrusted_set)                                                                                           \
    USE(cache_set_max)                                                                                                 \
    USE(cast)                                                                                                          \
    USE(cast_uchar)                                                                                                    \
    USE(colourspace)                                                                                                   \
    USE(concurrency_set)                                                                                               \
    USE(copy)                                                                                                          \
    USE(embed)                                                                                                         \
    USE(error)                                                                                                         \
    USE(error_buffer_copy)                                                                                             \
    USE(error_clear)                                                                                                   \
    USE(extract_band)                                                                                                  \
    USE(foreign_get_type)                                                                                              \
    USE(format_sizeof_unsafe)                                                                                          \
    USE(icc_transform)                                                                                                 \
    USE(image_copy_memory)                                                                                             \
    USE(image_get_array_int)                                                                                           \
    USE(image_get_bands)                                                                                               \
    USE(image_get_blob)                                                                                                \
    USE(image_get_coding)                                                                                              \
    USE(image_get_format)                                                                                              \
    USE(image_get_height)                                                                                              \
    USE(image_get_int)                                                                                                 \
    USE(image_get_interpretation)                                                                                      \
    USE(image_get_n_pages)                                                                                             \
    USE(image_get_orientation)                                                                                         \
    USE(image_get_orientation_swap)                                                                                    \
    USE(image_get_page_height)                                                                                         \
    USE(image_get_type)                                                                                                \
    USE(image_get_typeof)                                                                                              \
    USE(image_get_width)                                                                                               \
    USE(image_new_from_memory)                                                                                         \
    USE(image_new_from_memory_copy)                                                                                    \
    USE(image_new_matrix_from_array)                                                                                   \
    USE(image_new_memory)                                                                                              \
    USE(image_pipelinev)                                                                                               \
    USE(image_remove)                                                                                                  \
    USE(image_set_array_int)                                                                                           \
    USE(image_set_blob_copy)                                                                                           \
    USE(image_set_int)                                                                                                 \
    USE(image_write_prepare)                                                                                           \
    USE(image_write_to_buffer)                                                                                         \
    USE(init)                                                                                                          \
    USE(linear1)                                                                                                       \
    USE(maplut)                                                                                                        \
    USE(multiply)                                                                                                      \
    USE(object_build)                                                                                                  \
    USE(object_get_type)                                                                                               \
    USE(object_set_argument_from_string)                                                                               \
    USE(object_unref_outputs)                                                                                          \
    USE(operation_block_set)                                                                                           \
    USE(operation_get_flags)                                                                                           \
    USE(operation_new)                                                                                                 \
    USE(rad2float)                                                                                                     \
    USE(recomb)                                                                                                        \
    USE(region_new)                                                                                                    \
    USE(region_prepare)                                                                                                \
    USE(source_new_from_blob)                                                                                          \
    USE(thumbnail_image)                                                                                               \
    USE(type_find)                                                                                                     \
    USE(unpremultiply)                                                                                                 \
    USE(version)

#define ALCEDO_VIPS_FIELD(name) __typeof__(vips_##name) *name;
typedef struct {
    ALCEDO_VIPS_FUNCTIONS(ALCEDO_VIPS_FIELD)
} AlcedoVipsFunctions;

// Filled by `alcedo_vips_start`.
extern AlcedoVipsFunctions vips;

// Called by VIPS_IMAGE_ADDR and VIPS_REGION_ADDR.
#define vips_format_sizeof_unsafe vips.format_sizeof_unsafe
#endif
