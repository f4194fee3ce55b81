#include "CJPEG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <jpeglib.h>
#include <jerror.h>

struct AlcedoJPEG {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf failure;
    // The first byte of the file.
    const JOCTET *start;
    // Whether decoding has begun; before that, an early end is an error.
    int is_started;
    // Whether the file ended before the end mark, and how many per cent of its rows came before.
    int has_ended;
    int end_percent;
    // Whether bits of pixels were missing.
    int lacks_bits;
    // The first warning of corrupt data; empty without one.
    char warning[JMSG_LENGTH_MAX];
};

// Called for errors, after which libjpeg itself would end the process.
static void fail(j_common_ptr decoder) { longjmp(((AlcedoJPEG *)decoder->client_data)->failure, 1); }

// Whether the bytes that libjpeg skipped before a marker are zeros before the end mark, as some programs write them.
static int is_padding(j_common_ptr decoder) {
    const struct jpeg_source_mgr *source = ((j_decompress_ptr)decoder)->src;
    size_t count = decoder->err->msg_parm.i[0];
    const JOCTET *end = source->next_input_byte, *start = ((AlcedoJPEG *)decoder->client_data)->start;
    if (decoder->err->msg_parm.i[1] != JPEG_EOI || end < start || (size_t)(end - start) < count) return 0;
    for (size_t index = 1; index <= count; index++)
        if (end[-(ptrdiff_t)index]) return 0;
    return 1;
}

// Called for warnings, which libjpeg itself would print. Those about markers that no pixel depends on are harmless.
static void warn(j_common_ptr decoder, int level) {
    AlcedoJPEG *file = decoder->client_data;
    int code = decoder->err->msg_code;
    if (level >= 0 || code == JWRN_JFIF_MAJOR || code == JWRN_ADOBE_XFORM || code == JWRN_JPEG_EOF) return;
    if (code == JWRN_BOGUS_ICC) return;
    // Superfluous bytes between the markers of the header are harmless; within the pixels they mean damage.
    if (code == JWRN_EXTRANEOUS_DATA && (!file->is_started || is_padding(decoder))) return;
    if (code == JWRN_HIT_MARKER && file->has_ended) file->lacks_bits = 1;
    else if (!file->warning[0]) decoder->err->format_message(decoder, file->warning);
}

static void do_nothing(j_decompress_ptr decoder) {}

// All bytes are given at the start, so a request for more means that the file was cut off. While pixels are decoded, an
// end mark replaces the missing bytes, and libjpeg fills the rest of the picture.
static boolean end_early(j_decompress_ptr decoder) {
    static const JOCTET end_mark[] = {0xFF, JPEG_EOI};
    AlcedoJPEG *file = decoder->client_data;
    if (!file->is_started) ERREXIT(decoder, JERR_INPUT_EOF);
    // Rows of the file, not of the output: the number does not depend on the scale.
    if (!file->has_ended && decoder->total_iMCU_rows && !jpeg_has_multiple_scans(decoder))
        file->end_percent = (int)(100L * decoder->input_iMCU_row / decoder->total_iMCU_rows);
    file->has_ended = 1;
    decoder->src->next_input_byte = end_mark;
    decoder->src->bytes_in_buffer = sizeof end_mark;
    return TRUE;
}

static void skip(j_decompress_ptr decoder, long count) {
    if (count <= 0) return;
    if ((size_t)count > decoder->src->bytes_in_buffer) {
        end_early(decoder);
        return;
    }
    decoder->src->next_input_byte += count;
    decoder->src->bytes_in_buffer -= count;
}

static void set_up(AlcedoJPEG *file, const void *bytes, size_t count) {
    file->decoder.err = jpeg_std_error(&file->errors);
    file->decoder.client_data = file;
    file->errors.error_exit = fail;
    file->errors.emit_message = warn;
    file->start = bytes;
    file->source = (struct jpeg_source_mgr){
        .next_input_byte = bytes, .bytes_in_buffer = count, .init_source = do_nothing,
        .fill_input_buffer = end_early, .skip_input_data = skip, .resync_to_restart = jpeg_resync_to_restart,
        .term_source = do_nothing};
}

static int read_header(AlcedoJPEG *file) {
    if (setjmp(file->failure)) return -1;
    jpeg_create_decompress(&file->decoder);
    file->decoder.client_data = file;
    file->decoder.src = &file->source;
    jpeg_read_header(&file->decoder, TRUE);
    J_COLOR_SPACE space = file->decoder.jpeg_color_space;
    return space == JCS_YCbCr || space == JCS_RGB || space == JCS_GRAYSCALE ? 0 : -1;
}

AlcedoJPEG *alcedo_jpeg_open(const void *bytes, size_t count) {
    AlcedoJPEG *file = calloc(1, sizeof *file);
    if (!file) return NULL;
    set_up(file, bytes, count);
    if (!read_header(file)) return file;
    alcedo_jpeg_close(file);
    return NULL;
}

