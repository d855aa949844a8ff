import Foundation

extension MoyaProvider {
    /// Returns the pages of a list; each page is loaded when the iteration requests it.
    ///
    /// ```swift
    /// for try await page in provider.pages(.repositories("ash"), next: .link) { print(page.value.count) }
    /// let firstTwenty = provider.pages(.repositories("ash"), next: .link).items.prefix(20)
    /// ```
    /// Each page is requested separately, as with `value(_:)`, including plugins, interceptors and decoding.
    ///
    /// - Parameters:
    ///   - first: the target of the first page, and the type that each page is decoded to.
    ///   - next: the rule that finds the next page.
    public func pages<Page>(
        _ first: TypedTarget<Target, Page>, next: PaginationRule<Target, Page>
    ) -> Pages<Page> {
        Pages { position, isAwaited, completion in
            do throws(MoyaError) {
                if let failure = position.failure { throw failure }
                let (target, endpoint, firstPageURL) = try self.page(at: position.cursor?.locator, first, next)
                let mapping = target.mapping.withResponse.map { page, response in
                    next.loaded(page, response, at: position, firstPageURL: firstPageURL)
                }
                return self.requestValue(
                    TypedTarget(target.target, mapping), endpoint,
                    deliveryQueue: isAwaited ? nil : self.configuration.callbackQueue, completion: completion)
            } catch {
                completion(.failure(error))
                return .noOp
            }
        }
    }

    private func page<Page>(
        at locator: PageCursor.Locator?, _ first: TypedTarget<Target, Page>, _ rule: PaginationRule<Target, Page>
    ) throws(MoyaError) -> (TypedTarget<Target, Page>, Endpoint, firstPageURL: String) {
        if case .token(let token) = locator {
            guard let makeTarget = rule.target else { throw .wrongCursor }
            do {
                let target = TypedTarget(try makeTarget(token), first.mapping)
                let endpoint = endpoint(target)
                return (target, endpoint, endpoint.url)
            } catch {
                throw MoyaError(wrapping: error)
            }
        }
        let firstPage = endpoint(first)
        guard case .url(let url) = locator else { return (first, firstPage, firstPage.url) }
        guard rule.target == nil else { throw .wrongCursor }
        // The app may have read the cursor from a file, so the cursor's URL is checked like a URL from a server.
        let nextURL = try URL.nextPage(url, base: nil, firstPageURL: firstPage.url)
        return (first, firstPage.page(at: nextURL), firstPage.url)
    }
}

extension MoyaProvider where Target: DecodableTargetType {
    /// Returns the pages of a list; each page has the type that the first target declares for its response.
    public func pages(_ first: Target, next: PaginationRule<Target, Target.Value>) -> Pages<Target.Value> {
        pages(first.typed, next: next)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns the pages of a list; the first target may be of any type that declares the type of its response.
    public func pages<Typed: DecodableTargetType>(
        _ first: Typed, next: PaginationRule<Typed, Typed.Value>
    ) -> Pages<Typed.Value> {
        pages(first.typed.multiTarget, next: next.multiTarget)
    }
}

extension PaginationRule {
    /// If the next position can't be found, the page is still delivered, and loading the next one throws the error.
    fileprivate func loaded(
        _ page: Page, _ response: Response, at position: Pages<Page>.Position, firstPageURL: String
    ) -> Pages<Page>.LoadedPage {
        var next: Pages<Page>.Position?
        do {
            next = try self.position(after: page, response, at: position, firstPageURL: firstPageURL)
        } catch {
            next = Pages<Page>.Position(
                history: position.history, failure: error as? MoyaError ?? .underlying(error, response))
        }
        return Pages<Page>.LoadedPage(
            element: .init(value: page, response: response, next: next?.cursor), next: next)
    }

