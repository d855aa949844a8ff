# Starts httpbin and the servers of this folder, whose dependencies are from PyPI; sourced by serve.
packages=$cache/packages
requirements=$here/servers/requirements.txt

# Installs once, for this Python and these versions.
install_packages() {
    local stamp
    stamp=$(python3 --version; cat "$requirements")
    [ "$stamp" != "$(cat "$packages/stamp" 2> /dev/null)" ] || return 0
    rm -rf "$packages"
    mkdir -p "$packages"
    python3 -m pip --version > /dev/null 2>&1 || have pip3 python3-pip || return
    python3 -m pip install --quiet --retries 1 --disable-pip-version-check --root-user-action=ignore --target "$packages" \
        --requirement "$requirements" > "$work/pip.log" 2>&1 || return
    printf '%s\n' "$stamp" > "$packages/stamp"
}

if install_packages; then
    ports httpbin forms h2
    python=(env "PYTHONPATH=$packages" python3)
    start "$httpbin_port" httpbin "${python[@]}" -m gunicorn --bind "127.0.0.1:$httpbin_port" --worker-class gthread \
        --threads 64 --keep-alive 20 --graceful-timeout 1 --worker-tmp-dir "$work" httpbin:app
    start "$forms_port" forms "${python[@]}" "$here/servers/forms.py" "$forms_port"
    start "$h2_port" h2 "${python[@]}" "$here/servers/http2.py" "$h2_port" "$tls/good.pem" "$tls/good.key"
    start "$websocket_port" websocket "${python[@]}" "$here/servers/websockets_echo.py" "$websocket_port" \
        "$websocket_tls_port" "$tls/good.pem" "$tls/good.key"
    export MOYA_WS="ws://127.0.0.1:$websocket_port" MOYA_WSS="wss://localhost:$websocket_tls_port"
    export MOYA_HTTPBIN="http://127.0.0.1:$httpbin_port" MOYA_FORMS="http://127.0.0.1:$forms_port"
    export MOYA_H2="https://localhost:$h2_port"
else
    left_out "httpbin, forms, WebSockets and the hostile server of HTTP/2: their packages cannot be installed from PyPI"
fi
