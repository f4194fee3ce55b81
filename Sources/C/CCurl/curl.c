#define _GNU_SOURCE
#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>

#define FUNCTIONS(USE)                                                                                                 \
    USE(curl_global_init)                                                                                              \
    USE(curl_version_info)                                                                                             \
    USE(curl_easy_init)                                                                                                \
    USE(curl_easy_reset)                                                                                               \
    USE(curl_easy_cleanup)                                                                                             \
    USE(curl_easy_strerror)                                                                                            \
    USE(curl_easy_setopt)                                                                                              \
    USE(curl_easy_pause)                                                                                               \
    USE(curl_easy_getinfo)                                                                                             \
    USE(curl_slist_append)                                                                                             \
    USE(curl_slist_free_all)                                                                                           \
    USE(curl_multi_init)                                                                                               \
    USE(curl_multi_setopt)                                                                                             \
    USE(curl_multi_cleanup)                                                                                            \
    USE(curl_multi_add_handle)                                                                                         \
    USE(curl_multi_remove_handle)                                                                                      \
    USE(curl_multi_perform)                                                                                            \
    USE(curl_multi_poll)                                                                                               \
    USE(curl_multi_wakeup)                                                                                             \
    USE(curl_multi_info_read)

// curl.h wraps these in macros, which check the types of constant options only.
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

static struct {
#define DECLARE(name) __typeof__(name) *name;
    FUNCTIONS(DECLARE)
} table;

static const char *problem;
static const curl_version_info_data *version;

static void load(void) {
    problem = "libcurl cannot be loaded (Debian package libcurl4)";
    void *library = dlopen("libcurl.so.4", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    problem = "libcurl is older than 7.87";
#define FIND(name) if (!(table.name = (__typeof__(name) *)dlsym(library, #name))) return;
    FUNCTIONS(FIND)
    version = table.curl_version_info(CURLVERSION_NOW);
    // CURLOPT_QUICK_EXIT came with 7.87.
    if (version->version_num < 0x075700) return;
    problem = "libcurl cannot start";
    if (table.curl_global_init(CURL_GLOBAL_ALL) == CURLE_OK) problem = NULL;
}

const char *alcedo_curl_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem;
}

const curl_version_info_data *alcedo_curl_version(void) { return version; }

CURL *alcedo_curl_easy_new(void) { return table.curl_easy_init(); }
void alcedo_curl_easy_reset(CURL *easy) { table.curl_easy_reset(easy); }
void alcedo_curl_easy_resume(CURL *easy) { table.curl_easy_pause(easy, CURLPAUSE_CONT); }
void alcedo_curl_easy_free(CURL *easy) { table.curl_easy_cleanup(easy); }
const char *alcedo_curl_text(CURLcode code) { return table.curl_easy_strerror(code); }

CURLcode alcedo_curl_set_long(CURL *easy, CURLoption option, long value) {
    return table.curl_easy_setopt(easy, option, value);
}

CURLcode alcedo_curl_set_text(CURL *easy, CURLoption option, const char *text) {
    return table.curl_easy_setopt(easy, option, text);
}

CURLcode alcedo_curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_NOCOPY};
    return table.curl_easy_setopt(easy, option, &blob);
}

CURLcode alcedo_curl_set_pointer(CURL *easy, CURLoption option, void *pointer) {
    return table.curl_easy_setopt(easy, option, pointer);
}

static alcedo_curl_callbacks handlers;

void alcedo_curl_set_callbacks(alcedo_curl_callbacks callbacks) { handlers = callbacks; }

static size_t receive_line(char *bytes, size_t size, size_t count, void *transfer) {
    return handlers.line(bytes, size * count, transfer) ? size * count : 0;
}

static size_t receive_body(char *bytes, size_t size, size_t count, void *transfer) {
    switch (handlers.body(bytes, size * count, transfer)) {
    case alcedo_body_taken: return size * count;
    case alcedo_body_paused: return CURL_WRITEFUNC_PAUSE;
    default: return 0;
    }
}

static int before_request(void *transfer, char *ip, char *local_ip, int port, int local_port) {
    return handlers.request(ip, port, local_port, transfer) ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT;
}

static curl_socket_t open_socket(void *transfer, curlsocktype purpose, struct curl_sockaddr *address) {
    return handlers.open_socket(address->family, address->socktype, address->protocol, transfer);
}

void alcedo_curl_set_contexts(CURL *easy, void *transfer, void *sockets) {
    table.curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_line);
    table.curl_easy_setopt(easy, CURLOPT_HEADERDATA, transfer);
    table.curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    table.curl_easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    table.curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, before_request);
    table.curl_easy_setopt(easy, CURLOPT_PREREQDATA, transfer);
    table.curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    table.curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    table.curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, handlers.close_socket);
    table.curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, sockets);
}

long alcedo_curl_get_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return table.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

int64_t alcedo_curl_get_time(CURL *easy, CURLINFO info) {
    curl_off_t value = 0;
    return table.curl_easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

struct curl_slist *alcedo_curl_list_add(struct curl_slist *list, const char *line) {
    struct curl_slist *longer = table.curl_slist_append(list, line);
    return longer ? longer : list;
}

void alcedo_curl_list_free(struct curl_slist *list) { table.curl_slist_free_all(list); }

CURLM *alcedo_curl_multi_new(long connections) {
    CURLM *multi = table.curl_multi_init();
    if (multi) table.curl_multi_setopt(multi, CURLMOPT_MAXCONNECTS, connections);
    return multi;
}

void alcedo_curl_multi_free(CURLM *multi) { table.curl_multi_cleanup(multi); }
CURLMcode alcedo_curl_multi_add(CURLM *multi, CURL *easy) { return table.curl_multi_add_handle(multi, easy); }
void alcedo_curl_multi_remove(CURLM *multi, CURL *easy) { table.curl_multi_remove_handle(multi, easy); }
void alcedo_curl_multi_wake(CURLM *multi) { table.curl_multi_wakeup(multi); }

void alcedo_curl_multi_perform(CURLM *multi) {
    int running;
    table.curl_multi_perform(multi, &running);
}

void alcedo_curl_multi_wait(CURLM *multi, int milliseconds) {
    table.curl_multi_poll(multi, NULL, 0, milliseconds, NULL);
}

CURL *alcedo_curl_multi_finished(CURLM *multi, CURLcode *code) {
    int left;
    CURLMsg *message;
    while ((message = table.curl_multi_info_read(multi, &left))) {
        if (message->msg != CURLMSG_DONE) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
    return NULL;
}
