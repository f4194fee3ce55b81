// SQLite. Swift does not see SQLITE_TRANSIENT, a cast to a function pointer. A null pointer would be NULL, not empty.
#ifndef ALCEDO_CSQLITE_H
#define ALCEDO_CSQLITE_H
#include <sqlite3.h>

static inline int alcedo_bind_text(sqlite3_stmt *statement, int place, const void *text, sqlite3_uint64 count) {
    return sqlite3_bind_text64(statement, place, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static inline int alcedo_bind_blob(sqlite3_stmt *statement, int place, const void *bytes, sqlite3_uint64 count) {
    return sqlite3_bind_blob64(statement, place, bytes ? bytes : "", count, SQLITE_TRANSIENT);
}

static inline void alcedo_result_text(sqlite3_context *context, const void *text, sqlite3_uint64 count) {
    sqlite3_result_text64(context, text ? text : "", count, SQLITE_TRANSIENT, SQLITE_UTF8);
}
#endif
