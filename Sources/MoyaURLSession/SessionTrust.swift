#if canImport(Security)
    public import Foundation
    import Security

    // Answers URLSession's challenges on Apple platforms. The system decides whatever the policy leaves open.
    struct SessionTrust: Sendable {
        typealias ChallengeResponse = (
            disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, failure: URLError?
        )

        static let system = SessionTrust(policy: .system, authorities: [], clientCertificate: nil)

        private let policy: ServerTrustPolicy
        /// The additional authorities, in DER.
        private let authorities: [Data]
        private let clientCertificate: URLCredential?

        var capabilities: TransportCapabilities {
            clientCertificate == nil
                ? [.customAuthorities, .pinning] : [.customAuthorities, .pinning, .clientIdentity]
        }
    }

    extension SessionTrust {
        init(_ policy: ServerTrustPolicy, clientCertificate: URLCredential? = nil) throws(TransportError) {
            try policy.validate()
            guard policy.identity == nil else {
                throw .invalid(
                    "URLSession accepts no client identity in PEM. Import it from PKCS#12 with SecPKCS12Import, and pass it "
                        + "to URLSessionTransport(trust:clientCertificate:) as a URLCredential.")
            }
            let authorities = policy.authorities.flatMap { $0.certificatesInPEM ?? [] }
            guard authorities.allSatisfy({ Self.certificate($0) != nil }) else {
                throw .invalid("an authority of the trust policy is not a certificate in PEM")
            }
            self.init(policy: policy, authorities: authorities, clientCertificate: clientCertificate)
        }

        func apply(to configuration: URLSessionConfiguration) {
            let version = policy.minimumTLSVersion
            configuration.tlsMinimumSupportedProtocolVersion = version == .tls13 ? .TLSv13 : .TLSv12
        }

        /// Challenges for a password are rejected, so that the session delivers the HTTP response with the challenge.
        func response(to challenge: URLAuthenticationChallenge, at url: URL?) -> ChallengeResponse {
            let space = challenge.protectionSpace
            if space.authenticationMethod == NSURLAuthenticationMethodServerTrust { return trustResponse(space, url) }
            if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate, let clientCertificate {
                return (.useCredential, clientCertificate, nil)
            }
            return (.rejectProtectionSpace, nil, nil)
        }

        // With neither authorities nor pins for the host, the system decides. With pins only, a pin must match and the
        // system must trust the server too: pins restrict trust and never extend it.
        private func trustResponse(_ space: URLProtectionSpace, _ url: URL?) -> ChallengeResponse {
            let pins = policy.pins(for: space.host)
            guard pins != nil || !authorities.isEmpty else { return (.performDefaultHandling, nil, nil) }
            guard let trust = space.serverTrust, isValid(trust) else {
                let reason = "is not trusted: its name, its dates or its authority is invalid"
                return refusal(URLError(.serverCertificateUntrusted, "the certificate of \(space.host) \(reason)"))
            }
            if let pins {
                let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
                guard let own = chain?.first, let pin = (SecCertificateCopyData(own) as Data).certificatePin,
                    pins.contains(pin)
                else {
                    return refusal(url.map(policy.pinMismatch) ?? URLError(.serverCertificateUntrusted))
                }
            }
            return authorities.isEmpty
                ? (.performDefaultHandling, nil, nil) : (.useCredential, URLCredential(trust: trust), nil)
        }

        private func refusal(_ error: URLError) -> ChallengeResponse { (.cancelAuthenticationChallenge, nil, error) }

        /// The evaluation also checks the host name and the dates, because `trust` contains a `SecPolicy` for TLS.
        private func isValid(_ trust: SecTrust) -> Bool {
            if !authorities.isEmpty {
                let anchors = authorities.compactMap(Self.certificate)
                guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, !policy.trustsSystemAuthorities) == errSecSuccess
                else { return false }
            }
            return SecTrustEvaluateWithError(trust, nil)
        }

        private static func certificate(_ bytes: Data) -> SecCertificate? {
            SecCertificateCreateWithData(nil, bytes as CFData)
        }
    }

    extension URLSessionTransport {
        /// Creates a transport like ``init(configuration:trust:proxy:)``, with a client certificate for servers that
        /// request one.
        ///
        /// - Parameter clientCertificate: a credential made with `URLCredential(identity:certificates:persistence:)`.
        public convenience init(
            configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrustPolicy = .system,
            proxy: ProxyPolicy = .environment, clientCertificate: URLCredential
        ) throws(TransportError) {
            let configuration = configuration.ownCopy
            try proxy.apply(to: configuration)
            self.init(configuration, try SessionTrust(trust, clientCertificate: clientCertificate))
        }
    }
#else
    import Foundation

    /// On Linux, this is always the system's policy, because Foundation has no callback for trust.
    struct SessionTrust: Sendable {
        static let system = SessionTrust()

        private init() {}

        init(_ policy: ServerTrustPolicy) throws(TransportError) {
            try policy.validate()
            guard policy == .system else {
                let parts = [
                    policy.authorities.isEmpty ? nil : "additional authorities",
                    policy.trustsSystemAuthorities ? nil : "distrust of the system's authorities",
                    policy.pins.isEmpty ? nil : "pins", policy.identity == nil ? nil : "a client identity",
                    policy.minimumTLSVersion == .tls12 ? nil : "a newer minimum version of TLS",
                ].compactMap(\.self).joined(separator: ", ")
                throw .invalid(
                    "URLSession on Linux supports the system's trust only, and would not enforce \(parts) of the trust policy. "
                        + "Use CurlTransport(trust:).")
            }
        }

        func apply(to configuration: URLSessionConfiguration) {}
    }
#endif
