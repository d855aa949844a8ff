// The functions and constants of libcurl that Moya uses. They are declared here, and the library is loaded at run time, so
// that neither its headers nor a link flag is needed to build. The binary interface has been stable since libcurl.so.4
// (2006). If libcurl's header is present, layout.h compares every constant and layout with it.
#ifndef CCURL_H
#define CCURL_H

#include <stddef.h>
#include <stdint.h>

// The constants, by the version of libcurl that has added them. Of the options, those below 10000 take a long, 1xxxx a
// pointer, 2xxxx a function, and 3xxxx a 64-bit integer.
#define CCURL_7_68(C) \
    C(CURLOPT_WRITEDATA, 10001) \
    C(CURLOPT_URL, 10002) \
    C(CURLOPT_READDATA, 10009) \
    C(CURLOPT_ERRORBUFFER, 10010) \
    C(CURLOPT_WRITEFUNCTION, 20011) \
    C(CURLOPT_READFUNCTION, 20012) \
    C(CURLOPT_HTTPHEADER, 10023) \
    C(CURLOPT_HEADERDATA, 10029) \
    C(CURLOPT_CUSTOMREQUEST, 10036) \
    C(CURLOPT_NOPROGRESS, 43) \
    C(CURLOPT_NOBODY, 44) \
    C(CURLOPT_UPLOAD, 46) \
    C(CURLOPT_FOLLOWLOCATION, 52) \
    C(CURLOPT_HEADERFUNCTION, 20079) \
    C(CURLOPT_HTTPGET, 80) \
    C(CURLOPT_CONNECT_ONLY, 141) \
    C(CURLOPT_HTTPPROXYTUNNEL, 61) \
    C(CURLOPT_HTTP_VERSION, 84) \
    C(CURLOPT_BUFFERSIZE, 98) \
    C(CURLOPT_NOSIGNAL, 99) \
    C(CURLOPT_PRIVATE, 10103) \
    C(CURLOPT_INFILESIZE_LARGE, 30115) \
    C(CURLOPT_CONNECTTIMEOUT_MS, 156) \
    C(CURLOPT_OPENSOCKETFUNCTION, 20163) \
    C(CURLOPT_OPENSOCKETDATA, 10164) \
    C(CURLOPT_RESOLVER_START_FUNCTION, 20272) \
    C(CURLOPT_RESOLVER_START_DATA, 10273) \
    C(CURLOPT_CLOSESOCKETFUNCTION, 20208) \
    C(CURLOPT_CLOSESOCKETDATA, 10209) \
    C(CURLOPT_PROXY, 10004) \
    C(CURLOPT_NOPROXY, 10177) \
    C(CURLOPT_SEEKFUNCTION, 20167) \
    C(CURLOPT_SEEKDATA, 10168) \
    C(CURLOPT_PROTOCOLS, 181) \
    C(CURLOPT_PATH_AS_IS, 234) \
    C(CURLOPT_PIPEWAIT, 237) \
    C(CURLOPT_SUPPRESS_CONNECT_HEADERS, 265) \
    C(CURLOPT_HTTP09_ALLOWED, 285) \
    C(CURLOPT_SSLCERT, 10025) \
    C(CURLOPT_KEYPASSWD, 10026) \
    C(CURLOPT_SSLVERSION, 32) \
    C(CURLOPT_FRESH_CONNECT, 74) \
    C(CURLOPT_FORBID_REUSE, 75) \
    C(CURLOPT_CAINFO, 10065) \
    C(CURLOPT_SSLKEY, 10087) \
    C(CURLOPT_CAPATH, 10097) \
    C(CURLOPT_PINNEDPUBLICKEY, 10230) \
    C(CURLOPT_PROXY_CAINFO, 10246) \
    C(CURLOPT_PROXY_CAPATH, 10247) \
    C(CURLOPT_PROXY_SSLVERSION, 250) \
    C(CURLOPT_PROXY_SSLCERT, 10254) \
    C(CURLOPT_PROXY_SSLKEY, 10256) \
    C(CURLOPT_PROXY_KEYPASSWD, 10258) \
    C(CURLOPT_PROXY_PINNEDPUBLICKEY, 10263) \
    C(CURLOPT_PROXYHEADER, 10228) \
    C(CURL_SSLVERSION_TLSv1_2, 6) \
    C(CURL_SSLVERSION_TLSv1_3, 7) \
    C(CURLINFO_PRIVATE, 0x100015) \
    C(CURLINFO_ACTIVESOCKET, 0x50002c) \
    C(CURLINFO_SIZE_UPLOAD_T, 0x600007) \
    C(CURLINFO_SIZE_DOWNLOAD_T, 0x600008) \
    C(CURLINFO_HEADER_SIZE, 0x20000b) \
    C(CURLINFO_REQUEST_SIZE, 0x20000c) \
    C(CURLINFO_PRIMARY_IP, 0x100020) \
    C(CURLINFO_PRIMARY_PORT, 0x200028) \
    C(CURLINFO_LOCAL_PORT, 0x20002a) \
    C(CURLINFO_NUM_CONNECTS, 0x20001a) \
    C(CURLINFO_HTTP_CONNECTCODE, 0x200016) \
    C(CURLINFO_SSL_VERIFYRESULT, 0x20000d) \
    C(CURLINFO_PROXY_SSL_VERIFYRESULT, 0x20002f) \
    C(CURLINFO_TOTAL_TIME_T, 0x600032) \
    C(CURLINFO_NAMELOOKUP_TIME_T, 0x600033) \
    C(CURLINFO_CONNECT_TIME_T, 0x600034) \
    C(CURLINFO_PRETRANSFER_TIME_T, 0x600035) \
    C(CURLINFO_STARTTRANSFER_TIME_T, 0x600036) \
    C(CURLINFO_APPCONNECT_TIME_T, 0x600038) \
    C(CURLMOPT_SOCKETFUNCTION, 20001) \
    C(CURLMOPT_SOCKETDATA, 10002) \
    C(CURLMOPT_PIPELINING, 3) \
    C(CURLMOPT_TIMERFUNCTION, 20004) \
    C(CURLMOPT_TIMERDATA, 10005) \
    C(CURLMOPT_MAXCONNECTS, 6) \
    C(CURLMOPT_MAX_HOST_CONNECTIONS, 7) \
    C(CURLMOPT_MAX_CONCURRENT_STREAMS, 16) \
    C(CURL_ERROR_SIZE, 256) \
    C(CURL_WRITEFUNC_PAUSE, 0x10000001) \
    C(CURL_READFUNC_PAUSE, 0x10000001) \
    C(CURL_READFUNC_ABORT, 0x10000000) \
    C(CURL_SEEKFUNC_OK, 0) \
    C(CURL_SEEKFUNC_FAIL, 1) \
    C(CURL_SOCKET_TIMEOUT, -1) \
    C(CURL_CSELECT_IN, 1) \
    C(CURL_CSELECT_OUT, 2) \
    C(CURL_POLL_IN, 1) \
    C(CURL_POLL_OUT, 2) \
    C(CURL_POLL_REMOVE, 4) \
    C(CURLPIPE_MULTIPLEX, 2) \
    C(CURL_HTTP_VERSION_1_1, 2) \
    C(CURL_HTTP_VERSION_2TLS, 4) \
    C(CURLPAUSE_CONT, 0) \
    C(CURL_VERSION_HTTP2, 0x10000) \
    C(CURL_VERSION_HTTPS_PROXY, 0x200000) \
    C(CURLE_UNSUPPORTED_PROTOCOL, 1) \
    C(CURLE_URL_MALFORMAT, 3) \
    C(CURLE_NOT_BUILT_IN, 4) \
    C(CURLE_COULDNT_RESOLVE_PROXY, 5) \
    C(CURLE_COULDNT_RESOLVE_HOST, 6) \
    C(CURLE_COULDNT_CONNECT, 7) \
    C(CURLE_WEIRD_SERVER_REPLY, 8) \
    C(CURLE_HTTP2, 16) \
    C(CURLE_PARTIAL_FILE, 18) \
    C(CURLE_WRITE_ERROR, 23) \
    C(CURLE_READ_ERROR, 26) \
    C(CURLE_OUT_OF_MEMORY, 27) \
    C(CURLE_OPERATION_TIMEDOUT, 28) \
    C(CURLE_SSL_CONNECT_ERROR, 35) \
    C(CURLE_ABORTED_BY_CALLBACK, 42) \
    C(CURLE_BAD_FUNCTION_ARGUMENT, 43) \
    C(CURLE_UNKNOWN_OPTION, 48) \
    C(CURLE_GOT_NOTHING, 52) \
    C(CURLE_SSL_ENGINE_NOTFOUND, 53) \
    C(CURLE_SSL_ENGINE_SETFAILED, 54) \
    C(CURLE_SEND_ERROR, 55) \
    C(CURLE_RECV_ERROR, 56) \
    C(CURLE_SSL_CERTPROBLEM, 58) \
    C(CURLE_SSL_CIPHER, 59) \
    C(CURLE_PEER_FAILED_VERIFICATION, 60) \
    C(CURLE_BAD_CONTENT_ENCODING, 61) \
    C(CURLE_SEND_FAIL_REWIND, 65) \
    C(CURLE_SSL_CACERT_BADFILE, 77) \
    C(CURLE_SSL_ISSUER_ERROR, 83) \
    C(CURLE_SSL_PINNEDPUBKEYNOTMATCH, 90) \
    C(CURLE_AGAIN, 81) \
    C(CURLE_SSL_INVALIDCERTSTATUS, 91) \
    C(CURLE_HTTP2_STREAM, 92)

