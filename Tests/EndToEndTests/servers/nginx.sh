# Starts nginx with several configurations; sourced by serve.
ports http https ipv6 short close good expired other client old demand websocket websocket_tls

root=$work/root
mkdir "$root" "$root/put"
chmod 777 "$root/put"
printf 'Half measures are as bad as nothing at all.' > "$root/zen.txt"
head -c 5000000 /dev/zero | tr '\0' 'x' > "$root/big.txt"
# Uses no disk space.
truncate -s 200M "$root/huge.bin"
mkdir "$root/slow"
head -c 60000 /dev/zero > "$root/slow/short.bin"
head -c 1000000 /dev/zero > "$root/slow/long.bin"

# The common configuration of all servers.
locations="
    root $root;
    add_header X-Connection \$connection;
    add_header X-Protocol \$server_protocol;
    add_header X-Authorization \$http_authorization;
    add_header X-Proxy-Authorization \$http_proxy_authorization;
    client_max_body_size 0;
    location /moved { return 302 /zen.txt; }
    location /teapot { return 418 'short and stout'; }
    location /put/ { dav_methods PUT DELETE; }
    location /limited/ { client_max_body_size 10k; alias $root/put/; dav_methods PUT; }
    location /slow/ { limit_rate 50k; }
    location /websocket {
        proxy_pass http://127.0.0.1:$websocket_port;
        proxy_http_version 1.1;
        proxy_set_header Upgrade \$http_upgrade;
        proxy_set_header Connection upgrade;
    }
    location /slowly/ { alias $root/put/; limit_rate 50k; }
    location /sealed/ { alias $root/; add_trailer X-Checksum abc; add_trailer X-Sent \$bytes_sent; }
"
tls_server() {
    printf 'server { listen 127.0.0.1:%s ssl http2; ssl_certificate %s/%s.pem; ssl_certificate_key %s/%s.key; %s %s }\n' \
        "$1" "$tls" "$2" "$tls" "$2" "$locations" "$3"
}
ipv6=
if grep -q '^0*1 ' /proc/net/if_inet6 2> /dev/null; then
    ipv6="listen [::1]:$ipv6_port;"
    export MOYA_IPV6="http://[::1]:$ipv6_port"
else
    left_out "IPv6: this machine has no address ::1"
fi

cat > "$work/nginx.conf" <<CONF
daemon off;
worker_processes 1;
pid $work/pid;
error_log $work/error.log;
events { worker_connections 4096; }
http {
    access_log off;
    client_body_temp_path $work/body;
    proxy_temp_path $work/proxy;
    fastcgi_temp_path $work/fastcgi;
    uwsgi_temp_path $work/uwsgi;
    scgi_temp_path $work/scgi;
    types { text/plain txt; }
    default_type application/octet-stream;
    server {
        listen 127.0.0.1:$http_port;
        listen 127.0.0.1:$https_port ssl;
        $ipv6
        ssl_certificate $tls/unknown.pem;
        ssl_certificate_key $tls/unknown.key;
        gzip on;
        gzip_min_length 1;
        gzip_types text/plain;
        $locations
    }
    server { listen 127.0.0.1:$short_port; keepalive_requests 3; $locations }
    server { listen 127.0.0.1:$close_port; keepalive_timeout 0; $locations }
    $(tls_server "$good_port" good "ssl_protocols TLSv1.2 TLSv1.3; gzip on; gzip_types text/plain;")
    $(tls_server "$expired_port" expired "")
    $(tls_server "$other_port" other "")
    $(tls_server "$client_port" good "ssl_client_certificate $tls/ca.pem; ssl_verify_client on;")
    $(tls_server "$old_port" good "ssl_protocols TLSv1.2;")
}
CONF

start "$http_port" nginx nginx -c "$work/nginx.conf" -p "$work"
# Unlike nginx, which responds with 400, it refuses a client without a valid certificate with an alert of TLS.
start "$demand_port" openssl openssl s_server -accept "127.0.0.1:$demand_port" -tls1_3 -www -quiet \
    -cert "$tls/good.pem" -key "$tls/good.key" -CAfile "$tls/ca.pem" -Verify 1 -verify_return_error
export MOYA_HTTP="http://127.0.0.1:$http_port" MOYA_HTTPS="https://localhost:$https_port"
export MOYA_SHORT="http://127.0.0.1:$short_port" MOYA_CLOSE="http://127.0.0.1:$close_port"
for name in good expired other client old demand; do
    export "MOYA_TLS_$(printf %s "$name" | tr a-z A-Z)=https://localhost:$(eval "printf %s \"\$${name}_port\"")"
done
