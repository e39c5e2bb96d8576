# Programs of others that the tests run against: installed where missing, started on free loopback ports,
# stopped at the end. Sourced by script/test.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/norma
run=$(mktemp -d "${TMPDIR:-/tmp}/norma-test.XXXXXX")
chmod 755 "$run"
trap stop_engines EXIT

# As root directly, else by sudo; where neither is to be had, the message names the packages.
install_debian_packages() {
    local missing=()
    command -v xmllint >/dev/null || missing+=(libxml2-utils)
    command -v curl >/dev/null || missing+=(curl)
    command -v c++ >/dev/null || missing+=(g++)
    command -v node >/dev/null || missing+=(nodejs npm)
    [ -x /usr/bin/chromium ] || missing+=(chromium)
    command -v runuser >/dev/null || missing+=(util-linux)
    python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || missing+=(postgresql)
    export NORMA_BROWSER=/usr/bin/chromium
    [ ${#missing[@]} -gt 0 ] || return 0
    local as_root=()
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    echo "== installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -qq -y "${missing[@]}" >"$run/apt.log" 2>&1 ||
        stop "Packages are missing and could not be installed: apt-get install ${missing[*]}"
}

# A folder of installed packages is made anew only when the list of them changes.
install_python_packages() {
    local list=script/lib/python-packages.txt
    export NORMA_VENV=$cache/venv
    if ! cmp -s "$list" "$NORMA_VENV/installed.txt"; then
        echo "== installing Python packages"
        rm -rf "$NORMA_VENV"
        python3 -m venv "$NORMA_VENV"
        "$NORMA_VENV/bin/pip" install --quiet --disable-pip-version-check -r "$list"
        cp "$list" "$NORMA_VENV/installed.txt"
    fi
}

install_node_packages() {
    local list=script/lib/node-packages.json
    export NORMA_NODE_MODULES=$cache/node/node_modules NORMA_INTEROP=1
    if ! cmp -s "$list" "$cache/node/installed.json"; then
        echo "== installing Node packages"
        rm -rf "$cache/node"
        mkdir -p "$cache/node"
        cp "$list" "$cache/node/package.json"
        (cd "$cache/node" && npm install --silent --no-audit --no-fund --no-package-lock)
        cp "$list" "$cache/node/installed.json"
    fi
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# PostgreSQL refuses to run as root: its own user does it then.
as_postgres() {
    if [ "$(id -u)" = 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start_postgres() {
    local bin port
    bin=$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)
    port=$(free_port)
    mkdir "$run/postgres"
    [ "$(id -u)" != 0 ] || chown postgres "$run/postgres"
    as_postgres "$bin/initdb" -D "$run/postgres" -U norma -A trust -E UTF8 --no-sync >"$run/initdb.log"
    as_postgres "$bin/pg_ctl" -D "$run/postgres" -w -l "$run/postgres/log" \
        -o "-p $port -k $run/postgres -c listen_addresses=127.0.0.1 -c max_connections=300 -c fsync=off" start >/dev/null
    export NORMA_TEST_POSTGRES=postgres://norma@127.0.0.1:$port/postgres
}

start_engines() {
    echo "== starting PostgreSQL"
    start_postgres
}

stop_engines() {
    local bin
    bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
    [ ! -f "$run/postgres/postmaster.pid" ] || as_postgres "$bin/pg_ctl" -D "$run/postgres" -m immediate stop >/dev/null
    [ -z "$(jobs -p)" ] || kill $(jobs -p) 2>/dev/null || true
    rm -rf "$run"
}
