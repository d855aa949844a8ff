#if canImport(UIKit)
    public import Moya

    extension Subscribable {
        /// The content as an image; fails with `MoyaError.imageMapping`.
        public func mapImage() -> Observable<Image> where Element == Response {
            map { (response) throws(MoyaError) in try response.mapImage() }
        }
    }
#endif
