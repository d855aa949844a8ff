#if os(Linux)
    import CCurl
    import Foundation

    /// A trust policy as libcurl takes it: by files, which every version reads, and which are in memory alone, as long as the
    /// engine lives.
    struct CurlTrust: Sendable {
        private let policy: ServerTrustPolicy
        private let authorities: MemoryFile?
        private let certificates: MemoryFile?
        private let privateKey: MemoryFile?

        init(_ policy: ServerTrustPolicy) throws(MoyaError) {
            try policy.validate()
            self.policy = policy
            do {
                authorities =
                    policy.authorities.isEmpty
                    ? nil : try MemoryFile(Self.bundle(policy).joined(by: UInt8(ascii: "\n")))
                certificates = try policy.identity.map { try MemoryFile($0.certificates) }
                privateKey = try policy.identity.map { try MemoryFile($0.privateKey) }
            } catch {
                throw .requestMapping(
                    "the trust policy cannot be handed to libcurl by files in /proc/self/fd: \(error.localizedDescription)"
                )
            }
            guard let easy = EasyHandle(), apply(to: easy), policy.pins.keys.allSatisfy({ pin(easy, for: $0) })
            else {
                throw .requestMapping(
                    "this libcurl cannot keep the trust policy: its TLS library has no authorities, pins or identities of "
                        + "one's own")
            }
        }

        /// Whether libcurl can do all of it.
        func apply(to easy: EasyHandle) -> Bool {
            let version = policy.minimumTLSVersion == .tls13 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2
            var isKept = easy.setIfKnown(CCURLOPT_SSLVERSION, version)
            if let authorities { isKept = easy.setIfKnown(CCURLOPT_CAINFO, authorities.path) && isKept }
            if !policy.trustsSystemAuthorities { isKept = easy.setIfKnown(CCURLOPT_CAPATH, nil) && isKept }
            if let certificates, let privateKey {
                isKept = easy.setIfKnown(CCURLOPT_SSLCERT, certificates.path) && isKept
                isKept = easy.setIfKnown(CCURLOPT_SSLKEY, privateKey.path) && isKept
                isKept = easy.setIfKnown(CCURLOPT_KEYPASSWD, policy.identity?.passphrase) && isKept
            }
            return isKept
        }

        /// Whether the pins of the host, or that it has none, could be set.
        func pin(_ easy: EasyHandle, for host: String) -> Bool {
            guard !policy.pins.isEmpty else { return true }
            let pins = policy.pins(for: host)?.map { "sha256//\($0.base64EncodedString())" }
            return easy.setIfKnown(CCURLOPT_PINNEDPUBLICKEY, pins?.sorted().joined(separator: ";"))
        }

        /// The authorities' certificates; with the system's, because the option takes the place of these.
        private static func bundle(_ policy: ServerTrustPolicy) -> [Data] {
            guard policy.trustsSystemAuthorities else { return policy.authorities }
            let places = [
                "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
            ]
            let system = places.lazy.compactMap { try? Data(contentsOf: URL(filePath: $0)) }.first
            return [system].compactMap(\.self) + policy.authorities
        }
    }

    extension [Data] {
        fileprivate func joined(by separator: UInt8) -> Data {
            reduce(into: Data()) { $0 += $1 + [separator] }
        }
    }
#endif
