@_exported public import MoyaStreams
