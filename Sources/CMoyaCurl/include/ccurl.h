// The functions and constants of libcurl that Moya uses. They are declared here, and the library is loaded at run time, so
// that neither its headers nor a link flag is needed to build. The binary interface has been stable since libcurl.so.4
// (2006). If libcurl's header is present, ccurl.c compares every constant and layout with it.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// Options of a transfer: below 10000 a long, 1xxxx a pointer, 2xxxx a function, 3xxxx a 64-bit integer.
enum {
    CCURLOPT_WRITEDATA = 10001,
    CCURLOPT_URL = 10002,
    CCURLOPT_READDATA = 10009,
    CCURLOPT_ERRORBUFFER = 10010,
    CCURLOPT_WRITEFUNCTION = 20011,
    CCURLOPT_READFUNCTION = 20012,
    CCURLOPT_HTTPHEADER = 10023,
    CCURLOPT_HEADERDATA = 10029,
    CCURLOPT_CUSTOMREQUEST = 10036,
    CCURLOPT_NOPROGRESS = 43,
    CCURLOPT_NOBODY = 44,
    CCURLOPT_UPLOAD = 46,
    CCURLOPT_FOLLOWLOCATION = 52,
    CCURLOPT_HEADERFUNCTION = 20079,
    CCURLOPT_HTTPGET = 80,
    CCURLOPT_CONNECT_ONLY = 141,
    CCURLOPT_HTTPPROXYTUNNEL = 61,
    CCURLOPT_HTTP_VERSION = 84,
    CCURLOPT_BUFFERSIZE = 98,
    CCURLOPT_NOSIGNAL = 99,
    CCURLOPT_PRIVATE = 10103,
    CCURLOPT_INFILESIZE_LARGE = 30115,
    CCURLOPT_CONNECTTIMEOUT_MS = 156,
    CCURLOPT_OPENSOCKETFUNCTION = 20163,
    CCURLOPT_OPENSOCKETDATA = 10164,
    CCURLOPT_PREREQFUNCTION = 20312,
    CCURLOPT_PREREQDATA = 10313,
    CCURLOPT_RESOLVER_START_FUNCTION = 20272,
    CCURLOPT_RESOLVER_START_DATA = 10273,
    CCURLOPT_CLOSESOCKETFUNCTION = 20208,
    CCURLOPT_CLOSESOCKETDATA = 10209,
    CCURLOPT_PROXY = 10004,
    CCURLOPT_NOPROXY = 10177,
    CCURLOPT_SEEKFUNCTION = 20167,
    CCURLOPT_SEEKDATA = 10168,
    CCURLOPT_PROTOCOLS = 181,
    CCURLOPT_PATH_AS_IS = 234,
    CCURLOPT_PIPEWAIT = 237,
    CCURLOPT_SUPPRESS_CONNECT_HEADERS = 265,
    CCURLOPT_HTTP09_ALLOWED = 285,
    CCURLOPT_PROTOCOLS_STR = 10318,
    CCURLOPT_QUICK_EXIT = 322,
    CCURLOPT_SSLCERT = 10025,
    CCURLOPT_KEYPASSWD = 10026,
    CCURLOPT_SSLVERSION = 32,
    CCURLOPT_FRESH_CONNECT = 74,
    CCURLOPT_CAINFO = 10065,
    CCURLOPT_SSLKEY = 10087,
    CCURLOPT_CAPATH = 10097,
    CCURLOPT_PINNEDPUBLICKEY = 10230,
    CCURLOPT_PROXY_CAINFO = 10246,
    CCURLOPT_PROXY_CAPATH = 10247,
    CCURLOPT_PROXY_SSLVERSION = 250,
    CCURLOPT_PROXY_SSLCERT = 10254,
    CCURLOPT_PROXY_SSLKEY = 10256,
    CCURLOPT_PROXY_KEYPASSWD = 10258,
    CCURLOPT_PROXY_PINNEDPUBLICKEY = 10263,
    CCURLOPT_PROXYHEADER = 10228,
    CCURL_SSLVERSION_TLSv1_2 = 6,
    CCURL_SSLVERSION_TLSv1_3 = 7,
};

