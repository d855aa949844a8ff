@_exported public import MoyaHTTP
@_exported public import MoyaURLSession

#if canImport(MoyaCurl)
    @_exported public import MoyaCurl
#endif
