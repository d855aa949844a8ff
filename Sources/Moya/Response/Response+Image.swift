#if canImport(UIKit)
    public import UIKit

    /// The platform's image.
    public typealias Image = UIImage
#elseif canImport(AppKit)
    public import AppKit

    /// The platform's image.
    public typealias Image = NSImage
#endif

#if canImport(UIKit) || canImport(AppKit)
    extension Response {
        /// The content as an image of the platform; not there where the platform has none.
        ///
        /// - Throws: `MoyaError.imageMapping` with the response.
        public func mapImage() throws(MoyaError) -> Image {
            guard let image = Image(data: data) else { throw .imageMapping(self) }
            return image
        }
    }
#endif
