# Checks of what script/package makes: pages, Debian package, image, bill of materials. Sourced by script/test-deploy, which sets
# `package` (their folder) and `work` (an empty folder).

# Fails with the words, which say what should have been.
fail() { echo "$*"; return 1; }

program_is_small() {
    local size
    size=$(stat --format %s "$package/norma")
    echo "$size bytes"
    [ "$size" -le 40000000 ]
}

symbols_are_apart() {
    # A note of both, equal where they are of one build.
    build_id() { readelf --notes "$1" | grep 'Build ID'; }
    [ "$(build_id "$package/norma")" = "$(build_id "$package/norma.debug")" ]
    readelf --string-dump .gnu_debuglink "$package/norma" | grep norma.debug
    nm "$package/norma" 2>&1 | grep 'no symbols'
    nm --demangle "$package/norma.debug" | grep --count norma_service::server
}

pages_are_valid() {
    local page
    for page in "$package"/man/*/*; do
        zcat "$page" | mandoc -T lint -W warning || fail "$page"
    done
}

bash_completes() {
    bash -c '. "$1"; complete -p norma; COMP_WORDS=(norma doct) COMP_CWORD=1; _norma norma doct norma
        echo "${COMPREPLY[*]}"; [ "${COMPREPLY[*]}" = doctor ]' - "$package/completions/norma.bash"
}

zsh_completes() {
    zsh -f -c 'autoload -U compinit; compinit -D -u; source $1; print $_comps[norma]; [[ $_comps[norma] = _norma ]]' \
        - "$package/completions/norma.zsh"
}

fish_completes() {
    fish --no-config -c 'source $argv[1]; complete --do-complete "norma doct" | grep --quiet "^doctor"' \
        "$package/completions/norma.fish"
}

materials_are_equal() {
    local host
    host=$(rustc -vV | sed -n 's/^host: //p')
    rust-audit-info "$package/norma" >"$work/audit.json"
    cargo metadata --locked --format-version 1 --filter-platform "$host" >"$work/metadata.json"
    cargo tree --locked --package norma-cli --edges normal,build --target "$host" --prefix none --format '{p}' >"$work/tree"
    python3 script/lib/bill-of-materials.py "$package/norma.cdx.json" "$work/audit.json" "$work/metadata.json" \
        "$work/tree" Cargo.lock
}

# serve_until_ready COMMAND…: starts a service in the background and waits until `health` succeeds, half a minute at most.
# The command must be a program and not a function, so that a signal reaches it.
serve_until_ready() {
    local tries
    "$@" >"$work/serve.log" 2>&1 &
    service=$!
    trap 'kill "$service" 2>/dev/null || true' EXIT
    for tries in $(seq 150); do
        if health 2>/dev/null; then return 0; fi
        kill -0 "$service" 2>/dev/null || break
        sleep 0.2
    done
    health || true
    cat "$work/serve.log"
    return 1
}

# Ends the service as a service manager does; it must end well.
stop_service() {
    kill "$service"
    wait "$service"
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# A minimal Debian of this machine's release, with what the package depends on, as an archive in the cache; debootstrap makes it the
# first time.
debian_base() {
    local codename
    codename=$(. /etc/os-release && echo "$VERSION_CODENAME")
    debian=${XDG_CACHE_HOME:-$HOME/.cache}/norma/$codename.tar
    [ ! -f "$debian" ] || return 0
    debootstrap --variant=minbase --include=ca-certificates "$codename" "$work/bootstrap" >"$work/debootstrap.log" 2>&1 || return
    tar --directory "$work/bootstrap" --create --file "$debian.part" .
    mv "$debian.part" "$debian"
}

# Installs, starts, upgrades, removes and purges the package in a minimal Debian. No service manager runs there, so the service is
# started by the command of the unit, as a user without rights.
package_is_installed_upgraded_and_removed() {
    local port deb root=$work/debian next=$work/next
    mkdir "$root"
    tar --directory "$root" --extract --file "$debian"
    deb=$(echo "$package"/norma_*.deb) port=$(free_port)
    inside() { chroot "$root" "$@"; }
    health() { inside norma health --ops-listen "127.0.0.1:$port"; }
    serve() {
        serve_until_ready chroot --userspec 65534:65534 "$root" sh -c "cd /var/lib/norma &&
            exec $(sed -n 's/^ExecStart=//p' deploy/systemd/norma.service) \
            --listen 127.0.0.1:0 --ops-listen 127.0.0.1:$port --drain-time 0s"
    }
    cp "$deb" "$root/norma.deb"
    inside dpkg --install /norma.deb
    inside norma --version
    inside test -e /usr/share/man/man1/norma-serve.1.gz -a -e /usr/lib/systemd/system/norma.service
    install --directory --owner 65534 --mode 700 "$root/var/lib/norma"
    if serve; then fail "the service starts with the settings of the package, which name no audience"; fi
    grep audience "$work/serve.log"
    sed -i 's|^audience = .*|audience = ["api://norma"]|' "$root/etc/norma/norma.toml"
    serve
    stop_service

    # The next package differs in its version and in the settings that it ships.
    dpkg-deb --raw-extract "$deb" "$next"
    sed -i 's/^Version: .*/&.1/' "$next/DEBIAN/control"
    echo '# Of the next version.' >>"$next/etc/norma/norma.toml"
    dpkg-deb -Znone --build "$next" "$root/norma.deb"
    inside dpkg --install --force-confold /norma.deb
    inside grep 'api://norma' /etc/norma/norma.toml || fail "the upgrade must keep changed settings"
    serve
    stop_service

    inside dpkg --remove norma
    inside test ! -e /usr/bin/norma -a -e /etc/norma/norma.toml || fail "remove takes the program and leaves the settings"
    inside dpkg --purge norma
    inside test ! -e /etc/norma/norma.toml -a -e /var/lib/norma/norma.db || fail "purge takes the settings and leaves the store"
}

