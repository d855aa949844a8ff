/// The engine of a provider that was given none.
enum DefaultTransport {
    static let shared: any Transport = {
        #if os(Linux)
            if let curl = CurlTransport.shared { return curl }
        #endif
        return URLSessionTransport.shared
    }()
}
