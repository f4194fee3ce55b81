// Animated JPEG XL, and that with spot colours, by libjxl: https://libjxl.readthedocs.io/en/latest/api_decoder.html
#include "frames.h"
#include <jxl/decode.h>
#include <stdlib.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(JxlDecoderCreate)                                                                                              \
    USE(JxlDecoderDestroy)                                                                                             \
    USE(JxlDecoderRewind)                                                                                              \
    USE(JxlDecoderSkipFrames)                                                                                          \
    USE(JxlDecoderSubscribeEvents)                                                                                     \
    USE(JxlDecoderSetInput)                                                                                            \
    USE(JxlDecoderProcessInput)                                                                                        \
    USE(JxlDecoderGetBasicInfo)                                                                                        \
    USE(JxlDecoderGetFrameHeader)                                                                                      \
    USE(JxlDecoderSetPreferredColorProfile)                                                                            \
    USE(JxlDecoderSetUnpremultiplyAlpha)                                                                               \
    USE(JxlDecoderSetImageOutBuffer)                                                                                   \
    USE(JxlDecoderGetExtraChannelInfo)                                                                                 \
    USE(JxlDecoderSetExtraChannelBuffer)                                                                               \
    USE(JxlDecoderGetICCProfileSize)                                                                                   \
    USE(JxlDecoderGetColorAsICCProfile)

static struct { FUNCTIONS(ALCEDO_DECLARE) } table;

static int load(void) {
    void *library = dlopen("libjxl.so." ALCEDO_TEXT(JPEGXL_MAJOR_VERSION) "." ALCEDO_TEXT(JPEGXL_MINOR_VERSION),
                           RTLD_LAZY | RTLD_LOCAL);
    if (!library) return 0;
    FUNCTIONS(ALCEDO_FIND)
    return 1;
}

ALCEDO_LOAD_ONCE(alcedo_jxl_load)

typedef struct {
    alcedo_frames base;
    JxlDecoder *decoder;
    const void *bytes;
    size_t count;
    JxlBasicInfo info;
    int32_t *delays;
    int32_t frames, next, is_cut, extra_channels;
    int64_t pixels;
    uint8_t *profile, *black;
    size_t profile_count;
} jxl_file;

static void start(jxl_file *file, int events) {
    table.JxlDecoderRewind(file->decoder);
    table.JxlDecoderSubscribeEvents(file->decoder, events);
    table.JxlDecoderSetInput(file->decoder, file->bytes, file->count);
    file->next = 0;
}

static int32_t delay(alcedo_frames *frames, int32_t index) { return ((jxl_file *)frames)->delays[index]; }

// Reads the colour profile, if there is one; 0, or the reason for a failure.
static int read_profile(jxl_file *file) {
    const JxlColorProfileTarget target = JXL_COLOR_PROFILE_TARGET_DATA;
    free(file->profile);
    file->profile = NULL;
    if (table.JxlDecoderGetICCProfileSize(file->decoder, NULL, target, &file->profile_count)) return 0;
    file->profile = malloc(file->profile_count);
    if (!file->profile) return alcedo_frames_no_memory;
    if (table.JxlDecoderGetColorAsICCProfile(file->decoder, NULL, target, file->profile, file->profile_count)) {
        free(file->profile);
        file->profile = NULL;
    }
    return 0;
}

// Has the black ink decoded, if there is one; 0, or the reason for a failure.
static int set_black(jxl_file *file, const JxlPixelFormat *format) {
    size_t bytes = (size_t)file->info.xsize * file->info.ysize;
    for (uint32_t index = 0; index < file->info.num_extra_channels; index++) {
        JxlExtraChannelInfo channel;
        if (table.JxlDecoderGetExtraChannelInfo(file->decoder, index, &channel)) return alcedo_frames_damaged;
        if (channel.type != JXL_CHANNEL_BLACK) continue;
        if (!file->black) file->black = malloc(bytes);
        if (!file->black) return alcedo_frames_no_memory;
        int failed = table.JxlDecoderSetExtraChannelBuffer(file->decoder, format, file->black, bytes, index);
        return failed ? alcedo_frames_damaged : 0;
    }
    return 0;
}