# Image store of its own, so that none of the machine is touched.
images() { buildah --root "$work/images" --runroot "$work/images-run" --storage-driver vfs "$@"; }

# Builds the last stage of the Dockerfile as it is there. What it copies from the stage `build` comes from a folder made by the
# command of that stage: base images are not fetched here.
image_is_built() {
    mkdir -p "$work/build/state/norma" "$work/context"
    deploy/image/root-folder "$package/norma" "$work/build/root-folder"
    sed -n '/^FROM scratch/,$p' deploy/image/Dockerfile >"$work/Dockerfile"
    images build --isolation chroot --format docker --build-context "build=$work/build" --file "$work/Dockerfile" \
        --tag norma "$work/context"
}

image_states_user_volume_and_health() {
    images inspect --type image norma >"$work/image.json"
    python3 - "$work/image.json" <<'EOF'
import json, sys
config = json.load(open(sys.argv[1]))["Docker"]["config"]
found = [config[key] for key in ("User", "Entrypoint", "Cmd", "WorkingDir", "Volumes")] + [config["Healthcheck"]["Test"]]
assert found == [
    "65532:65532", ["/usr/bin/norma"], ["serve"], "/var/lib/norma", {"/var/lib/norma": {}},
    ["CMD", "/usr/bin/norma", "health", "--live"],
], found
EOF
}

# Runs the program in the files of the image, which are read-only but for the volume, as the user of the image: in mounts that end
# with it, since not every machine lets containers start.
image_serves() {
    local container port root
    container=$(images from --pull-never norma)
    root=$(images mount "$container")
    port=$(free_port)
    cat >"$work/in-image" <<'EOF'
set -e
root=$1
shift
mount --bind "$root" "$root"
mount --bind "$root/var/lib/norma" "$root/var/lib/norma"
mount -o remount,bind,ro "$root"
exec env -i NORMA_CONFIG=/etc/norma/norma.toml "$(command -v chroot)" --userspec 65532:65532 "$root" "$@"
EOF
    in_image=(unshare --mount sh "$work/in-image" "$root" /usr/bin/norma)
    health() { "${in_image[@]}" health --live --ops-listen "127.0.0.1:$port"; }
    "${in_image[@]}" store migrate
    if "${in_image[@]}" store migrate --store /tmp.db; then fail "the root of the image can be written"; fi
    serve_until_ready "${in_image[@]}" serve --audience api://norma \
        --listen 127.0.0.1:0 --ops-listen "127.0.0.1:$port" --drain-time 0s
    stop_service
}
