extension HTTPHeaders {
    /// The names, in lower case, of header fields whose values are not secret.
    package static let nonSensitiveNames: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "accept-ranges", "age", "allow",
        "cache-control", "connection", "content-disposition", "content-encoding", "content-language", "content-length",
        "content-range", "content-type", "date", "etag", "expect", "expires", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "last-modified", "range", "retry-after", "server", "te",
        "trailer", "transfer-encoding", "upgrade", "user-agent", "vary", "via", "warning",
    ]
}
