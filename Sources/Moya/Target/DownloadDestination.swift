public import Foundation

/// Returns the URL of the file that a complete download is moved to.
///
/// The closure receives the URL of the temporary file and the head of the response. The provider calls the closure only
/// if the response is complete, its status code is 200 to 299, and the target's validation accepts it. The returned URL
/// is also the value of `Response.fileURL`. The content of a response with another status code is in `Response.data`,
/// and no file is changed.
///
/// ```swift
/// .downloadDestination({ _, _ in (photo, [.removePreviousFile]) }, partialFile: caches.appending(path: "photo.part"))
/// ```
/// With a `partialFile`, the content is first written to that file. The file remains if the download is interrupted.
/// The next download requests only the missing bytes (RFC 9110, section 14.2) if the server identified the version of
/// the content by a strong `ETag` or a `Last-Modified` field. If the version has changed, the download starts over.
/// The version is stored in a second file, such as `photo.part.version`, in the same directory. If this file is missing
/// or damaged, the download starts over. Only one download at a time may use a partial file.
///
/// While content is received, only the user of the process can read its file. The file at the destination has the mode
/// of other files that the process creates there, as its umask determines it.
public typealias DownloadDestination =
    @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: DownloadOptions)

/// Options for moving a download to its destination.
public struct DownloadOptions: OptionSet, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// Creates a set of options.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Creates missing directories of the destination; without this option, a missing directory is an error.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1)
    /// Replaces an existing file; without this option, an existing file is an error.
    public static let removePreviousFile = DownloadOptions(rawValue: 2)
}

extension RequestTask {
    /// Returns a task that writes the content of the response to a file, and creates missing directories.
    ///
    /// ```swift
    /// var task: RequestTask { .download(to: .documentsDirectory.appending(path: "photo.jpeg")) }
    /// ```
    /// With a partial file, an interrupted download is resumed, also in another process. For a file whose name depends
    /// on the response, see ``DownloadDestination``.
    ///
    /// - Parameters:
    ///   - file: the URL of the file.
    ///   - parameters: the parameters of the request.
    ///   - encoding: how the parameters are sent. Defaults to the query.
    ///   - partialFile: the URL of a file that keeps the content of an incomplete download. Without it, each download
    ///     starts from the beginning.
    ///   - overwrite: whether an existing file is replaced. If `false`, an existing file is an error. Defaults to
    ///     `true`.
    public static func download(
        to file: URL, parameters: [String: any Sendable]? = nil,
        encoding: any ParameterEncoding = URLEncoding.queryString, partialFile: URL? = nil, overwrite: Bool = true
    ) -> RequestTask {
        let options: DownloadOptions =
            overwrite ? [.createIntermediateDirectories, .removePreviousFile] : .createIntermediateDirectories
        let destination: DownloadDestination = { _, _ in (file, options) }
        guard let parameters else { return .downloadDestination(destination, partialFile: partialFile) }
        return .downloadParameters(
            parameters: parameters, encoding: encoding, destination: destination, partialFile: partialFile)
    }

    /// Returns a destination in a directory, with the file name that the server suggests (RFC 6266).
    ///
    /// Without a suggestion, the name is the last path component of the response's URL. In the name, `/`, `\`, `:` and
    /// control characters are replaced by `_`, and leading dots and spaces are removed. The name is cut to 255 bytes.
    /// An empty name becomes `download`.
    public static func suggestedDestination(
        in folder: URL, options: DownloadOptions = [.createIntermediateDirectories]
    ) -> DownloadDestination {
        { _, response in (folder.appending(path: response.safeFilename), options) }
    }
}

extension HTTPURLResponse {
    fileprivate var safeFilename: String {
        // Foundation's `suggestedFilename` differs between platforms, and does not know `filename*`.
        let field = value(forHTTPHeaderField: "Content-Disposition")
        let suggested =
            field?.parameter("filename*").flatMap(Self.decoded) ?? field?.parameter("filename")
            ?? url.map { $0.lastPathComponent == "/" ? "" : $0.lastPathComponent } ?? ""
        let escaped = suggested.escaping {
            "/\\:".unicodeScalars.contains($0) || $0.properties.generalCategory == .control ? "_" : nil
        }
        var name = String(escaped.unicodeScalars.drop { $0 == "." || $0 == " " })
        while name.utf8.count > 255 { name.removeLast() }
        return name.isEmpty ? "download" : name
    }

    /// Decodes an extended parameter (RFC 8187, section 3.2), such as `UTF-8''%e2%82%ac.txt`.
    private static func decoded(_ parameter: String) -> String? {
        let parts = parameter.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].lowercased() == "utf-8" else { return nil }
        return parts[2].removingPercentEncoding
    }
}