// Information about a transfer.
enum {
    CCURLINFO_PRIVATE = 0x100015,
    CCURLINFO_ACTIVESOCKET = 0x50002c,
    CCURLINFO_SIZE_UPLOAD_T = 0x600007,
    CCURLINFO_SIZE_DOWNLOAD_T = 0x600008,
    CCURLINFO_HEADER_SIZE = 0x20000b,
    CCURLINFO_REQUEST_SIZE = 0x20000c,
    CCURLINFO_PRIMARY_IP = 0x100020,
    CCURLINFO_PRIMARY_PORT = 0x200028,
    CCURLINFO_NUM_CONNECTS = 0x20001a,
    CCURLINFO_HTTP_CONNECTCODE = 0x200016,
    CCURLINFO_SSL_VERIFYRESULT = 0x20000d,
    CCURLINFO_PROXY_SSL_VERIFYRESULT = 0x20002f,
    CCURLINFO_USED_PROXY = 0x200042,
    CCURLINFO_TOTAL_TIME_T = 0x600032,
    CCURLINFO_NAMELOOKUP_TIME_T = 0x600033,
    CCURLINFO_CONNECT_TIME_T = 0x600034,
    CCURLINFO_PRETRANSFER_TIME_T = 0x600035,
    CCURLINFO_STARTTRANSFER_TIME_T = 0x600036,
    CCURLINFO_APPCONNECT_TIME_T = 0x600038,
    CCURLINFO_POSTTRANSFER_TIME_T = 0x600043,
};

// Options of the set of transfers.
enum {
    CCURLMOPT_SOCKETFUNCTION = 20001,
    CCURLMOPT_SOCKETDATA = 10002,
    CCURLMOPT_PIPELINING = 3,
    CCURLMOPT_TIMERFUNCTION = 20004,
    CCURLMOPT_TIMERDATA = 10005,
    CCURLMOPT_MAXCONNECTS = 6,
    CCURLMOPT_MAX_HOST_CONNECTIONS = 7,
    CCURLMOPT_MAX_CONCURRENT_STREAMS = 16,
};

// Values of options, results of callbacks, and flags.
enum {
    CCURL_ERROR_SIZE = 256,
    CCURL_WRITEFUNC_PAUSE = 0x10000001,
    CCURL_READFUNC_PAUSE = 0x10000001,
    CCURL_READFUNC_ABORT = 0x10000000,
    CCURL_SEEKFUNC_OK = 0,
    CCURL_SEEKFUNC_FAIL = 1,
    CCURL_PREREQFUNC_OK = 0,
    CCURL_PREREQFUNC_ABORT = 1,
    CCURL_SOCKET_TIMEOUT = -1,
    CCURL_CSELECT_IN = 1,
    CCURL_CSELECT_OUT = 2,
    CCURL_POLL_IN = 1,
    CCURL_POLL_OUT = 2,
    CCURL_POLL_INOUT = 3,
    CCURL_POLL_REMOVE = 4,
    CCURLPIPE_MULTIPLEX = 2,
    CCURL_HTTP_VERSION_1_1 = 2,
    CCURL_HTTP_VERSION_2TLS = 4,
    CCURLPROTO_HTTP_HTTPS = 3,
    CCURLPAUSE_CONT = 0,
    CCURL_VERSION_HTTP2 = 0x10000,
    CCURL_VERSION_HTTPS_PROXY = 0x200000,
};

// Result codes of a transfer.
enum {
    CCURLE_OK = 0,
    CCURLE_UNSUPPORTED_PROTOCOL = 1,
    CCURLE_URL_MALFORMAT = 3,
    CCURLE_NOT_BUILT_IN = 4,
    CCURLE_COULDNT_RESOLVE_PROXY = 5,
    CCURLE_COULDNT_RESOLVE_HOST = 6,
    CCURLE_COULDNT_CONNECT = 7,
    CCURLE_WEIRD_SERVER_REPLY = 8,
    CCURLE_HTTP2 = 16,
    CCURLE_PARTIAL_FILE = 18,
    CCURLE_WRITE_ERROR = 23,
    CCURLE_READ_ERROR = 26,
    CCURLE_OUT_OF_MEMORY = 27,
    CCURLE_OPERATION_TIMEDOUT = 28,
    CCURLE_SSL_CONNECT_ERROR = 35,
    CCURLE_ABORTED_BY_CALLBACK = 42,
    CCURLE_BAD_FUNCTION_ARGUMENT = 43,
    CCURLE_UNKNOWN_OPTION = 48,
    CCURLE_GOT_NOTHING = 52,
    CCURLE_SSL_ENGINE_NOTFOUND = 53,
    CCURLE_SSL_ENGINE_SETFAILED = 54,
    CCURLE_SEND_ERROR = 55,
    CCURLE_RECV_ERROR = 56,
    CCURLE_SSL_CERTPROBLEM = 58,
    CCURLE_SSL_CIPHER = 59,
    CCURLE_PEER_FAILED_VERIFICATION = 60,
    CCURLE_BAD_CONTENT_ENCODING = 61,
    CCURLE_SEND_FAIL_REWIND = 65,
    CCURLE_SSL_CACERT_BADFILE = 77,
    CCURLE_SSL_ISSUER_ERROR = 83,
    CCURLE_SSL_PINNEDPUBKEYNOTMATCH = 90,
    CCURLE_AGAIN = 81,
    CCURLE_SSL_INVALIDCERTSTATUS = 91,
    CCURLE_HTTP2_STREAM = 92,
    CCURLE_PROXY = 97,
    CCURLE_SSL_CLIENTCERT = 98,
    CCURLE_TOO_LARGE = 100,
};