int alcedo_jpeg_width(const AlcedoJPEG *file) { return file->decoder.image_width; }

int alcedo_jpeg_height(const AlcedoJPEG *file) { return file->decoder.image_height; }

int alcedo_jpeg_start(AlcedoJPEG *file, int shrink, int is_grey) {
    if (setjmp(file->failure)) return -1;
    file->is_started = 1;
    file->decoder.scale_num = 1;
    file->decoder.scale_denom = shrink;
    file->decoder.out_color_space = is_grey ? JCS_GRAYSCALE : JCS_EXT_RGBA;
    return jpeg_start_decompress(&file->decoder) ? 0 : -1;
}

int alcedo_jpeg_scaled_width(const AlcedoJPEG *file) { return file->decoder.output_width; }

int alcedo_jpeg_scaled_height(const AlcedoJPEG *file) { return file->decoder.output_height; }

int alcedo_jpeg_read(AlcedoJPEG *file, void *rows, int count) {
    if (setjmp(file->failure)) return -1;
    size_t stride = (size_t)file->decoder.output_width * file->decoder.output_components;
    int remaining = file->decoder.output_height - file->decoder.output_scanline;
    int wanted = count < remaining ? count : remaining;
    for (int done = 0; done < wanted;) {
        JSAMPROW row = (JSAMPROW)rows + done * stride;
        done += jpeg_read_scanlines(&file->decoder, &row, 1);
    }
    return wanted;
}

// Whether each coefficient of a progressive file came with all its bits.
static int is_refined(const struct jpeg_decompress_struct *decoder) {
    for (int component = 0; component < decoder->num_components; component++)
        for (int index = 0; index < DCTSIZE2; index++)
            if (decoder->coef_bits[component][index] != 0) return 0;
    return 1;
}

AlcedoJPEGDamage alcedo_jpeg_finish(AlcedoJPEG *file, char *text, size_t capacity) {
    int refined = !file->decoder.progressive_mode || !file->decoder.coef_bits || is_refined(&file->decoder);
    // What follows the last row is checked here.
    if (!setjmp(file->failure)) jpeg_finish_decompress(&file->decoder);
    if (file->warning[0]) {
        snprintf(text, capacity, "%s", file->warning);
        return alcedo_jpeg_corrupt;
    }
    if (!file->has_ended) return alcedo_jpeg_whole;
    if (!file->lacks_bits && refined) return alcedo_jpeg_missing_end;
    if (file->end_percent > 0) snprintf(text, capacity, "the file ends after %d %% of its rows", file->end_percent);
    else snprintf(text, capacity, "the file ends within its pixels");
    return alcedo_jpeg_incomplete;
}

void alcedo_jpeg_close(AlcedoJPEG *file) {
    if (!setjmp(file->failure)) jpeg_destroy_decompress(&file->decoder);
    free(file);
}

// The state of an encoder, whose errors jump back.
struct Encoding {
    struct jpeg_compress_struct encoder;
    struct jpeg_error_mgr errors;
    jmp_buf failure;
    unsigned char *bytes;
    unsigned long count;
};

static void fail_encoding(j_common_ptr encoder) { longjmp(((struct Encoding *)encoder->client_data)->failure, 1); }

static void encode(struct Encoding *encoding, const void *pixels, int width, int height, int quality) {
    struct jpeg_compress_struct *encoder = &encoding->encoder;
    jpeg_create_compress(encoder);
    jpeg_mem_dest(encoder, &encoding->bytes, &encoding->count);
    encoder->image_width = (JDIMENSION)width;
    encoder->image_height = (JDIMENSION)height;
    encoder->input_components = 4;
    encoder->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(encoder);
    jpeg_set_quality(encoder, quality, TRUE);
    encoder->optimize_coding = TRUE;
    encoder->write_JFIF_header = FALSE;
    if (quality >= 90) encoder->comp_info[0].h_samp_factor = encoder->comp_info[0].v_samp_factor = 1;
    jpeg_start_compress(encoder, TRUE);
    while (encoder->next_scanline < encoder->image_height) {
        JSAMPROW row = (JSAMPROW)pixels + (size_t)encoder->next_scanline * (size_t)width * 4;
        jpeg_write_scanlines(encoder, &row, 1);
    }
    jpeg_finish_compress(encoder);
}

unsigned char *alcedo_jpeg_encode(const void *pixels, int width, int height, int quality, size_t *count) {
    struct Encoding *encoding = calloc(1, sizeof *encoding);
    if (!encoding) return NULL;
    encoding->encoder.err = jpeg_std_error(&encoding->errors);
    encoding->errors.error_exit = fail_encoding;
    encoding->encoder.client_data = encoding;
    int has_failed = setjmp(encoding->failure);
    if (!has_failed) encode(encoding, pixels, width, height, quality);
    jpeg_destroy_compress(&encoding->encoder);
    unsigned char *bytes = encoding->bytes;
    *count = encoding->count;
    free(encoding);
    if (!has_failed) return bytes;
    free(bytes);
    return NULL;
}
