public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Where a download goes: given the file that it was collected in and the response head, the place to move it to.
///
/// Called when an answer with a status code of 200 to 299 is complete and the target's validation accepts it; the content of
/// another answer is in `Response.data`, and no file is touched. The place is then `Response.fileURL`.
///
/// ```swift
/// .downloadDestination({ _, _ in (photo, [.removePreviousFile]) }, partialFile: caches.appending(path: "photo.part"))
/// ```
/// With a `partialFile` the content is collected there, and what an interrupted download left is kept: the next one asks for
/// the rest (RFC 9110, section 14.2), if the server said by a strong `ETag` or a `Last-Modified` which version it was, and
/// starts over if that has changed. The version is kept beside it, in a file with the extension `version`. One
/// partial file serves one download at a time.
public typealias DownloadDestination =
    @Sendable (_ temporaryURL: URL, _ response: HTTPURLResponse) -> (destinationURL: URL, options: DownloadOptions)

/// What may be done to move a download to its place.
public struct DownloadOptions: OptionSet, Sendable {
    /// One bit for each option.
    public let rawValue: Int

    /// A set of options.
    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Folders on the way are made.
    public static let createIntermediateDirectories = DownloadOptions(rawValue: 1)
    /// A file that is there is replaced; without it that is an error.
    public static let removePreviousFile = DownloadOptions(rawValue: 2)
}

extension RequestTask {
    /// A destination in a folder, under the name that the server suggests (RFC 6266), or else the last part of the URL's path.
    ///
    /// The name is made harmless: it has no folders, control characters or leading dots, and at most 255 bytes.
    public static func suggestedDestination(
        in folder: URL, options: DownloadOptions = [.createIntermediateDirectories]
    ) -> DownloadDestination {
        { _, response in (folder.appending(path: response.harmlessFilename), options) }
    }
}

extension HTTPURLResponse {
    fileprivate var harmlessFilename: String {
        // Without the field Foundation's answer depends on the platform.
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
