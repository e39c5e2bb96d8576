# What the benchmark runs beside Norma, installed where missing. Sourced by bench/run.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/norma/bench
mkdir -p "$cache"

install_debian_packages() {
    local missing=() as_root=()
    command -v nginx >/dev/null || [ -x /usr/sbin/nginx ] || missing+=(nginx-light)
    command -v wrk >/dev/null || missing+=(wrk)
    command -v h2load >/dev/null || missing+=(nghttp2-client)
    command -v basexserver >/dev/null || missing+=(basex)
    command -v xmllint >/dev/null || missing+=(libxml2-utils)
    command -v node >/dev/null || missing+=(nodejs npm)
    command -v make >/dev/null || missing+=(make g++)
    python3 -c 'import venv, ensurepip' 2>/dev/null || missing+=(python3 python3-venv)
    [ ${#missing[@]} -gt 0 ] || return 0
    [ "$(id -u)" = 0 ] || as_root=(sudo)
    echo "== installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq &&
        DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -qq -y "${missing[@]}" >/dev/null ||
        stop "Packages are missing and could not be installed: apt-get install ${missing[*]}"
}

install_python_packages() {
    cmp -s bench/python-packages.txt "$cache/venv/installed.txt" && return 0
    echo "== installing Python packages"
    rm -rf "$cache/venv"
    python3 -m venv "$cache/venv"
    "$cache/venv/bin/pip" install --quiet --disable-pip-version-check -r bench/python-packages.txt
    cp bench/python-packages.txt "$cache/venv/installed.txt"
}

# better-sqlite3 is compiled here, against the headers that come with Node where there are some.
install_node_packages() {
    cmp -s bench/node-packages.json "$cache/node/package.json" && [ -d "$cache/node/node_modules" ] && return 0
    echo "== installing Node packages"
    local prefix
    prefix=$(node -p 'require("path").dirname(require("path").dirname(process.execPath))')
    rm -rf "$cache/node"
    mkdir -p "$cache/node"
    cp bench/node-packages.json "$cache/node/package.json"
    [ ! -d "$prefix/include/node" ] || export npm_config_nodedir=$prefix
    (cd "$cache/node" && npm install --silent --no-audit --no-fund --no-package-lock)
}
