public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Returns the file URL that a download is moved to, given its temporary file and the response head.
///
/// Called when a response is complete, has a status code of 200 to 299, and is accepted by the target's validation.
/// `Response.fileURL` is then the returned URL. The content of other responses is in `Response.data`; they change no
/// file.
///
/// ```swift
/// .downloadDestination({ _, _ in (photo, [.removePreviousFile]) }, partialFile: caches.appending(path: "photo.part"))
/// ```
/// With a `partialFile`, the content is first written to that file, which remains if the download is interrupted. The
/// next download requests the missing bytes only (RFC 9110, section 14.2) if the server identified the version of the
/// content by a strong `ETag` or a `Last-Modified` field. If the version has changed, the download starts over. The
/// version is stored in a file next to the partial file, with the extension `version`. Only one download at a time may
/// use a partial file.
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

    /// Creates missing directories.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1)
    /// Replaces an existing file; without this option, an existing file is an error.
    public static let removePreviousFile = DownloadOptions(rawValue: 2)
}

extension RequestTask {
    /// Returns a task that writes the content of the response to a file, whose missing directories are created.
    ///
    /// ```swift
    /// var task: RequestTask { .download(to: .documentsDirectory.appending(path: "photo.jpeg")) }
    /// ```
    /// For a file whose name depends on the response, and for resumable downloads, see ``DownloadDestination``.
    ///
    /// - Parameters:
    ///   - file: the URL of the file.
    ///   - overwrite: whether an existing file is replaced. If `false`, an existing file is an error. Defaults to
    ///     `true`.
    public static func download(to file: URL, overwrite: Bool = true) -> RequestTask {
        let options: DownloadOptions =
            overwrite ? [.createIntermediateDirectories, .removePreviousFile] : .createIntermediateDirectories
        return .downloadDestination({ _, _ in (file, options) })
    }

    /// Returns a destination in a directory, with the name that the server suggests (RFC 6266), or else the last
    /// component of the URL's path.
    ///
    /// In the name, `/`, `\`, `:` and control characters are replaced by `_`, and leading dots and spaces are removed.
    /// The name has at most 255 bytes; an empty one becomes `download`.
    public static func suggestedDestination(
        in folder: URL, options: DownloadOptions = [.createIntermediateDirectories]
    ) -> DownloadDestination {
        { _, response in (folder.appending(path: response.safeFilename), options) }
    }
}

extension HTTPURLResponse {
    fileprivate var safeFilename: String {
        // Without a `Content-Disposition` field, `suggestedFilename` depends on the platform.
        let isSaid = value(forHTTPHeaderField: "Content-Disposition") != nil
        let suggested = (isSaid ? suggestedFilename : url?.lastPathComponent) ?? ""
        let characters = suggested.unicodeScalars.map { scalar -> Character in
            "/\\:".unicodeScalars.contains(scalar) || scalar.properties.generalCategory == .control
                ? "_" : Character(scalar)
        }
        var name = String(characters.drop { $0 == "." || $0 == " " })
        while name.utf8.count > 255 { name.removeLast() }
        return name.isEmpty ? "download" : name
    }
}
