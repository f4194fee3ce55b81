// HTTP by libcurl, which is loaded at the first request: https://curl.se/libcurl/c/
//
// The functions here are those of libcurl that Swift cannot call, because they are variadic, and the table through
// which all others are called.
#ifndef ALCEDO_CCURL_H
#define ALCEDO_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Loads libcurl once. Returns NULL, or why it cannot be used.
const char *alcedo_curl_load(void);

// The version and features of the loaded library. Call no function below before a successful load.
const curl_version_info_data *alcedo_curl_version(void);

CURL *alcedo_curl_easy_new(void);
void alcedo_curl_easy_reset(CURL *easy);
void alcedo_curl_easy_resume(CURL *easy);
void alcedo_curl_easy_free(CURL *easy);
const char *alcedo_curl_text(CURLcode code);

CURLcode alcedo_curl_set_long(CURL *easy, CURLoption option, long value);
// Copies the text; NULL resets the option.
CURLcode alcedo_curl_set_text(CURL *easy, CURLoption option, const char *text);
// Keeps the bytes, which must live as long as the handle.
CURLcode alcedo_curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count);
// Keeps the pointer.
CURLcode alcedo_curl_set_pointer(CURL *easy, CURLoption option, void *pointer);

typedef enum { alcedo_body_refused, alcedo_body_taken, alcedo_body_paused } alcedo_body;

typedef struct {
    // Receives one line of a head or of trailers; returns whether the transfer continues.
    bool (*line)(const char *bytes, size_t count, void *transfer);
    // Bytes of the body. Paused bytes come again after alcedo_curl_easy_resume.
    alcedo_body (*body)(const char *bytes, size_t count, void *transfer);
    // A connection to an address is ready and the request follows; returns whether it may be sent.
    bool (*request)(const char *address, int port, int local_port, void *transfer);
    // Opens a socket or returns -1.
    int (*open_socket)(int family, int type, int protocol, void *transfer);
    int (*close_socket)(void *sockets, int descriptor);
} alcedo_curl_callbacks;

// Sets the callbacks of all handles; called once, before the first handle is made.
void alcedo_curl_set_callbacks(alcedo_curl_callbacks callbacks);
// Sets what a handle's callbacks receive. `sockets` must outlive all connections.
void alcedo_curl_set_contexts(CURL *easy, void *transfer, void *sockets);

long alcedo_curl_get_long(CURL *easy, CURLINFO info);
// A time in microseconds.
int64_t alcedo_curl_get_time(CURL *easy, CURLINFO info);

struct curl_slist *alcedo_curl_list_add(struct curl_slist *list, const char *line);
void alcedo_curl_list_free(struct curl_slist *list);

CURLM *alcedo_curl_multi_new(long connections);
void alcedo_curl_multi_free(CURLM *multi);
CURLMcode alcedo_curl_multi_add(CURLM *multi, CURL *easy);
void alcedo_curl_multi_remove(CURLM *multi, CURL *easy);
void alcedo_curl_multi_perform(CURLM *multi);
void alcedo_curl_multi_wait(CURLM *multi, int milliseconds);
void alcedo_curl_multi_wake(CURLM *multi);
// Returns the next finished transfer, or NULL.
CURL *alcedo_curl_multi_finished(CURLM *multi, CURLcode *code);

#endif
