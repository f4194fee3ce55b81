// The poster of a video by FFmpeg's libraries: its cover picture, or the key frame before a tenth of its duration. It
// also reads the JPEG, DDS and BMP files that other libraries do not.
// https://ffmpeg.org/doxygen/5.1/group__lavf__decoding.html
#include "frames.h"
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/display.h>
#include <libswscale/swscale.h>
#include <math.h>
#include <string.h>

#define UTIL(USE)                                                                                                      \
    USE(av_dict_free)                                                                                                  \
    USE(av_dict_set)                                                                                                   \
    USE(av_display_rotation_get)                                                                                       \
    USE(av_frame_alloc)                                                                                                \
    USE(av_frame_free)                                                                                                 \
    USE(av_free)                                                                                                       \
    USE(av_log_set_level)                                                                                              \
    USE(av_malloc)                                                                                                     \
    USE(av_mallocz)
#define CODEC(USE)                                                                                                     \
    USE(av_packet_alloc)                                                                                               \
    USE(av_packet_free)                                                                                                \
    USE(av_packet_unref)                                                                                               \
    USE(avcodec_alloc_context3)                                                                                        \
    USE(avcodec_flush_buffers)                                                                                         \
    USE(avcodec_free_context)                                                                                          \
    USE(avcodec_open2)                                                                                                 \
    USE(avcodec_parameters_to_context)                                                                                 \
    USE(avcodec_receive_frame)                                                                                         \
    USE(avcodec_send_packet)
#define FORMAT(USE)                                                                                                    \
    USE(av_find_best_stream)                                                                                           \
    USE(av_read_frame)                                                                                                 \
    USE(av_seek_frame)                                                                                                 \
    USE(av_stream_get_side_data)                                                                                       \
    USE(avformat_alloc_context)                                                                                        \
    USE(avformat_close_input)                                                                                          \
    USE(avformat_find_stream_info)                                                                                     \
    USE(avformat_open_input)                                                                                           \
    USE(avio_alloc_context)                                                                                            \
    USE(avio_context_free)
#define SCALE(USE)                                                                                                     \
    USE(sws_freeContext)                                                                                               \
    USE(sws_getCoefficients)                                                                                           \
    USE(sws_getContext)                                                                                                \
    USE(sws_scale)                                                                                                     \
    USE(sws_setColorspaceDetails)

static struct { UTIL(ALCEDO_DECLARE) CODEC(ALCEDO_DECLARE) FORMAT(ALCEDO_DECLARE) SCALE(ALCEDO_DECLARE) } table;

// The structures of a library are those of its headers as long as the major version is the same.
#define LIBRARY(name, major) dlopen("lib" name ".so." ALCEDO_TEXT(major), RTLD_LAZY | RTLD_LOCAL)

static int load(void) {
    void *library = LIBRARY("avutil", LIBAVUTIL_VERSION_MAJOR);
    if (!library) return 0;
    UTIL(ALCEDO_FIND)
    if (!(library = LIBRARY("avcodec", LIBAVCODEC_VERSION_MAJOR))) return 0;
    CODEC(ALCEDO_FIND)
    if (!(library = LIBRARY("avformat", LIBAVFORMAT_VERSION_MAJOR))) return 0;
    FORMAT(ALCEDO_FIND)
    if (!(library = LIBRARY("swscale", LIBSWSCALE_VERSION_MAJOR))) return 0;
    SCALE(ALCEDO_FIND)
    table.av_log_set_level(AV_LOG_QUIET);
    return 1;
}

ALCEDO_LOAD_ONCE(alcedo_video_load)

typedef struct {
    alcedo_frames base;
    const uint8_t *bytes;
    int64_t count, place;
    AVIOContext *input;
    AVFormatContext *container;
    AVStream *stream;
    AVCodecContext *codec;
    // The decoded cover picture; NULL if a frame of the video is shown.
    AVFrame *cover;
    int32_t width, height, is_still;
} video_file;

static int read_bytes(void *opaque, uint8_t *target, int count) {
    video_file *file = opaque;
    int64_t left = file->count - file->place;
    if (left <= 0) return AVERROR_EOF;
    if (count > left) count = (int)left;
    memcpy(target, file->bytes + file->place, (size_t)count);
    file->place += count;
    return count;
}

static int64_t seek_bytes(void *opaque, int64_t offset, int whence) {
    video_file *file = opaque;
    if (whence == AVSEEK_SIZE) return file->count;
    int64_t from = whence == SEEK_CUR ? file->place : whence == SEEK_END ? file->count : 0;
    if (offset < -from || offset > file->count - from) return AVERROR(EINVAL);
    return file->place = from + offset;
}

static int32_t delay(alcedo_frames *frames, int32_t index) { return 0; }