static int read_frame(alcedo_frames *frames, int32_t index, uint8_t *pixels) {
    jxl_file *file = (jxl_file *)frames;
    if ((int64_t)file->info.xsize * file->info.ysize > file->pixels) return alcedo_frames_damaged;
    if (index < file->next || !file->next) start(file, JXL_DEC_COLOR_ENCODING | JXL_DEC_FULL_IMAGE);
    if (index > file->next) table.JxlDecoderSkipFrames(file->decoder, (size_t)(index - file->next));
    static const JxlPixelFormat format = {4, JXL_TYPE_UINT8, JXL_NATIVE_ENDIAN, 0};
    const JxlColorEncoding srgb = {.color_space = file->info.num_color_channels == 1 ? JXL_COLOR_SPACE_GRAY
                                                                                    : JXL_COLOR_SPACE_RGB,
                                          .white_point = JXL_WHITE_POINT_D65,
                                          .primaries = JXL_PRIMARIES_SRGB,
                                          .transfer_function = JXL_TRANSFER_FUNCTION_SRGB,
                                          .rendering_intent = JXL_RENDERING_INTENT_RELATIVE};
    size_t bytes = (size_t)file->info.xsize * file->info.ysize * 4;
    for (int failure = 0;;) {
        switch (table.JxlDecoderProcessInput(file->decoder)) {
        // This affects only pictures whose colours are stored as XYB; others keep their own colour space.
        case JXL_DEC_COLOR_ENCODING:
            table.JxlDecoderSetPreferredColorProfile(file->decoder, &srgb);
            if (file->extra_channels && (failure = read_profile(file))) return failure;
            break;
        case JXL_DEC_NEED_IMAGE_OUT_BUFFER:
            if (table.JxlDecoderSetImageOutBuffer(file->decoder, &format, pixels, bytes)) return alcedo_frames_damaged;
            if (file->extra_channels && (failure = set_black(file, &format))) return failure;
            break;
        case JXL_DEC_FULL_IMAGE: file->next = index + 1; return 0;
        case JXL_DEC_NEED_MORE_INPUT: file->next = 0; return alcedo_frames_cut;
        default: file->next = 0; return alcedo_frames_damaged;
        }
    }
}

static void close_file(alcedo_frames *frames) {
    jxl_file *file = (jxl_file *)frames;
    table.JxlDecoderDestroy(file->decoder);
    free(file->delays);
    free(file->profile);
    free(file->black);
    free(file);
}

// Reads the duration of every frame, without pixels.
static int read_delays(jxl_file *file) {
    start(file, JXL_DEC_BASIC_INFO | JXL_DEC_FRAME);
    int32_t room = 0;
    for (;;) {
        JxlFrameHeader header;
        switch (table.JxlDecoderProcessInput(file->decoder)) {
        case JXL_DEC_BASIC_INFO:
            if (table.JxlDecoderGetBasicInfo(file->decoder, &file->info)) return -1;
            // A still picture needs no more.
            if (!file->info.have_animation) return 0;
            break;
        case JXL_DEC_FRAME:
            if (table.JxlDecoderGetFrameHeader(file->decoder, &header) || file->frames == 1 << 20) return -1;
            if (file->frames == room) {
                room = room ? room * 2 : 64;
                int32_t *delays = realloc(file->delays, (size_t)room * sizeof *delays);
                if (!delays) return -1;
                file->delays = delays;
            }
            double ticks = file->info.animation.tps_numerator;
            double delay = ticks > 0 ? 1000.0 * header.duration * file->info.animation.tps_denominator / ticks : 0;
            file->delays[file->frames++] = delay < 1e9 ? (int32_t)(delay + 0.5) : 1000000000;
            break;
        case JXL_DEC_SUCCESS: return 0;
        // Whatever follows is damaged or missing; frames before it can be shown.
        default: file->is_cut = 1; return file->info.xsize ? 0 : -1;
        }
    }
}

alcedo_frames *alcedo_jxl_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info, int *reason) {
    jxl_file *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    file->base = (alcedo_frames){delay, read_frame, close_file};
    file->decoder = table.JxlDecoderCreate(NULL);
    file->bytes = bytes, file->count = count, file->pixels = pixels;
    if (file->decoder) table.JxlDecoderSetUnpremultiplyAlpha(file->decoder, JXL_TRUE);
    if (!file->decoder || read_delays(file)) {
        close_file(&file->base);
        return NULL;
    }
    *reason = 0;
    info->is_cut = file->is_cut;
    info->width = (int32_t)file->info.xsize;
    info->height = (int32_t)file->info.ysize;
    info->count = file->frames > 0 ? file->frames : 1;
    info->plays = (int32_t)file->info.animation.num_loops;
    info->extra_channels = (int32_t)file->info.num_extra_channels - (file->info.alpha_bits > 0);
    file->extra_channels = info->extra_channels;
    if (file->extra_channels) {
        info->bits = (int32_t)file->info.bits_per_sample;
        info->is_grey = file->info.num_color_channels == 1;
    }
    return &file->base;
}

const void *alcedo_jxl_profile(alcedo_frames *frames, size_t *count) {
    jxl_file *file = (jxl_file *)frames;
    *count = file->profile ? file->profile_count : 0;
    return file->profile;
}

const uint8_t *alcedo_jxl_black(alcedo_frames *frames) { return ((jxl_file *)frames)->black; }
