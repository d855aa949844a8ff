// The methods return the platform's types. An own type with a name such as `Image` would hide that of SwiftUI.
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