static void close_file(alcedo_frames *frames) {
    video_file *file = (video_file *)frames;
    table.av_frame_free(&file->cover);
    if (file->codec) table.avcodec_free_context(&file->codec);
    if (file->container) table.avformat_close_input(&file->container);
    if (file->input) {
        table.av_free(file->input->buffer);
        table.avio_context_free(&file->input);
    }
    table.av_free(file);
}

// Decodes the next frame; sends `cover` instead of packets of the file unless it is NULL.
static int next_frame(video_file *file, AVFrame *frame, const AVPacket *cover) {
    AVPacket *packet = table.av_packet_alloc();
    int result = -1;
    if (packet && cover && !table.avcodec_send_packet(file->codec, cover)) {
        table.avcodec_send_packet(file->codec, NULL);
        result = table.avcodec_receive_frame(file->codec, frame);
    }
    // A damaged file may hold any number of packets without a picture.
    for (int tries = 0, ends = 0; packet && !cover && tries < 5000 && !ends; tries++) {
        ends = table.av_read_frame(file->container, packet) < 0;
        if (!ends && packet->stream_index != file->stream->index) {
            table.av_packet_unref(packet);
            continue;
        }
        table.avcodec_send_packet(file->codec, ends ? NULL : packet);
        table.av_packet_unref(packet);
        if (!(result = table.avcodec_receive_frame(file->codec, frame))) break;
    }
    table.av_packet_free(&packet);
    return result;
}

static int find_poster(video_file *file, AVFrame *frame) {
    if (file->container->duration > 0) {
        int64_t start = file->container->start_time == AV_NOPTS_VALUE ? 0 : file->container->start_time;
        int64_t time = start + file->container->duration / 10;
        if (table.av_seek_frame(file->container, -1, time, AVSEEK_FLAG_BACKWARD) >= 0 &&
            !next_frame(file, frame, NULL))
            return 0;
        table.avcodec_flush_buffers(file->codec);
        table.av_seek_frame(file->container, -1, start, AVSEEK_FLAG_BACKWARD);
    }
    return next_frame(file, frame, NULL);
}

static int read_frame(alcedo_frames *frames, int32_t index, uint8_t *pixels) {
    video_file *file = (video_file *)frames;
    AVFrame *frame = file->cover ? file->cover : table.av_frame_alloc();
    int failed = !frame || (!file->cover && find_poster(file, frame)) || frame->width <= 0 || frame->height <= 0;
    struct SwsContext *scale = NULL;
    if (!failed)
        scale = table.sws_getContext(frame->width, frame->height, frame->format, file->width, file->height,
                                     AV_PIX_FMT_RGBA, SWS_BICUBIC | SWS_ACCURATE_RND | SWS_FULL_CHR_H_INT, NULL, NULL,
                                     NULL);
    if (scale) {
        // If the file does not state its colour space, pictures of high definition have that of ITU-R BT.709, others of
        // BT.601.
        int space = frame->colorspace;
        if (space == AVCOL_SPC_UNSPECIFIED) space = frame->height >= 720 ? SWS_CS_ITU709 : SWS_CS_ITU601;
        const int *from = table.sws_getCoefficients(space), *to = table.sws_getCoefficients(SWS_CS_DEFAULT);
        int is_full = file->is_still || frame->color_range == AVCOL_RANGE_JPEG;
        table.sws_setColorspaceDetails(scale, from, is_full, to, 1, 0, 1 << 16, 1 << 16);
        uint8_t *planes[4] = {pixels};
        int rows[4] = {file->width * 4};
        failed = table.sws_scale(scale, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, planes,
                                 rows) != file->height;
        table.sws_freeContext(scale);
    } else {
        failed = 1;
    }
    if (frame != file->cover) table.av_frame_free(&frame);
    return failed ? alcedo_frames_damaged : 0;
}

static int orientation(AVStream *stream) {
    size_t count = 0;
    const uint8_t *matrix = table.av_stream_get_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, &count);
    if (!matrix || count < 9 * sizeof(int32_t)) return 1;
    // The angle is counter-clockwise.
    double angle = table.av_display_rotation_get((const int32_t *)matrix);
    if (isnan(angle)) return 1;
    switch ((lround(angle / 90) % 4 + 4) % 4) {
    case 1: return 8;
    case 2: return 3;
    case 3: return 6;
    default: return 1;
    }
}

static int open_container(video_file *file) {
    uint8_t *buffer = table.av_malloc(65536);
    if (buffer) file->input = table.avio_alloc_context(buffer, 65536, 0, file, read_bytes, NULL, seek_bytes);
    file->container = file->input ? table.avformat_alloc_context() : NULL;
    if (!file->container) return -1;
    file->container->pb = file->input;
    file->container->flags |= AVFMT_FLAG_CUSTOM_IO;
    AVDictionary *options = NULL;
    // Other containers may name files and addresses to read.
    const char *formats = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,jpeg_pipe,dds_pipe,j2k_pipe,bmp_pipe";
    table.av_dict_set(&options, "format_whitelist", formats, 0);
    table.av_dict_set(&options, "protocol_whitelist", "", 0);
    int failed = table.avformat_open_input(&file->container, NULL, NULL, &options);
    table.av_dict_free(&options);
    return failed || table.avformat_find_stream_info(file->container, NULL) < 0;
}

