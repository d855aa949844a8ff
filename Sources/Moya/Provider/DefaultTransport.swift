/// The transport that a provider uses if it is created without a transport.
package enum DefaultTransport {
    package static let shared: any Transport = {
        #if os(Linux)
            if let curl = CurlTransport.shared { return curl }
        #endif
        return URLSessionTransport.shared
    }()
}
