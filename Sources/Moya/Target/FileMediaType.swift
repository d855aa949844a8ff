import Foundation

/// Maps the extensions of file names to media types.
enum FileMediaType {
    /// Returns the media type for the name of a file; `application/octet-stream` if the extension is unknown.
    static func ofFile(named name: String) -> String {
        let suffix = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last?.lowercased() ?? ""
        return known[suffix] ?? "application/octet-stream"
    }

    private static let known = [
        "avif": "image/avif", "csv": "text/csv", "gif": "image/gif", "gz": "application/gzip", "heic": "image/heic",
        "htm": "text/html", "html": "text/html", "jpeg": "image/jpeg", "jpg": "image/jpeg", "json": "application/json",
        "m4a": "audio/mp4", "md": "text/markdown", "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "pdf": "application/pdf", "png": "image/png", "svg": "image/svg+xml", "tar": "application/x-tar",
        "txt": "text/plain", "wav": "audio/wav", "webm": "video/webm", "webp": "image/webp", "xml": "application/xml",
        "zip": "application/zip",
    ]
}
