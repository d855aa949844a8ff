# Creates an authority and certificates that it signs; sourced by serve.
tls=$work/tls
key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
mkdir "$tls"
request() { openssl req $key -subj "/CN=$1" -keyout "$tls/$1.key" -out "$tls/$1.csr" 2> /dev/null; }
sign() {
    printf 'subjectAltName=%s\n' "$2" > "$tls/names"
    openssl x509 -req -in "$tls/$1.csr" -CA "$tls/ca.pem" -CAkey "$tls/ca.key" -CAcreateserial -days "$3" \
        -extfile "$tls/names" -out "$tls/$1.pem" 2> /dev/null
}
openssl req -x509 $key -days 2 -subj /CN=localhost \
    -keyout "$tls/unknown.key" -out "$tls/unknown.pem" 2> /dev/null
openssl req -x509 $key -days 2 -subj /CN=authority -keyout "$tls/ca.key" -out "$tls/ca.pem" 2> /dev/null
for name in good expired other client; do request "$name"; done
sign good DNS:localhost 2
sign expired DNS:localhost -1
sign other DNS:other.example 2
sign client DNS:client 2
openssl x509 -in "$tls/good.pem" -pubkey -noout | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary \
    | base64 > "$tls/pin.txt"
export MOYA_TLS=$tls
