import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaURLSession

/// Certificates that OpenSSL has created, and their pins as OpenSSL computes them:
/// `openssl x509 -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64`.
@Suite(.queued, .timeLimit(.minutes(10))) struct CertificateTests {
    @Test("the pin of a certificate is the hash of its public key, for each type of key", arguments: Fixture.all)
    func pins(_ fixture: Fixture) throws {
        let certificates = try #require(Data(fixture.text.utf8).certificatesInPEM)
        expectEqual(certificates.map { $0.certificatePin?.base64EncodedString() }, [fixture.pin])
    }

    @Test("several certificates are read from a PEM file with other text and other blocks")
    func files() throws {
        let key = "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"
        let text = "the first one:\n\(Fixture.all[2].text)\n\(key)\nsubject=CN=p384\n\(Fixture.all[3].text)"
        let pins = [Fixture.all[2].pin, Fixture.all[3].pin]
        for text in [text, text.replacingOccurrences(of: "\n", with: "\r\n"), "\n\n\(text) \n"] {
            let certificates = try #require(Data(text.utf8).certificatesInPEM)
            expectEqual(certificates.map { $0.certificatePin?.base64EncodedString() }, pins)
        }
    }

    static let broken = [
        "", "none", Fixture.all[2].text.replacingOccurrences(of: "-----END CERTIFICATE-----", with: ""),
        Fixture.all[2].text.replacingOccurrences(of: "-----BEGIN CERTIFICATE-----", with: ""),
        Fixture.all[2].text.replacingOccurrences(of: "MII", with: "M*I"),
        Fixture.all[2].text.replacingOccurrences(of: "CERTIFICATE", with: "PRIVATE KEY"),
        "-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        "-----BEGIN CERTIFICATE-----\n\(Fixture.all[2].text)",
    ]

    @Test("a file with a malformed certificate has none", arguments: broken.indices)
    func refuses(_ index: Int) {
        let text = Self.broken[index]
        #expect(Data(text.utf8).certificatesInPEM == nil)
        let all = Fixture.all[3].text + "\n" + text
        #expect(Data(all.utf8).certificatesInPEM == nil || !text.contains("BEGIN CERTIFICATE"))
    }

    @Test("modified bytes do not crash, and an incomplete certificate has no pin")
    func truncated() throws {
        let bytes = try #require(Data(Fixture.all[2].text.utf8).certificatesInPEM?.first)
        for length in 0..<bytes.count { #expect(bytes.prefix(length).certificatePin == nil) }
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<500 {
            var mutated = Array(bytes)
            for _ in 0..<3 { mutated[Int(generator.next() % UInt64(mutated.count))] = UInt8(generator.next() % 256) }
            let pin = Data(mutated).certificatePin
            #expect(pin == nil || pin?.count == 32)
        }
        #expect(Data([0x30, 0x84, 0xff, 0xff, 0xff, 0xff]).certificatePin == nil)
        #expect(Data([0x30, 0x80]).certificatePin == nil)
    }

    @Test("pins apply to their host only, in any spelling")
    func hosts() {
        let (one, other) = (Data(repeating: 1, count: 32), Data(repeating: 2, count: 32))
        let policy = ServerTrustPolicy(pins: [
            "API.example": [one.base64EncodedString()], "api.EXAMPLE.": [other.base64EncodedString()],
        ])
        for host in ["api.example", "Api.Example", "api.example."] {
            expectEqual(policy.pins(for: host), [one, other])
        }
        for host in ["example", "www.api.example", "api.example.org", ""] { #expect(policy.pins(for: host) == nil) }
    }
}

/// A certificate, and its pin.
struct Fixture: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let pin: String
    let text: String

    static let all = [
        Fixture(
            testDescription: "RSA, 2048 bits", pin: "9m1IU8IghjgccPZ54+O74llJEJJy2YCad4eB8OkTXTg=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIDBzCCAe+gAwIBAgIUOSBirZca0fhB8h7O3asySqb6VIkwDQYJKoZIhvcNAQEL
                BQAwEjEQMA4GA1UEAwwHcnNhMjA0ODAgFw0yNjExMjEyMTUyMzBaGA8yMTI2MTAy
                ODIxNTIzMFowEjEQMA4GA1UEAwwHcnNhMjA0ODCCASIwDQYJKoZIhvcNAQEBBQAD
                ggEPADCCAQoCggEBAMwPryxNpFctJIPtEYYx3h7qJlLs0JjKUBmpE5/gyRzyp2a8
                YfQGsHDOTp3rZoM30MIzzv+s4/fw6XX9bNehMvL0b1GAVC2RAp5AYau8OidBiGlK
                tKKoNMpVuD/03mdTO263HPWdoPlwAhy4/lTIwxN1D4RIjxvgTmbnEJkslEqAResG
                HnUTtlvPNM/w3p+ffaNrQBqzt+rzoKLGJoZOxL/mRBAEDRjUOK6/aC9oha4oO4hL
                Bh//+jYZT9c1QfL0nxYTfdlnSeMUuyL4wKCVwkKlPEPVCnevZ2fXdw6XLR4DbUWN
                8ZAgDH9JLk/jVmYe8f8MivhLcWkPGRlwoeVp8JECAwEAAaNTMFEwHQYDVR0OBBYE
                FD3BtvnGbw4vmRLdgLnlLLf/HTyKMB8GA1UdIwQYMBaAFD3BtvnGbw4vmRLdgLnl
                LLf/HTyKMA8GA1UdEwEB/wQFMAMBAf8wDQYJKoZIhvcNAQELBQADggEBAH7aXjtS
                EDIlXp3thgimX8poKXlDUqut0yR8lwNywi8sIHrG6org1TUcuMRjE9w9+YY5G1FM
                ApezdI2j+9yaryWuQhGr+t6MICj7XAiMGQzfmlbRZVRC20MgVGfRxwiTBwIdU9e8
                ykFcdNosE25RYVoPTtMvyd8kIms2dYJjZ9x2M2NgFtwH7sHUF5V8cEDgWRTLCS2j
                1FRmv+8SAY6Px5hYiKjZjPM9A7yGxC8lFct8/Z5UDyzybEmC/LQr9B1JGSt5BQ0d
                G4Wsolp8VmOe0FKNb2XIQxg7s6Cpm4MGlKqx7uTsvqnkZz9hV7CEM5AH/zAHaa/Q
                fV/4U9xHYJtMaI8=
                -----END CERTIFICATE-----
                """),
        Fixture(
            testDescription: "RSA, 3072 bits", pin: "BbP1Ym6A9PaRtpeNenq6sOSUALBczzRrA3I1IZ4CEVE=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIEBzCCAm+gAwIBAgIUXmO1GFi07NB0avNvU7iWVp3ErjIwDQYJKoZIhvcNAQEL
                BQAwEjEQMA4GA1UEAwwHcnNhMzA3MjAgFw0yNjExMjEyMTUyMzRaGA8yMTI2MTAy
                ODIxNTIzNFowEjEQMA4GA1UEAwwHcnNhMzA3MjCCAaIwDQYJKoZIhvcNAQEBBQAD
                ggGPADCCAYoCggGBAIHtc1rOmSgskN/CYOfJcuyYl+vSdvW8leROEHtv32jUUYXx
                r848vy7clIES4nqXAHTmOj6lFtkI0ymyoYzODgMDHom5SBqejrjJFCVZ5tGIqKoa
                iSrz10zbfog6gTDYObQ9tdGzS3f8Hij4ewhmJcIm2vs9n0StsgJx4+kXJdbhB9m7
                tlyCKo2tm3bxHtJGpBtJTe8XOboD7BaNotoAK25IkztJPHRWLfL8JyeE/xxYFdpo
                GZL86rmBmzVOUyVfNOyIsWponL1NZ0BTCVkybdo9LJn0mEcOC+7IW6uYv9FMt1sr
                tNZtdMq+m7obDM5esFG7zCEPP2N60tjwLGJbGNom/5t8Vk7eQV7pYpV5p6SxNDYF
                8B4/59O4nAxYKNrJb0u7zmgIu0eN/7BA0veK04kcXV2+fZsDGLRBq+A2iLskqMsd
                sgm13QYzxlyFUr7Z5UlDmbJ+1PVSaQB5uHjpq9htgX9uOwB0tIVMvh7mtK7WibfG
                3+XvgMGDoLONhTthkwIDAQABo1MwUTAdBgNVHQ4EFgQUSdxnVsYrRbLfPt3MUev+
                QxftfDUwHwYDVR0jBBgwFoAUSdxnVsYrRbLfPt3MUev+QxftfDUwDwYDVR0TAQH/
                BAUwAwEB/zANBgkqhkiG9w0BAQsFAAOCAYEANregfFxFPD3DR1L7PhJQRpQTZK2j
                lby3mSY5bOQT0jP/tptVlvgSjcjKV1F5J93sTUYOzP0bJhIhz4u6AO0LqieMgBDS
                0qUiynlrEKEhoWK8Qig8XrFHo7NGk0dPnz3w7bCNxUA5Sl9H6FjKvM1VamdVsdf+
                WoGMErTx8OKSrRDSlnNlHJyouRhH/1Mn4OUTp6WpQCqWUbRLIqTHXMOxR/Kcd6pw
                cozWaLnsrbjhmUhyrv7NmEOMwxewT0fV6IIdpUa/DeAshv1FQhOrpW0/DZbYQIK+
                mSCpHPqG0MSpXTqOWCrW3e3j68SaovuGvWCN+e6LVku+Gp9Et/9RyXScG10nwTju
                WyS/20r+shjWW76PQN7Y+2xZvQrumPI+NTn9FzdfpODyv9w/r8qIRh6c9WbEt1sH
                OPmx4k/X6D5kHCbfvk0KYrefvVx0/kSunZmYkCgtv0tYvbjqbu5MP6rD4r2wLkKI
                wuOMltQr4WGHnlvXSHbiK2MT6cRe1lYquDov
                -----END CERTIFICATE-----
                """),
        Fixture(
            testDescription: "EC, P-256", pin: "dTEC6oF25Ym3btVLYBQ3uouZb0uArf+iCsbg83jy9+0=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIBdDCCARugAwIBAgIUEcvSrbWdCZOnSLmnTDHCEv4GOGIwCgYIKoZIzj0EAwIw
                DzENMAsGA1UEAwwEcDI1NjAgFw0yNjExMjEyMTUyNDdaGA8yMTI2MTAyODIxNTI0
                N1owDzENMAsGA1UEAwwEcDI1NjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABN91
                cm0wIeR6MDDk7oXXERMz5qcHTBlXirxckxUL/PWdjvUYYbwVUkuXrxDlPGrEbnNH
                nZ3bfQwhjV0mvMqSzDyjUzBRMB0GA1UdDgQWBBTUIwf9HXjt9vpC+l+p0MBsoYNO
                zzAfBgNVHSMEGDAWgBTUIwf9HXjt9vpC+l+p0MBsoYNOzzAPBgNVHRMBAf8EBTAD
                AQH/MAoGCCqGSM49BAMCA0cAMEQCIHs0Z8IJI2zyObUB7GukUsd0lsok7STgSiQv
                1Hl8XK9SAiA1H1tJkW5/JMf8YLH3S8S1HG50GPYSqi0cSi2TD0LOdQ==
                -----END CERTIFICATE-----
                """),
        Fixture(
            testDescription: "EC, P-384", pin: "EgYCIo9bhVUB7aG90jGuYHGt0HfCa/VU8G2etB1++JM=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIBsjCCATigAwIBAgIUTE4ZAvz+HXmhUeg+kLmMARYgpH8wCgYIKoZIzj0EAwIw
                DzENMAsGA1UEAwwEcDM4NDAgFw0yNjExMjEyMTUyNDhaGA8yMTI2MTAyODIxNTI0
                OFowDzENMAsGA1UEAwwEcDM4NDB2MBAGByqGSM49AgEGBSuBBAAiA2IABG4SW0me
                6E8ICRKjRv6YsalIhPLi4j4mjT4oL3yqsMH/kVodXC9TcV7QgTrvKmFZswloHogS
                j8RCLLZwIvdl5NxIXJF71fvVYCmpKWme/ew5iYmfSAMI6Z8hq3V3U2fJKKNTMFEw
                HQYDVR0OBBYEFCKgpOZiV/DqNK2VacdsdOT3hVrgMB8GA1UdIwQYMBaAFCKgpOZi
                V/DqNK2VacdsdOT3hVrgMA8GA1UdEwEB/wQFMAMBAf8wCgYIKoZIzj0EAwIDaAAw
                ZQIxAPeaFsCKxjVPAV7m7yWzSEq9lhhHqfTb0HFAy08beVm1qDqBKuqpbBEKjnMD
                zWdKqwIwc/matRP/K106HyasWSEwLUB3dQRlT5nKkWJ6kplXogbo+9vvM66A1+L0
                yYzA2CGo
                -----END CERTIFICATE-----
                """),
        Fixture(
            testDescription: "EC, P-521", pin: "O/hsmpuog5tHdHh1Ce+k9T47o2nOfsU/tdcdL5dQ8PA=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIB/TCCAV6gAwIBAgIUWEDt5sklqWJ0G7XWXAhUApLx+qkwCgYIKoZIzj0EAwIw
                DzENMAsGA1UEAwwEcDUyMTAgFw0yNjExMjEyMTUyNDhaGA8yMTI2MTAyODIxNTI0
                OFowDzENMAsGA1UEAwwEcDUyMTCBmzAQBgcqhkjOPQIBBgUrgQQAIwOBhgAEAS7r
                mm/6JV960IqHOrxY/3M5LSoUrZmxmpw4+8zNB1rhY7rikTqNrOO804Nxi3iLjpPc
                SkeJXdwZzj/USqxtW9rTAL42d1EAR8v1bh6FcVgk/zfAV8T1Z4kJ69UJXxqXpSfv
                TMpx+soI80kdMNEzJmlwfNDPAa/m4gvyeQigVFmTBrO1o1MwUTAdBgNVHQ4EFgQU
                ZqH/yxNZNfqTQyDzZngbc3ON2rAwHwYDVR0jBBgwFoAUZqH/yxNZNfqTQyDzZngb
                c3ON2rAwDwYDVR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgOBjAAwgYgCQgCEt26c
                VX8InzXcOy0VdJHmZrgLyZcf+o5/y/Pw0zUFUIrUU3hwj0sd5Ahi0eMXvlVtYt1Z
                bLDY9UlfftZiwsffzwJCANyWVdGgs7DYJWJim6HqL6NuQ7lzD9bu/2hgLTljieIy
                /iOFgoez3eOlvjFPFjr2X8gjWDHXmyExpFGct6urKD7M
                -----END CERTIFICATE-----
                """),
        Fixture(
            testDescription: "Ed25519", pin: "FCcHzzyqVdD00os5jtI4lzSNph8rg7SdwIActXAQwVo=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIBOjCB7aADAgECAhQrxdTe3IVQgUCo8kJsVek6ZuH9CzAFBgMrZXAwEjEQMA4G
                A1UEAwwHZWQyNTUxOTAgFw0yNjExMjEyMTUyNDlaGA8yMTI2MTAyODIxNTI0OVow
                EjEQMA4GA1UEAwwHZWQyNTUxOTAqMAUGAytlcAMhADkie9/HtqGLevveUDq+INjW
                KHjwhvXb+T2FBzWrcKJHo1MwUTAdBgNVHQ4EFgQU14d14/VxBXbDGLOp/x5MCJTS
                N/EwHwYDVR0jBBgwFoAU14d14/VxBXbDGLOp/x5MCJTSN/EwDwYDVR0TAQH/BAUw
                AwEB/zAFBgMrZXADQQCwd2JWQbzEXFn3kGAw+n/TunVGHZ2x7h1+bWbkx7Sf4I4h
                qImevArR2f7wCXQEbDHeUmNi0XS+G4l6ssNSYQAK
                -----END CERTIFICATE-----
                """),
        Fixture(
            testDescription: "EC, in a certificate of version 1", pin: "PRydjf4O5LPlYYfmjqwp6zuDB1mYjKsY7SuX40+X+I0=",
            text: """
                -----BEGIN CERTIFICATE-----
                MIIBFjCBvQIUe6e2YEHng3J23iJ8+W7JcPKgvlcwCgYIKoZIzj0EAwIwDTELMAkG
                A1UEAwwCdjEwIBcNMjYxMTIxMjE1MjQ5WhgPMjEyNjEwMjgyMTUyNDlaMA0xCzAJ
                BgNVBAMMAnYxMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEuql1vHfg+VaryMUP
                vE6JSwyn3noLgbpYJiGl9pudCq/fLImadYorIvd6dTicsv0sL9HIRnTIEI8F1E1z
                +cdvLzAKBggqhkjOPQQDAgNIADBFAiBwoIylok1cx1tzGqGpyoaStUcKNwFVBy0N
                f7+txdqmNgIhAOd6qN+yOohfVNJ9yWi14r5YFdEka6wCwjKlXCPduM/x
                -----END CERTIFICATE-----
                """),
    ]
}
