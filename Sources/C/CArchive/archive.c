// Archives by libarchive: https://github.com/libarchive/libarchive/wiki/ManPageArchiveRead3
#define _GNU_SOURCE
#include "CArchive.h"

#include <archive.h>
#include <archive_entry.h>
#include <dlfcn.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(archive_read_new)                                                                                              \
    USE(archive_read_support_format_zip)                                                                               \
    USE(archive_read_support_format_tar)                                                                               \
    USE(archive_read_support_format_7zip)                                                                              \
    USE(archive_read_support_format_rar)                                                                               \
    USE(archive_read_support_format_rar5)                                                                              \
    USE(archive_read_support_filter_gzip)                                                                              \
    USE(archive_read_support_filter_bzip2)                                                                             \
    USE(archive_read_support_filter_xz)                                                                                \
    USE(archive_read_support_filter_zstd)                                                                              \
    USE(archive_read_support_filter_lz4)                                                                               \
    USE(archive_read_support_filter_compress)                                                                          \
    USE(archive_read_open_fd)                                                                                          \
    USE(archive_read_next_header)                                                                                      \
    USE(archive_read_data)                                                                                             \
    USE(archive_read_free)                                                                                             \
    USE(archive_error_string)                                                                                          \
    USE(archive_entry_pathname)                                                                                        \
    USE(archive_entry_pathname_utf8)                                                                                   \
    USE(archive_entry_hardlink)                                                                                        \
    USE(archive_entry_filetype)                                                                                        \
    USE(archive_entry_size)                                                                                            \
    USE(archive_entry_size_is_set)                                                                                     \
    USE(archive_entry_is_data_encrypted)

static struct {
#define DECLARE(name) __typeof__(name) *name;
    FUNCTIONS(DECLARE)
} table;

struct alcedo_archive {
    struct archive *archive;
    // The locale in which libarchive converts names.
    locale_t locale;
};

static int is_available;

static void load(void) {
    void *library = dlopen("libarchive.so.13", RTLD_LAZY | RTLD_LOCAL);
    if (!library) return;
#define FIND(name) if (!(table.name = (__typeof__(name) *)dlsym(library, #name))) return;
    FUNCTIONS(FIND)
    is_available = 1;
}

int alcedo_archive_available(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_available;
}

enum { block = 1 << 16 };

static struct archive *make_reader(void) {
    struct archive *reader = table.archive_read_new();
    if (!reader) return NULL;
    table.archive_read_support_format_zip(reader);
    table.archive_read_support_format_tar(reader);
    table.archive_read_support_format_7zip(reader);
    table.archive_read_support_format_rar(reader);
    table.archive_read_support_format_rar5(reader);
    table.archive_read_support_filter_gzip(reader);
    table.archive_read_support_filter_bzip2(reader);
    table.archive_read_support_filter_xz(reader);
    table.archive_read_support_filter_zstd(reader);
    table.archive_read_support_filter_lz4(reader);
    table.archive_read_support_filter_compress(reader);
    return reader;
}

alcedo_archive *alcedo_archive_open(int descriptor, char *reason, size_t capacity) {
    *reason = 0;
    if (!alcedo_archive_available()) {
        snprintf(reason, capacity, "libarchive cannot be loaded (Debian package libarchive13)");
        return NULL;
    }
    alcedo_archive *archive = calloc(1, sizeof *archive);
    if (!archive) return NULL;
    archive->locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", 0);
    archive->archive = make_reader();
    if (archive->archive && table.archive_read_open_fd(archive->archive, descriptor, block) == ARCHIVE_OK) return archive;
    snprintf(reason, capacity, "%s", archive->archive ? alcedo_archive_reason(archive) : "no memory");
    alcedo_archive_close(archive);
    return NULL;
}

static int next(alcedo_archive *archive, alcedo_archive_entry *entry) {
    struct archive_entry *found = NULL;
    int result = table.archive_read_next_header(archive->archive, &found);
    if (result == ARCHIVE_EOF) return 0;
    // A warning is, for example, about a name that is not valid in the locale.
    if (result != ARCHIVE_OK && result != ARCHIVE_WARN) return -1;
    const char *name = table.archive_entry_pathname_utf8(found);
    if (!name) name = table.archive_entry_pathname(found);
    *entry = (alcedo_archive_entry){
        .name = name ? name : "",
        .size = table.archive_entry_size_is_set(found) ? table.archive_entry_size(found) : -1,
        .is_regular = table.archive_entry_filetype(found) == AE_IFREG && !table.archive_entry_hardlink(found),
        .is_link = table.archive_entry_filetype(found) == AE_IFLNK || table.archive_entry_hardlink(found),
        .is_encrypted = table.archive_entry_is_data_encrypted(found) > 0,
    };
    return 1;
}

int alcedo_archive_next(alcedo_archive *archive, alcedo_archive_entry *entry) {
    locale_t earlier = archive->locale ? uselocale(archive->locale) : 0;
    int result = next(archive, entry);
    if (earlier) uselocale(earlier);
    return result;
}

int64_t alcedo_archive_read(alcedo_archive *archive, void *bytes, size_t count) {
    int64_t result;
    do result = table.archive_read_data(archive->archive, bytes, count);
    while (result == ARCHIVE_RETRY);
    return result < 0 ? -1 : result;
}

const char *alcedo_archive_reason(alcedo_archive *archive) {
    const char *reason = table.archive_error_string(archive->archive);
    return reason ? reason : "it is damaged";
}

void alcedo_archive_close(alcedo_archive *archive) {
    if (archive->archive) table.archive_read_free(archive->archive);
    if (archive->locale) freelocale(archive->locale);
    free(archive);
}