static int find_stream(video_file *file, int is_cover, const AVCodec **decoder) {
    for (unsigned index = 0; index < file->container->nb_streams; index++) {
        AVStream *stream = file->container->streams[index];
        if (stream->codecpar->codec_type != AVMEDIA_TYPE_VIDEO ||
            (stream->disposition & AV_DISPOSITION_ATTACHED_PIC ? 1 : 0) != is_cover)
            continue;
        int wanted = is_cover ? (int)index : -1;
        int best = table.av_find_best_stream(file->container, AVMEDIA_TYPE_VIDEO, wanted, -1, decoder, 0);
        if (best >= 0 && !(file->container->streams[best]->disposition & AV_DISPOSITION_ATTACHED_PIC) == !is_cover)
            return best;
        return table.av_find_best_stream(file->container, AVMEDIA_TYPE_VIDEO, (int)index, -1, decoder, 0);
    }
    return -1;
}

static int open_stream(video_file *file, int64_t pixels, int is_cover, int is_strict) {
    const AVCodec *decoder = NULL;
    int index = find_stream(file, is_cover, &decoder);
    if (index < 0) return alcedo_frames_no_picture;
    file->stream = file->container->streams[index];
    file->codec = decoder ? table.avcodec_alloc_context3(decoder) : NULL;
    if (!file->codec || table.avcodec_parameters_to_context(file->codec, file->stream->codecpar) < 0)
        return alcedo_frames_damaged;
    file->codec->thread_count = 1;
    file->codec->max_pixels = pixels;
    if (is_strict) file->codec->err_recognition = AV_EF_EXPLODE;
    file->width = file->stream->codecpar->width, file->height = file->stream->codecpar->height;
    AVRational aspect = file->stream->sample_aspect_ratio;
    if (!aspect.num) aspect = file->stream->codecpar->sample_aspect_ratio;
    // In files of still pictures, the aspect ratio describes the density of a print, so it is ignored.
    file->is_still = strstr(file->container->iformat->name, "_pipe") != NULL;
    if (aspect.num > 0 && aspect.den > 0 && !file->is_still) {
        double width = (double)file->width * aspect.num / aspect.den;
        if (width >= 1 && width <= 8.0 * file->width && width < 1e6) file->width = (int32_t)(width + 0.5);
    }
    if (file->width <= 0 || file->height <= 0) return alcedo_frames_damaged;
    if ((int64_t)file->width * file->height > pixels) return 0;
    return table.avcodec_open2(file->codec, decoder, NULL) < 0 ? alcedo_frames_damaged : 0;
}

// Opens the cover picture and decodes it; returns 0 if it is shown.
static int open_cover(video_file *file, int64_t pixels, int is_strict) {
    int reason = open_stream(file, pixels, 1, is_strict);
    if (reason) return reason;
    if ((int64_t)file->width * file->height > pixels) return is_strict ? alcedo_frames_damaged : 0;
    file->cover = table.av_frame_alloc();
    if (file->cover && !next_frame(file, file->cover, &file->stream->attached_pic)) return 0;
    table.av_frame_free(&file->cover);
    return alcedo_frames_damaged;
}

// Opens the cover picture; if there is none, or if it is damaged or too large, opens the video.
static int open_picture(video_file *file, int64_t pixels) {
    if (!open_cover(file, pixels, 1)) return 0;
    if (file->codec) table.avcodec_free_context(&file->codec);
    int reason = open_stream(file, pixels, 0, 0);
    if (reason != alcedo_frames_no_picture) return reason;
    if (file->codec) table.avcodec_free_context(&file->codec);
    return open_cover(file, pixels, 0);
}

alcedo_frames *alcedo_video_open(const void *bytes, size_t count, int64_t pixels, alcedo_frames_info *info,
                                 int *reason) {
    video_file *file = table.av_mallocz(sizeof *file);
    if (!file) return NULL;
    file->base = (alcedo_frames){delay, read_frame, close_file};
    file->bytes = bytes, file->count = (int64_t)count;
    *reason = open_container(file) ? alcedo_frames_damaged : open_picture(file, pixels);
    if (*reason) {
        close_file(&file->base);
        return NULL;
    }
    info->width = file->width, info->height = file->height;
    info->orientation = orientation(file->stream);
    info->primaries = file->stream->codecpar->color_primaries, info->transfer = file->stream->codecpar->color_trc;
    return &file->base;
}
