@_exported public import MoyaHTTP
@_exported public import MoyaURLSession

#if os(Linux)
    @_exported public import MoyaCurl
#endif