typedef size_t (*ccurl_data_callback)(char *buffer, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, int64_t offset, int origin);
typedef int (*ccurl_open_callback)(void *context, int purpose, void *address);
typedef int (*ccurl_lookup_callback)(void *resolver, void *reserved, void *context);
typedef int (*ccurl_request_callback)(
    void *context, char *primary_address, char *local_address, int primary_port, int local_port);
typedef int (*ccurl_close_callback)(void *context, int socket);
typedef int (*ccurl_socket_callback)(void *easy, int socket, int what, void *context, void *socket_context);
typedef int (*ccurl_timer_callback)(void *multi, long timeout_ms, void *context);

// Loads libcurl once. Returns 0, or 1 if no compatible version was found: then ccurl_load_error returns the reason, and
// no other function may be called.
int ccurl_load(void);
const char *ccurl_load_error(void);

// These return the version of libcurl as 0xMMmmpp, and the features that it was built with.
unsigned ccurl_version(void);
int ccurl_features(void);

void *ccurl_easy_init(void);
void ccurl_easy_cleanup(void *easy);
int ccurl_easy_pause(void *easy, int mask);
const char *ccurl_easy_strerror(int code);
int ccurl_easy_set_long(void *easy, int option, long value);
int ccurl_easy_set_offset(void *easy, int option, int64_t value);
int ccurl_easy_set_pointer(void *easy, int option, const void *value);
int ccurl_easy_set_data_callback(void *easy, int option, ccurl_data_callback callback);
int ccurl_easy_set_seek_callback(void *easy, ccurl_seek_callback callback);
// Sets the callback that opens a socket with ccurl_open_socket, or returns -1 to fail the connection.
int ccurl_easy_set_open_callback(void *easy, ccurl_open_callback callback, void *context);
int ccurl_open_socket(void *address);
// Sets the callback that is called before a name is resolved, even if the name is an address. If its result is not 0, the
// transfer fails.
int ccurl_easy_set_lookup_callback(void *easy, ccurl_lookup_callback callback, void *context);

// Sets the callback that is called each time before a request is sent. If it returns CCURL_PREREQFUNC_ABORT, the request is
// not sent. Fails with libcurl before 7.80.
int ccurl_easy_set_request_callback(void *easy, ccurl_request_callback callback, void *context);
// Sets the callback that closes the sockets that the open callback has opened.
int ccurl_easy_set_close_callback(void *easy, ccurl_close_callback callback, void *context);
int ccurl_easy_get_long(void *easy, int info, long *value);
int ccurl_easy_get_offset(void *easy, int info, int64_t *value);
int ccurl_easy_get_pointer(void *easy, int info, void **value);

// Returns the socket of a connection that was made with CCURLOPT_CONNECT_ONLY, or -1.
int ccurl_easy_get_socket(void *easy);
// Send and receive bytes on such a connection. They do not block: their result is CCURLE_AGAIN if the socket is not ready.
int ccurl_easy_send(void *easy, const void *bytes, size_t length, size_t *sent);
int ccurl_easy_receive(void *easy, void *buffer, size_t length, size_t *received);

void *ccurl_slist_append(void *list, const char *string);
void ccurl_slist_free_all(void *list);

void *ccurl_multi_init(void);
void ccurl_multi_cleanup(void *multi);
int ccurl_multi_add_handle(void *multi, void *easy);
int ccurl_multi_remove_handle(void *multi, void *easy);
int ccurl_multi_socket_action(void *multi, int socket, int events, int *running);
// Returns the next transfer that has ended, with its result code, or null if there is none.
void *ccurl_multi_next_done(void *multi, int *code);
int ccurl_multi_set_long(void *multi, int option, long value);
int ccurl_multi_set_callbacks(
    void *multi, ccurl_socket_callback on_socket, ccurl_timer_callback on_timer, void *context);

#endif
