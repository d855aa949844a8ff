// Compares every constant and layout of ccurl.h and ccurl.c with the real header.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
#include <curl/curl.h>
#include <stddef.h>

#define SAME(ours, theirs) _Static_assert((long)(ours) == (long)(theirs), #ours)

#define SAME_CONSTANT(name, value) SAME(C##name, name);

CCURL_7_68(SAME_CONSTANT)
#if LIBCURL_VERSION_NUM >= 0x074900
CCURL_7_73(SAME_CONSTANT)
#endif
#if LIBCURL_VERSION_NUM >= 0x074d00
CCURL_7_77(SAME_CONSTANT)
#endif
#if LIBCURL_VERSION_NUM >= 0x075000
CCURL_7_80(SAME_CONSTANT)
#endif
#if LIBCURL_VERSION_NUM >= 0x075700
CCURL_7_87(SAME_CONSTANT)
#endif
#if LIBCURL_VERSION_NUM >= 0x080600
CCURL_8_6(SAME_CONSTANT)
#endif
#if LIBCURL_VERSION_NUM >= 0x080700
CCURL_8_7(SAME_CONSTANT)
#endif
#if LIBCURL_VERSION_NUM >= 0x080a00
CCURL_8_10(SAME_CONSTANT)
#endif
SAME(CCURLPROTO_HTTP_HTTPS, CURLPROTO_HTTP | CURLPROTO_HTTPS);
SAME(global_default, CURL_GLOBAL_DEFAULT);
SAME(message_done, CURLMSG_DONE);
SAME(version_first, CURLVERSION_FIRST);
SAME(sizeof(ccurl_message), sizeof(CURLMsg));
SAME(offsetof(ccurl_message, easy_handle), offsetof(CURLMsg, easy_handle));
SAME(offsetof(ccurl_message, data), offsetof(CURLMsg, data));
SAME(offsetof(ccurl_version_info, version_num), offsetof(curl_version_info_data, version_num));
SAME(offsetof(ccurl_version_info, features), offsetof(curl_version_info_data, features));
SAME(offsetof(ccurl_address, addr), offsetof(struct curl_sockaddr, addr));
SAME(sizeof(curl_socket_t), sizeof(int));
SAME(sizeof(curl_off_t), sizeof(int64_t));
