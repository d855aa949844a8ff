@_exported public import MoyaHTTP
