#if os(Linux)
    import CMoyaCurl

    extension CurlTransfer {
        var metrics: TransportMetrics {
            var metrics = TransportMetrics()
            metrics.queued = queued
            let requestSize = Int64(easy.number(CCURLINFO_REQUEST_SIZE))
            let isConnected = response.head != nil || requestSize > 0
            let isReused = isConnected && easy.number(CCURLINFO_NUM_CONNECTS) == 0
            metrics.isReusedConnection = isConnected ? isReused : nil
            // A reused connection has no times of connecting.
            if !isReused {
                metrics.nameLookup = easy.time(CCURLINFO_NAMELOOKUP_TIME_T)
                metrics.connect = easy.time(CCURLINFO_CONNECT_TIME_T)
                metrics.secureConnect = easy.time(CCURLINFO_APPCONNECT_TIME_T)
            }
            // An estimate, for libcurl versions that do not report the time; there is none for a request with content.
            let estimate = exchange?.request.hasContent == false ? easy.time(CCURLINFO_PRETRANSFER_TIME_T) : nil
            metrics.requestSent = easy.time(CCURLINFO_POSTTRANSFER_TIME_T) ?? estimate
            metrics.firstByte = easy.time(CCURLINFO_STARTTRANSFER_TIME_T)
            metrics.total = easy.time(CCURLINFO_TOTAL_TIME_T)
            metrics.version = response.head?.version
            let contentSize = settings.library.countsContentOfRequests ? 0 : easy.size(CCURLINFO_SIZE_UPLOAD_T)
            metrics.bytesSent = requestSize + contentSize
            metrics.bytesReceived = Int64(easy.number(CCURLINFO_HEADER_SIZE)) + easy.size(CCURLINFO_SIZE_DOWNLOAD_T)
            metrics.remoteAddress = easy.text(CCURLINFO_PRIMARY_IP)
            metrics.remotePort = metrics.remoteAddress.map { _ in easy.number(CCURLINFO_PRIMARY_PORT) }
            return metrics
        }
    }
#endif
