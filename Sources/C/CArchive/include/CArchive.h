// Archives of files, read by libarchive, which is loaded when an archive is opened.
#ifndef ALCEDO_CARCHIVE_H
#define ALCEDO_CARCHIVE_H

#include <stddef.h>
#include <stdint.h>

typedef struct alcedo_archive alcedo_archive;

typedef struct {
    // The name, with / between folders; valid until the next call.
    const char *name;
    // The size of the file in bytes; -1 if it is known only after reading.
    int64_t size;
    int32_t is_regular, is_encrypted;
    // Whether it is a hard or symbolic link.
    int32_t is_link;
} alcedo_archive_entry;

// Whether libarchive can be loaded.
int alcedo_archive_available(void);

// Opens an archive for reading: zip, tar, 7z, rar; tar also packed with gzip, bzip2, xz, zstd, lz4 or compress. NULL if
// it cannot be opened, with the reason in `reason`, which has `capacity` bytes. The caller closes the descriptor.
alcedo_archive *alcedo_archive_open(int descriptor, char *reason, size_t capacity);

// Goes to the next entry. Returns 1, 0 after the last one, or -1 for a damaged archive.
int alcedo_archive_next(alcedo_archive *archive, alcedo_archive_entry *entry);

// Reads bytes of the current entry. Returns their number, 0 at the end, or -1 for a failure.
int64_t alcedo_archive_read(alcedo_archive *archive, void *bytes, size_t count);

// Why the last call failed.
const char *alcedo_archive_reason(alcedo_archive *archive);

void alcedo_archive_close(alcedo_archive *archive);

#endif
