import MoyaHTTP
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SensitiveNamesTests {
    private let names = SensitiveNames(others: [])

    @Test(
        "names of secrets are recognized in each spelling",
        arguments: [
            "password", "Api-Key", "x-functions-key", "X-GitHub-OTP", "PHPSESSID", "sms_otp", "smsOtp", "userOTP",
            "card_pin", "cardPin", "smtp_pass", "basic-auth", "device_code", "cvv2", "user[pin]", "user.card_pin",
            "pins[0].sms_otp", "connection_string", "_xsrf", "shared key",
            "auth_code", "twoFactorCode", "2fa_code", "sms_code", "login_code", "confirmation_code", "reset_code",
            "one_time_code", "activation_code", "oauth_verifier", "license_key", "seedPhrase", "mnemonic",
            "security_answer", "passkey",
        ])
    func secrets(_ name: String) {
        #expect(names.contains(name))
    }

    @Test(
        "names that only contain the letters of a short one are not secret",
        arguments: [
            "spinner", "bypass", "boarding_pass", "lowPass", "map_pin", "assessId", "passenger", "pinned", "author",
            "OTPs", "compass", "side", "code", "", "_", "[]",
        ])
    func others(_ name: String) {
        #expect(!names.contains(name))
    }
}
