/// The transport of providers that are created without one.
enum DefaultTransport {
    static let shared: any Transport = {
        #if os(Linux)
            if let curl = CurlTransport.shared { return curl }
        #endif
        return URLSessionTransport.shared
    }()
}
