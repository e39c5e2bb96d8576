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
    command -v jq >/dev/null || missing+=(jq)
    command -v c++ >/dev/null || missing+=(g++)
    command -v make >/dev/null || missing+=(make)
    command -v node >/dev/null || missing+=(nodejs npm)
    command -v java >/dev/null || missing+=(openjdk-17-jre-headless)
    [ -x /usr/bin/chromium ] || missing+=(chromium)
    command -v ps >/dev/null || missing+=(procps)
    command -v strace >/dev/null || missing+=(strace)
    command -v runuser >/dev/null || missing+=(util-linux)
    python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
    [ -x /usr/sbin/nginx ] || missing+=(nginx)
    [ -x /usr/sbin/haproxy ] || missing+=(haproxy)
    [ -x /usr/sbin/apache2 ] || missing+=(apache2-bin)
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

# SeaweedFS, which checks signatures; each of its services wants a port whose number leaves room for 10,000 more.
start_s3() {
    local port ports=()
    while [ ${#ports[@]} -lt 5 ]; do
        port=$(free_port)
        [ "$port" -gt 55000 ] || ports+=("$port")
    done
    [ "$(df --output=pcent "$run" | tail -n 1 | tr -dc 0-9)" -lt 99 ] ||
        stop "Less than 1 % of the disk of $run is free: SeaweedFS would write nothing. Free some, or name another folder by TMPDIR."
    export AWS_ACCESS_KEY_ID=norma AWS_SECRET_ACCESS_KEY=not-a-secret AWS_REGION=us-east-1
    mkdir "$run/s3"
    "$NORMA_VENV/bin/weed" mini -dir="$run/s3" -ip=127.0.0.1 -ip.bind=127.0.0.1 -bucket=content \
        -s3.port="${ports[0]}" -master.port="${ports[1]}" -filer.port="${ports[2]}" -volume.port="${ports[3]}" \
        -admin.port="${ports[4]}" -s3.port.iceberg=0 -s3.port.lance=0 -webdav=false -admin.ui=false \
        -master.telemetry=false >"$run/s3.log" 2>&1 &
    await "$run/s3.log" grep -q 'S3 Endpoint' "$run/s3.log"
    export NORMA_TEST_S3="s3://content/tests?endpoint=http://127.0.0.1:${ports[0]}"
}

# Microsoft's own emulator of Azure Blob, with its published account.
start_azure() {
    local port
    port=$(free_port)
    export AZURITE_BLOB_STORAGE_URL=http://127.0.0.1:$port
    mkdir "$run/azure"
    node "$NORMA_NODE_MODULES/azurite/dist/src/blob/main.js" --blobPort "$port" --location "$run/azure" \
        --skipApiVersionCheck --disableTelemetry --silent >"$run/azure.log" 2>&1 &
    await "$run/azure.log" python3 script/lib/azure-container.py "$AZURITE_BLOB_STORAGE_URL" content
    export NORMA_TEST_AZURE=az://content/tests
}

# Tries a command until it succeeds, half a minute at most.
await() {
    local log=$1 tries
    shift
    for tries in $(seq 150); do
        if "$@" 2>/dev/null; then return 0; fi
        sleep 0.2
    done
    cat "$log" >&2
    stop "A peer of the tests does not start: $log"
}

start_engines() {
    echo "== starting PostgreSQL, an S3 server and Azurite"
    start_postgres
    start_s3
    start_azure
}

stop_engines() {
    local bin
    bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
    [ ! -f "$run/postgres/postmaster.pid" ] || as_postgres "$bin/pg_ctl" -D "$run/postgres" -m immediate stop >/dev/null
    [ -z "$(jobs -p)" ] || kill $(jobs -p) 2>/dev/null || true
    rm -rf "$run"
}