#define CCURL_7_73(C) C(CURLE_PROXY, 97)
#define CCURL_7_77(C) C(CURLE_SSL_CLIENTCERT, 98)
#define CCURL_7_80(C) \
    C(CURLOPT_PREREQFUNCTION, 20312) C(CURLOPT_PREREQDATA, 10313) C(CURL_PREREQFUNC_OK, 0) C(CURL_PREREQFUNC_ABORT, 1)
#define CCURL_7_87(C) C(CURLOPT_QUICK_EXIT, 322)
#define CCURL_8_6(C) C(CURLE_TOO_LARGE, 100)
#define CCURL_8_7(C) C(CURLINFO_USED_PROXY, 0x200042)
#define CCURL_8_10(C) C(CURLINFO_POSTTRANSFER_TIME_T, 0x600043)

#define CCURL_CONSTANT(name, value) C##name = value,
enum {
    CCURL_7_68(CCURL_CONSTANT) CCURL_7_73(CCURL_CONSTANT) CCURL_7_77(CCURL_CONSTANT) CCURL_7_80(CCURL_CONSTANT)
    CCURL_7_87(CCURL_CONSTANT) CCURL_8_6(CCURL_CONSTANT) CCURL_8_7(CCURL_CONSTANT) CCURL_8_10(CCURL_CONSTANT)
    CCURLPROTO_HTTP_HTTPS = 3,
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

// The functions of libcurl that are called as they are: their results, names, parameters and arguments. `easy_send` and
// `easy_recv`, for a connection made with CCURLOPT_CONNECT_ONLY, do not block: their result is CCURLE_AGAIN if the socket
// is not ready.
#define CCURL_FUNCTIONS(F) \
    F(void *, easy_init, (void), ()) \
    F(int, easy_pause, (void *easy, int mask), (easy, mask)) \
    F(int, easy_send, (void *easy, const void *bytes, size_t length, size_t *sent), (easy, bytes, length, sent)) \
    F(int, easy_recv, (void *easy, void *buffer, size_t length, size_t *received), (easy, buffer, length, received)) \
    F(const char *, easy_strerror, (int code), (code)) \
    F(void *, slist_append, (void *list, const char *string), (list, string)) \
    F(void *, multi_init, (void), ()) \
    F(int, multi_cleanup, (void *multi), (multi)) \
    F(int, multi_add_handle, (void *multi, void *easy), (multi, easy)) \
    F(int, multi_remove_handle, (void *multi, void *easy), (multi, easy)) \
    F(int, multi_socket_action, (void *multi, int socket, int events, int *running), (multi, socket, events, running))
#define CCURL_DECLARATION(result, name, parameters, arguments) result ccurl_##name parameters;
CCURL_FUNCTIONS(CCURL_DECLARATION)

// These return the version of libcurl as 0xMMmmpp, and the features that it was built with.
unsigned ccurl_version(void);
int ccurl_features(void);

void ccurl_easy_cleanup(void *easy);
void ccurl_slist_free_all(void *list);
int ccurl_easy_set_long(void *easy, int option, long value);
int ccurl_easy_set_offset(void *easy, int option, int64_t value);
int ccurl_easy_set_pointer(void *easy, int option, const void *value);
int ccurl_easy_set_data_callback(void *easy, int option, ccurl_data_callback callback);
int ccurl_easy_set_seek_callback(void *easy, ccurl_seek_callback callback);
// Sets the callback that opens a socket with ccurl_open_socket, or returns -1 to fail the connection.
int ccurl_easy_set_open_callback(void *easy, ccurl_open_callback callback);
int ccurl_open_socket(void *address);
// Returns the port on this machine to which a socket is bound, or 0.
int ccurl_local_port(int descriptor);
// Sets the callback that is called before a name is resolved, even if the name is an address. If its result is not 0, the
// transfer fails.
int ccurl_easy_set_lookup_callback(void *easy, ccurl_lookup_callback callback);

// Sets the callback that is called each time before a request is sent. If it returns CCURL_PREREQFUNC_ABORT, the request is
// not sent. Fails with libcurl before 7.80.
int ccurl_easy_set_request_callback(void *easy, ccurl_request_callback callback);
// Sets the callback that closes the sockets that the open callback has opened.
int ccurl_easy_set_close_callback(void *easy, ccurl_close_callback callback);
// Sets `value`, which must have the type of the information: 0x1xxxxx is a pointer, 0x2xxxxx a long, 0x5xxxxx a socket (an
// int), and 0x6xxxxx a 64-bit integer.
int ccurl_easy_get(void *easy, int info, void *value);

// Returns the next transfer that has ended, with its result code, or null if there is none.
void *ccurl_multi_next_done(void *multi, int *code);
int ccurl_multi_set_long(void *multi, int option, long value);
void ccurl_multi_set_callbacks(
    void *multi, ccurl_socket_callback on_socket, ccurl_timer_callback on_timer, void *context);

#endif
