#if os(Linux)
    import CMoyaCurl
    import Foundation

    // A trust policy for libcurl's handles. Certificates and keys are passed as files in memory, because all versions
    // of libcurl support files. The files exist only as long as the transport.
    struct CurlTrust: Sendable {
        let policy: ServerTrustPolicy
        private let authorities: FileHandle?
        private let certificates: FileHandle?
        private let privateKey: FileHandle?

        init(_ policy: ServerTrustPolicy) throws(TransportError) {
            try policy.validate()
            self.policy = policy
            do {
                authorities = try Self.bundle(policy).map { try .inMemory($0) }
                certificates = try policy.identity.map { try .inMemory($0.certificates) }
                privateKey = try policy.identity.map { try .inMemory($0.privateKey) }
            } catch {
                throw .invalid(
                    "the trust policy cannot be passed to libcurl as files in /proc/self/fd: \(error.localizedDescription)"
                )
            }
            guard let easy = EasyHandle(), apply(to: easy), policy.pins.keys.allSatisfy({ pin(easy, for: $0) })
            else {
                throw .invalid(
                    "this libcurl cannot apply the trust policy: its TLS library does not support custom authorities, pins "
                        + "or client identities")
            }
        }

        func apply(to easy: EasyHandle, forProxy: Bool = false) -> Bool {
            let version = policy.minimumTLSVersion == .tls13 ? CCURL_SSLVERSION_TLSv1_3 : CCURL_SSLVERSION_TLSv1_2
            var isAccepted = easy.set(forProxy ? CCURLOPT_PROXY_SSLVERSION : CCURLOPT_SSLVERSION, version)
            func set(_ option: Int, proxy: Int, _ value: String?) {
                isAccepted = easy.set(forProxy ? proxy : option, value) && isAccepted
            }
            if let authorities { set(CCURLOPT_CAINFO, proxy: CCURLOPT_PROXY_CAINFO, authorities.path) }
            if !policy.trustsSystemAuthorities { set(CCURLOPT_CAPATH, proxy: CCURLOPT_PROXY_CAPATH, nil) }
            if let certificates, let privateKey {
                set(CCURLOPT_SSLCERT, proxy: CCURLOPT_PROXY_SSLCERT, certificates.path)
                set(CCURLOPT_SSLKEY, proxy: CCURLOPT_PROXY_SSLKEY, privateKey.path)
                // Without any, OpenSSL would ask on the terminal, on the thread of the transport.
                set(CCURLOPT_KEYPASSWD, proxy: CCURLOPT_PROXY_KEYPASSWD, policy.identity?.passphrase ?? "")
            }
            return isAccepted
        }

        // Returns whether libcurl accepts the pins. Without pins, removes those of an earlier host.
        func pin(_ easy: EasyHandle, for host: String, _ option: Int = CCURLOPT_PINNEDPUBLICKEY) -> Bool {
            guard !policy.pins.isEmpty else { return true }
            let pins = policy.pins(for: host)?.map { "sha256//\($0.base64EncodedString())" }.sorted()
            return easy.set(option, pins?.joined(separator: ";"))
        }

        /// `CURLOPT_CAINFO` replaces the system's authorities, so the result includes them if the policy trusts them.
        private static func bundle(_ policy: ServerTrustPolicy) -> Data? {
            guard !policy.authorities.isEmpty else { return nil }
            let paths = [
                "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
                "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/cert.pem",
            ]
            let system = paths.lazy.compactMap { try? Data(contentsOf: URL(filePath: $0)) }
            let files = (policy.trustsSystemAuthorities ? [system.first].compactMap(\.self) : []) + policy.authorities
            return files.reduce(into: Data()) { $0 += $1 + [UInt8(ascii: "\n")] }
        }
    }

    // Files in memory, to pass keys and certificates to libcurl as a path without writing them to disk. A descriptor
    // that was opened with ``path`` stays valid after the last reference.
    extension FileHandle {
        fileprivate static func inMemory(_ content: Data) throws -> FileHandle {
            let file = try FileHandle(cepoll_memory_file(), of: "memfd_create")
            try file.write(contentsOf: content)
            guard FileManager.default.isReadableFile(atPath: file.path) else {
                throw POSIXError(.ENOENT, userInfo: [NSFilePathErrorKey: file.path])
            }
            return file
        }

        fileprivate var path: String { "/proc/self/fd/\(fileDescriptor)" }
    }
#endif
