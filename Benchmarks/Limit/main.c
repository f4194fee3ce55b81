// What the libraries alone need for the work of `alcedo prefetch`: libcurl fetches a list 16 at a time, nettle makes the
// SHA-256, a forked process decodes each JPEG with libjpeg in grey and small (with `decode`), SQLite keeps a row of each in
// groups of 50, and a file has its bytes. There are no checks, no retries and no look-ups: it is the limit, not a peer.
//
// Usage: PrefetchLimit LIST FOLDER decode|framing
#include <curl/curl.h>
#include <fcntl.h>
#include <jpeglib.h>
#include <nettle/sha2.h>
#include <setjmp.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { jobs = 16, group = 50, largest_message = 192 << 10 };

typedef struct {
    CURL *handle;
    char *bytes;
    size_t count, capacity;
    int is_busy;
} transfer;

static size_t append(char *bytes, size_t size, size_t count, void *context) {
    transfer *own = context;
    (void)size;
    if (own->count + count > own->capacity) {
        own->capacity = (own->count + count) * 2;
        own->bytes = realloc(own->bytes, own->capacity);
    }
    memcpy(own->bytes + own->count, bytes, count);
    own->count += count;
    return count;
}

static jmp_buf failed;
static void fail(j_common_ptr picture) {
    (void)picture;
    longjmp(failed, 1);
}

// Decodes the lightness at the smallest scale that leaves 64 pixels a side; returns the mean in place of a hash.
static uint64_t decode(const unsigned char *bytes, size_t count) {
    struct jpeg_decompress_struct picture;
    struct jpeg_error_mgr errors;
    picture.err = jpeg_std_error(&errors);
    errors.error_exit = fail;
    uint64_t sum = 0;
    jpeg_create_decompress(&picture);
    if (!setjmp(failed)) {
        jpeg_mem_src(&picture, bytes, count);
        jpeg_read_header(&picture, TRUE);
        picture.out_color_space = JCS_GRAYSCALE;
        picture.scale_denom = 8;
        for (picture.scale_num = 1; picture.scale_num < 8; picture.scale_num *= 2) {
            jpeg_calc_output_dimensions(&picture);
            if (picture.output_width >= 64 && picture.output_height >= 64) break;
        }
        jpeg_start_decompress(&picture);
        JSAMPLE *row = malloc(picture.output_width);
        while (picture.output_scanline < picture.output_height) {
            jpeg_read_scanlines(&picture, &row, 1);
            for (unsigned column = 0; column < picture.output_width; column++) sum += row[column];
        }
        free(row);
        jpeg_finish_decompress(&picture);
    }
    jpeg_destroy_decompress(&picture);
    return sum;
}

// Answers each file with the value of `decode`; a large one comes as a descriptor would: here by its path.
static void serve(int socket) {
    unsigned char *message = malloc(largest_message);
    for (;;) {
        ssize_t count = recv(socket, message, largest_message, 0);
        if (count <= 0) _exit(0);
        uint64_t value;
        if (message[0] == 0xFF) {
            value = decode(message, count);
        } else {
            message[count] = 0;
            int file = open((char *)message, O_RDONLY);
            struct stat facts;
            fstat(file, &facts);
            unsigned char *bytes = malloc(facts.st_size);
            value = decode(bytes, read(file, bytes, facts.st_size));
            free(bytes);
            close(file);
        }
        send(socket, &value, sizeof value, 0);
    }
}

