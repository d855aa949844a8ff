// `mapImage()` returns the platform's type, because a type of this module named `Image` would hide SwiftUI's.
#if canImport(UIKit)
    public import UIKit

    extension Response {
        /// Returns the content as an image.
        ///
        /// - Throws: `MoyaError.imageMapping` with the response.
        public func mapImage() throws(MoyaError) -> UIImage {
            guard let image = UIImage(data: data) else { throw .imageMapping(self) }
            return image
        }
    }
#elseif canImport(AppKit)
    public import AppKit

    extension Response {
        /// Returns the content as an image.
        ///
        /// - Throws: `MoyaError.imageMapping` with the response.
        public func mapImage() throws(MoyaError) -> NSImage {
            guard let image = NSImage(data: data) else { throw .imageMapping(self) }
            return image
        }
    }
#endif
