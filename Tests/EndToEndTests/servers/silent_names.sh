# Runs the command with a name server that does not respond; sourced by serve.
nameserver=127.0.0.77
have python3 python3 || true
if [ "$(id -u)" != 0 ] || ! unshare --mount true 2> /dev/null; then
    left_out "names without a responding name server: only root on Linux can give a command a name server of its own"
    exit 0
fi
python3 -u "$here/servers/silent_names.py" "$nameserver" > "$work/names.log" 2>&1 &
servers+=($!)
for _ in $(seq 200); do
    ! grep -q listening "$work/names.log" || break
    sleep 0.05
done
if ! grep -q listening "$work/names.log"; then
    left_out "names without a responding name server: no name server can be had at $nameserver: $(tail -n 1 "$work/names.log")"
    exit 0
fi
printf 'nameserver %s\noptions timeout:5 attempts:2\n' "$nameserver" > "$work/resolv.conf"
MOYA_SILENT_DNS=1 unshare --mount sh -c 'mount --bind "$0" "$(readlink -f /etc/resolv.conf)" && exec "$@"' \
    "$work/resolv.conf" "$@"