    private func position(
        after page: Page, _ response: Response, at position: Pages<Page>.Position, firstPageURL: String
    ) throws -> Pages<Page>.Position? {
        var history = position.history
        let token: String? = if case .token(let current) = position.cursor?.locator { current } else { nil }
        // `history` detects links back to earlier pages. The first page has no cursor, so it is added here; only a rule
        // that finds pages by URL needs it.
        if position.cursor == nil, target == nil, let url = response.requestURL {
            history.append(PageCursor.Locator.url(url.withoutFragment.withoutUser.absoluteString).hashValue)
        }
        guard var locator = try next(page, response, token) else { return nil }
        if case .url(let reference) = locator {
            let url = try URL.nextPage(reference, base: response.requestURL, firstPageURL: firstPageURL)
            locator = .url(url.withoutFragment.absoluteString)
        }
        guard !history.contains(locator.hashValue) else {
            throw MoyaError.requestMapping(
                "the next page is one that was delivered already: the server's pages have no end")
        }
        history = history.suffix(999) + [locator.hashValue]
        return Pages<Page>.Position(cursor: PageCursor(locator: locator), history: history)
    }
}

extension MoyaError {
    fileprivate static var wrongCursor: MoyaError {
        .requestMapping("the cursor is of another kind of pagination: a URL and a token are not the same")
    }
}

extension Endpoint {
    /// - Parameter next: a URL without a user; that of the first page is sent to each page.
    fileprivate func page(at next: URL) -> Endpoint {
        var url: String?
        if let first = URLComponents(string: self.url), first.user != nil {
            var components = URLComponents(url: next, resolvingAgainstBaseURL: true)
            components?.percentEncodedUser = first.percentEncodedUser
            components?.percentEncodedPassword = first.percentEncodedPassword
            url = components?.string
        }
        return Endpoint(
            url: url ?? next.absoluteString, sampleResponseClosure: sampleResponseClosure, method: method,
            task: method.isSafe ? .requestPlain : task.withoutQuery(for: method), httpHeaderFields: httpHeaderFields)
    }
}

extension RequestTask {
    fileprivate func withoutQuery(for method: HTTPMethod) -> RequestTask {
        switch self {
        case .requestCompositeData(let data, _, _): .requestData(data)
        case .requestCompositeJSONEncodable(let value, let encoder, _, _):
            .requestCustomJSONEncodable(value, encoder: encoder)
        case .requestCompositeParameters(let parameters, let encoding, _, _):
            .requestParameters(parameters: parameters, encoding: encoding)
        case .requestParameters(_, let encoding as URLEncoding) where encoding.encodesIntoQuery(method): .requestPlain
        case .requestFormEncodable(_, let encoding) where encoding.encodesIntoQuery(method): .requestPlain
        case .uploadCompositeMultipartFormData(let form, _, _): .uploadMultipartFormData(form)
        default: self
        }
    }
}

extension URL {
    fileprivate var withoutUser: URL {
        guard user != nil || password != nil, var components = URLComponents(url: self, resolvingAgainstBaseURL: true)
        else { return self }
        (components.user, components.password) = (nil, nil)
        return components.url ?? self
    }

    // Resolves a server's reference against the URL of the response (RFC 3986, section 5). The result must have the
    // origin of the first page (RFC 6454), and no user: no other origin may receive the credentials.
    fileprivate static func nextPage(_ reference: String, base: URL?, firstPageURL: String) throws(MoyaError) -> URL {
        let origin = try MoyaError.wrapping { () throws(TransportError) in try URL(checkedForHTTP: firstPageURL) }
        // URL parsers disagree about these characters: a URL with a backslash has different hosts in different parsers.
        let isAmbiguous = reference.unicodeScalars.contains { $0 == "\\" || $0.value < 0x20 || $0.value == 0x7f }
        let base = (base ?? origin).withoutUser
        guard !isAmbiguous, let url = URL(keepingEscapesIn: reference, relativeTo: base)?.absoluteURL else {
            throw .requestMapping("the server's next-page link is not a valid URL")
        }
        try MoyaError.wrapping(url.checkForHTTP)
        guard url.user == nil, url.password == nil else {
            throw .requestMapping("the link to the next page has a user name or a password, which is not sent")
        }
        guard url.origin == origin.origin else {
            throw .requestMapping(
                "the link to the next page leads from \(origin.origin) to \(url.origin): the request and its credentials "
                    + "are not sent to another origin")
        }
        return url
    }
}
