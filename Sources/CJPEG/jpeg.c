#include "CJPEG.h"
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <jpeglib.h>
#include <jerror.h>

struct AlcedoJPEG {
    struct jpeg_decompress_struct decoder;
    struct jpeg_error_mgr errors;
    struct jpeg_source_mgr source;
    jmp_buf failure;
};

// Where libjpeg would end the process.
static void fail(j_common_ptr decoder) { longjmp(((AlcedoJPEG *)decoder->client_data)->failure, 1); }

// Warnings, which libjpeg counts and would print.
static void ignore(j_common_ptr decoder, int level) {
    if (level < 0) decoder->err->num_warnings++;
}

static void do_nothing(j_decompress_ptr decoder) {}

// All bytes are there from the start, so that asking for more means that the file was cut off.
static boolean end_early(j_decompress_ptr decoder) {
    ERREXIT(decoder, JERR_INPUT_EOF);
    return FALSE;
}

static void skip(j_decompress_ptr decoder, long count) {
    if (count <= 0) return;
    if ((size_t)count > decoder->src->bytes_in_buffer) end_early(decoder);
    decoder->src->next_input_byte += count;
    decoder->src->bytes_in_buffer -= count;
}

static void set_up(AlcedoJPEG *file, const void *bytes, size_t count) {
    file->decoder.err = jpeg_std_error(&file->errors);
    file->decoder.client_data = file;
    file->errors.error_exit = fail;
    file->errors.emit_message = ignore;
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

int alcedo_jpeg_start(AlcedoJPEG *file, int shrink) {
    if (setjmp(file->failure)) return -1;
    file->decoder.scale_num = 1;
    file->decoder.scale_denom = shrink;
    file->decoder.out_color_space = JCS_EXT_RGBA;
    return jpeg_start_decompress(&file->decoder) ? 0 : -1;
}

int alcedo_jpeg_scaled_width(const AlcedoJPEG *file) { return file->decoder.output_width; }

int alcedo_jpeg_scaled_height(const AlcedoJPEG *file) { return file->decoder.output_height; }

int alcedo_jpeg_read(AlcedoJPEG *file, void *rows, int count) {
    if (setjmp(file->failure)) return -1;
    size_t stride = (size_t)file->decoder.output_width * 4;
    int remaining = file->decoder.output_height - file->decoder.output_scanline;
    int wanted = count < remaining ? count : remaining;
    for (int done = 0; done < wanted;) {
        JSAMPROW row = (JSAMPROW)rows + done * stride;
        done += jpeg_read_scanlines(&file->decoder, &row, 1);
    }
    return wanted;
}

void alcedo_jpeg_close(AlcedoJPEG *file) {
    if (!setjmp(file->failure)) jpeg_destroy_decompress(&file->decoder);
    free(file);
}
