// Other platforms compile this target, too, but do not use it.
#ifdef __linux__

#include "ccurl.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/socket.h>

// The memory layouts of structures that libcurl exchanges with its callers.

typedef struct {
    int msg;
    void *easy_handle;
    union {
        void *unused;
        int result;
    } data;
} ccurl_message;

typedef struct {
    int age;
    const char *version;
    unsigned version_num;
    const char *host;
    int features;
} ccurl_version_info;

typedef struct {
    int family;
    int socktype;
    int protocol;
    unsigned addrlen;
    struct sockaddr addr;
} ccurl_address;

#define FUNCTIONS(F) \
    F(int, global_init, (long), ) \
    F(const ccurl_version_info *, version_info, (int), ) \
    F(void, easy_cleanup, (void *), ) \
    F(int, easy_setopt, (void *, int, ...), ) \
    F(int, easy_getinfo, (void *, int, ...), ) \
    F(void, slist_free_all, (void *), ) \
    F(ccurl_message *, multi_info_read, (void *, int *), ) \
    F(int, multi_setopt, (void *, int, ...), ) \
    CCURL_FUNCTIONS(F)
#define MEMBER(result, name, parameters, arguments) result(*name) parameters;
#define SYMBOL(result, name, parameters, arguments) {&curl.name, "curl_" #name},
#define DEFINITION(result, name, parameters, arguments) \
    result ccurl_##name parameters { return curl.name arguments; }

static struct {
    FUNCTIONS(MEMBER)
} curl;

static char load_error[256];
static pthread_once_t load_once = PTHREAD_ONCE_INIT;

enum { global_default = 3, message_done = 1, version_first = 0, oldest_version = 0x074400 };

static int resolve(void *library) {
    struct {
        void *target;
        const char *name;
    } symbols[] = {
        FUNCTIONS(SYMBOL)
    };
    for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
        void *address = dlsym(library, symbols[index].name);
        if (!address) {
            snprintf(load_error, sizeof load_error, "libcurl has no function %s", symbols[index].name);
            return 1;
        }
        *(void **)symbols[index].target = address;
    }
    return 0;
}

// Prevents OpenSSL from freeing memory at exit that the threads of a transport still use. This has no effect if OpenSSL
// was initialized before.
static void disable_openssl_exit_handler(void *library) {
    enum { no_atexit = 0x80000 };
    int (*initialize)(uint64_t options, const void *settings) = NULL;
    *(void **)&initialize = dlsym(library, "OPENSSL_init_crypto");
    if (initialize) initialize(no_atexit, NULL);
}

static void load(void) {
    const char *const names[] = {"libcurl.so.4", "libcurl-gnutls.so.4", "libcurl.so"};
    void *library = NULL;
    for (size_t index = 0; !library && index < sizeof names / sizeof names[0]; index++) {
        library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        const char *reason = dlerror();
        snprintf(load_error, sizeof load_error, "%s", reason ? reason : "libcurl was not found");
    } else if (resolve(library) == 0) {
        disable_openssl_exit_handler(library);
        if (curl.global_init(global_default) != 0) {
            snprintf(load_error, sizeof load_error, "curl_global_init failed");
        } else if (ccurl_version() < oldest_version) {
            snprintf(load_error, sizeof load_error, "libcurl %s is older than 7.68",
                     curl.version_info(version_first)->version);
        }
    }
}

int ccurl_load(void) {
    pthread_once(&load_once, load);
    return load_error[0] != 0;
}

const char *ccurl_load_error(void) { return load_error; }

unsigned ccurl_version(void) { return curl.version_info(version_first)->version_num; }
int ccurl_features(void) { return curl.version_info(version_first)->features; }

CCURL_FUNCTIONS(DEFINITION)

void ccurl_easy_cleanup(void *easy) { curl.easy_cleanup(easy); }
void ccurl_slist_free_all(void *list) { curl.slist_free_all(list); }

int ccurl_easy_set_long(void *easy, int option, long value) { return curl.easy_setopt(easy, option, value); }
int ccurl_easy_set_offset(void *easy, int option, int64_t value) { return curl.easy_setopt(easy, option, value); }
int ccurl_easy_set_pointer(void *easy, int option, const void *value) { return curl.easy_setopt(easy, option, value); }

int ccurl_easy_set_data_callback(void *easy, int option, ccurl_data_callback callback) {
    return curl.easy_setopt(easy, option, callback);
}

#define SETTER(name, option) \
    int ccurl_easy_set_##name(void *easy, ccurl_##name callback) { return curl.easy_setopt(easy, option, callback); }
SETTER(seek_callback, CCURLOPT_SEEKFUNCTION)
SETTER(open_callback, CCURLOPT_OPENSOCKETFUNCTION)
SETTER(lookup_callback, CCURLOPT_RESOLVER_START_FUNCTION)
SETTER(request_callback, CCURLOPT_PREREQFUNCTION)
SETTER(close_callback, CCURLOPT_CLOSESOCKETFUNCTION)

int ccurl_easy_get(void *easy, int info, void *value) { return curl.easy_getinfo(easy, info, value); }

// Ends a connection whose peer is silent for 60 seconds and then does not answer four probes in 60 seconds.
static void keep_alive(int descriptor) {
    const int on = 1, idle = 60, interval = 15, probes = 4;
    setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof on);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, &idle, sizeof idle);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, &interval, sizeof interval);
    setsockopt(descriptor, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof probes);
}

int ccurl_open_socket(void *address) {
    const ccurl_address *wanted = address;
    int descriptor = socket(wanted->family, wanted->socktype | SOCK_CLOEXEC, wanted->protocol);
    if (descriptor >= 0 && wanted->socktype == SOCK_STREAM) keep_alive(descriptor);
    return descriptor;
}

int ccurl_local_port(int descriptor) {
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (getsockname(descriptor, (struct sockaddr *)&address, &length) != 0) return 0;
    if (address.ss_family == AF_INET) return ntohs(((struct sockaddr_in *)&address)->sin_port);
    return address.ss_family == AF_INET6 ? ntohs(((struct sockaddr_in6 *)&address)->sin6_port) : 0;
}

void *ccurl_multi_next_done(void *multi, int *code) {
    int left = 0;
    for (;;) {
        const ccurl_message *message = curl.multi_info_read(multi, &left);
        if (!message) return NULL;
        if (message->msg != message_done) continue;
        *code = message->data.result;
        return message->easy_handle;
    }
}

int ccurl_multi_set_long(void *multi, int option, long value) { return curl.multi_setopt(multi, option, value); }

void ccurl_multi_set_callbacks(
    void *multi, ccurl_socket_callback on_socket, ccurl_timer_callback on_timer, void *context) {
    curl.multi_setopt(multi, CCURLMOPT_SOCKETFUNCTION, on_socket);
    curl.multi_setopt(multi, CCURLMOPT_SOCKETDATA, context);
    curl.multi_setopt(multi, CCURLMOPT_TIMERFUNCTION, on_timer);
    curl.multi_setopt(multi, CCURLMOPT_TIMERDATA, context);
}

#if __has_include(<curl/curl.h>)
#include "layout.h"
#endif

#endif
