#if canImport(Security)
    public import Foundation
    import Security

    /// A trust policy as URLSession on Apple platforms can keep it: in the answers to its challenges.
    ///
    /// What the policy does not ask for is left to the system.
    struct SessionTrust: Sendable {
        /// How to answer a challenge, and, if the server is refused, why.
        typealias Answer = (
            disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?, failure: URLError?
        )

        static let system = SessionTrust(policy: .system, authorities: [], clientCertificate: nil)

        private let policy: ServerTrustPolicy
        private let authorities: [Certificate]
        private let clientCertificate: URLCredential?

        private init(policy: ServerTrustPolicy, authorities: [Certificate], clientCertificate: URLCredential?) {
            self.policy = policy
            self.authorities = authorities
            self.clientCertificate = clientCertificate
        }

        init(_ policy: ServerTrustPolicy, clientCertificate: URLCredential? = nil) throws(MoyaError) {
            try policy.validate()
            guard policy.identity == nil else {
                throw .requestMapping(
                    "URLSession takes no client identity in PEM: import it from PKCS#12 with SecPKCS12Import, and give it "
                        + "to URLSessionTransport(trust:clientCertificate:) as a URLCredential")
            }
            var authorities: [Certificate] = []
            for file in policy.authorities {
                guard let certificates = Certificate.all(inPEM: file),
                    certificates.allSatisfy({ Self.systemCertificate($0) != nil })
                else { throw .requestMapping("an authority of the trust policy is no certificate in PEM") }
                authorities += certificates
            }
            self.init(policy: policy, authorities: authorities, clientCertificate: clientCertificate)
        }

        /// What it can keep.
        var capabilities: TransportCapabilities {
            clientCertificate == nil
                ? [.customAuthorities, .pinning] : [.customAuthorities, .pinning, .clientIdentity]
        }

        /// Sets what belongs to a whole session.
        func apply(to configuration: URLSessionConfiguration) {
            configuration.tlsMinimumSupportedProtocolVersion =
                switch policy.minimumTLSVersion {
                case .tls12: .TLSv12
                case .tls13: .TLSv13
                }
        }

        /// Challenges for a name and a password are answered above: here they are the server's answer.
        func answer(_ challenge: URLAuthenticationChallenge) -> Answer {
            let space = challenge.protectionSpace
            if space.authenticationMethod == NSURLAuthenticationMethodServerTrust { return answerForTrust(space) }
            if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate, let clientCertificate {
                return (.useCredential, clientCertificate, nil)
            }
            return (.rejectProtectionSpace, nil, nil)
        }

        /// The system's decision where the policy says nothing of the host; otherwise the system's evaluation, with the
        /// policy's authorities, and then the pins.
        ///
        /// Where there are no authorities, the system decides again afterwards: pins make trust tighter, never wider.
        private func answerForTrust(_ space: URLProtectionSpace) -> Answer {
            let pins = policy.pins(for: space.host)
            guard pins != nil || !authorities.isEmpty else { return (.performDefaultHandling, nil, nil) }
            guard let trust = space.serverTrust, isValid(trust) else {
                return refusal(space, "is not trusted: its name, its dates or its authority is wrong")
            }
            if let pins {
                guard let pin = Self.leaf(trust)?.pin, pins.contains(pin) else {
                    return refusal(space, "has none of the public keys that are pinned")
                }
            }
            return authorities.isEmpty
                ? (.performDefaultHandling, nil, nil) : (.useCredential, URLCredential(trust: trust), nil)
        }

        private func refusal(_ space: URLProtectionSpace, _ reason: String) -> Answer {
            let error = URLError(.serverCertificateUntrusted, "the certificate of \(space.host) \(reason)")
            return (.cancelAuthenticationChallenge, nil, error)
        }

        /// The session has given the trust its rules: the host's name, and the dates.
        private func isValid(_ trust: SecTrust) -> Bool {
            if !authorities.isEmpty {
                let anchors = authorities.compactMap(Self.systemCertificate)
                guard SecTrustSetAnchorCertificates(trust, anchors as CFArray) == errSecSuccess,
                    SecTrustSetAnchorCertificatesOnly(trust, !policy.trustsSystemAuthorities) == errSecSuccess
                else { return false }
            }
            return SecTrustEvaluateWithError(trust, nil)
        }

        private static func leaf(_ trust: SecTrust) -> Certificate? {
            let chain = SecTrustCopyCertificateChain(trust) as? [SecCertificate]
            return chain?.first.map { Certificate(SecCertificateCopyData($0) as Data) }
        }

        private static func systemCertificate(_ certificate: Certificate) -> SecCertificate? {
            SecCertificateCreateWithData(nil, certificate.bytes as CFData)
        }
    }

    extension URLSessionTransport {
        /// A session of its own that keeps a trust policy, and shows a certificate to servers that ask for one.
        ///
        /// - Parameters:
        ///   - configuration: the session's; what belongs to cookies, cache, timeouts and trust is overridden.
        ///   - trust: which servers it trusts.
        ///   - clientCertificate: a credential that was made with `URLCredential(identity:certificates:persistence:)`.
        /// - Throws: `MoyaError.requestMapping` for a policy with a part that is malformed, or an identity in PEM.
        public convenience init(
            configuration: URLSessionConfiguration = .ephemeral, trust: ServerTrustPolicy = .system,
            clientCertificate: URLCredential
        ) throws(MoyaError) {
            self.init(configuration, try SessionTrust(trust, clientCertificate: clientCertificate))
        }
    }
#else
    import Foundation

    #if canImport(FoundationNetworking)
        import FoundationNetworking
    #endif

    /// Elsewhere URLSession asks nobody about trust, and takes no part of a policy: all but the system's is refused.
    struct SessionTrust: Sendable {
        static let system = SessionTrust()

        private init() {}

        init(_ policy: ServerTrustPolicy) throws(MoyaError) {
            try policy.validate()
            guard policy == .system else {
                let parts = policy.partsBeyondSystem.joined(separator: ", ")
                throw .requestMapping(
                    "URLSession here knows no trust but the system's, and would not keep \(parts) of the trust policy: use "
                        + "CurlTransport(trust:)")
            }
        }

        /// What it can keep.
        var capabilities: TransportCapabilities { [] }

        /// Sets what belongs to a whole session: nothing.
        func apply(to configuration: URLSessionConfiguration) {}
    }
#endif

extension ServerTrustPolicy {
    /// What differs from ``system``, in words.
    var partsBeyondSystem: [String] {
        var parts: [String] = []
        if !authorities.isEmpty { parts.append("authorities of one's own") }
        if !trustsSystemAuthorities { parts.append("distrust of the system's authorities") }
        if !pins.isEmpty { parts.append("pins") }
        if identity != nil { parts.append("a client identity") }
        if minimumTLSVersion != Self.system.minimumTLSVersion { parts.append("a newer minimum version of TLS") }
        return parts
    }
}