int main(int argc, char **argv) {
    if (argc < 4) return 2;
    int is_decoding = !strcmp(argv[3], "decode"), pair[2];
    socketpair(AF_UNIX, SOCK_SEQPACKET, 0, pair);
    if (is_decoding && fork() == 0) {
        close(pair[0]);
        serve(pair[1]);
    }
    close(pair[1]);
    FILE *list = fopen(argv[1], "r");
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%s/index.sqlite", argv[2]);
    sqlite3 *index;
    sqlite3_stmt *insert;
    sqlite3_open(path, &index);
    sqlite3_exec(index, "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; CREATE TABLE entry(name TEXT PRIMARY KEY, "
                        "url TEXT, bytes INTEGER, digest BLOB, hash INTEGER)", NULL, NULL, NULL);
    sqlite3_prepare_v2(index, "INSERT INTO entry VALUES(?, ?, ?, ?, ?)", -1, &insert, NULL);
    curl_global_init(CURL_GLOBAL_ALL);
    CURLM *all = curl_multi_init();
    static transfer transfers[jobs];
    int running = 0, rows = 0, failures = 0, is_open = list != NULL;
    for (;;) {
        for (int job = 0; job < jobs && is_open; job++) {
            transfer *own = &transfers[job];
            if (own->is_busy) continue;
            if (!fgets(line, sizeof line, list)) { is_open = 0; break; }
            line[strcspn(line, "\n")] = 0;
            if (!own->handle) own->handle = curl_easy_init();
            own->count = 0;
            own->is_busy = 1;
            curl_easy_setopt(own->handle, CURLOPT_URL, line);
            curl_easy_setopt(own->handle, CURLOPT_SSL_VERIFYPEER, 0L);
            curl_easy_setopt(own->handle, CURLOPT_SSL_VERIFYHOST, 0L);
            curl_easy_setopt(own->handle, CURLOPT_PIPEWAIT, 1L);
            curl_easy_setopt(own->handle, CURLOPT_WRITEFUNCTION, append);
            curl_easy_setopt(own->handle, CURLOPT_WRITEDATA, own);
            curl_easy_setopt(own->handle, CURLOPT_PRIVATE, own);
            curl_multi_add_handle(all, own->handle);
            running++;
        }
        if (!running) break;
        int active, left;
        curl_multi_perform(all, &active);
        CURLMsg *message;
        while ((message = curl_multi_info_read(all, &left))) {
            transfer *own;
            char *url;
            curl_easy_getinfo(message->easy_handle, CURLINFO_PRIVATE, &own);
            curl_easy_getinfo(message->easy_handle, CURLINFO_EFFECTIVE_URL, &url);
            if (message->data.result != CURLE_OK) failures++;
            struct sha256_ctx hash;
            uint8_t digest[SHA256_DIGEST_SIZE];
            sha256_init(&hash);
            sha256_update(&hash, own->count, (const uint8_t *)own->bytes);
            sha256_digest(&hash, sizeof digest, digest);
            int length = snprintf(path, sizeof path, "%s/", argv[2]);
            for (int byte = 0; byte < 16; byte++) length += snprintf(path + length, 3, "%02x", digest[byte]);
            int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
            if (write(file, own->bytes, own->count) != (ssize_t)own->count) failures++;
            close(file);
            uint64_t value = 0;
            if (is_decoding) {
                int is_small = own->count <= 64 << 10;
                send(pair[0], is_small ? own->bytes : path, is_small ? own->count : (size_t)length, 0);
                recv(pair[0], &value, sizeof value, 0);
            }
            if (rows++ % group == 0) sqlite3_exec(index, "BEGIN IMMEDIATE", NULL, NULL, NULL);
            sqlite3_bind_text(insert, 1, url, -1, SQLITE_TRANSIENT);
            sqlite3_bind_text(insert, 2, url, -1, SQLITE_TRANSIENT);
            sqlite3_bind_int64(insert, 3, (int64_t)own->count);
            sqlite3_bind_blob(insert, 4, digest, sizeof digest, SQLITE_TRANSIENT);
            sqlite3_bind_int64(insert, 5, (int64_t)value);
            sqlite3_step(insert);
            sqlite3_reset(insert);
            if (rows % group == 0) sqlite3_exec(index, "COMMIT", NULL, NULL, NULL);
            curl_multi_remove_handle(all, own->handle);
            own->is_busy = 0;
            running--;
        }
        if (running) curl_multi_poll(all, NULL, 0, 1000, NULL);
    }
    sqlite3_exec(index, "COMMIT", NULL, NULL, NULL);
    sqlite3_finalize(insert);
    sqlite3_close(index);
    curl_multi_cleanup(all);
    close(pair[0]);
    if (is_decoding) wait(NULL);
    return failures ? 1 : 0;
}
