/// The transport of providers that are created without one.
package enum DefaultTransport {
    package static let shared: any Transport = {
        #if os(Linux)
            if let curl = CurlTransport.shared { return curl }
        #endif
        return URLSessionTransport.shared
    }()
}
