#if canImport(UIKit)
    public import UIKit

    extension Subscribable {
        /// Decodes the content as an image, or fails with `MoyaError.imageMapping`.
        public func mapImage() -> Observable<UIImage> where Element == Response {
            map { (response) throws(MoyaError) in try response.mapImage() }
        }
    }
#endif
