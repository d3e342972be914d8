#!/usr/bin/env bash
# dist.sh PROGRAM FOLDER: a release archive of a built program, with its manual,
# completions, unit, settings and guides, and a checksum beside it. The same
# program and commit give the same archive.
set -euo pipefail
program=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/.."

version=$("$program" --version | cut -d' ' -f2)
name=parlor-$version-$(uname -m)-$(uname -s | tr '[:upper:]' '[:lower:]')
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
root=$stage/$name

install -D -m 755 "$program" "$root/bin/parlor"
# What only a debugger reads is left out.
command -v strip >/dev/null && strip "$root/bin/parlor"
"$program" man "$root/share/man/man1"
completions() { mkdir -p "$root/share/$2" && "$program" completions "$1" >"$root/share/$2/$3"; }
completions bash bash-completion/completions parlor
completions zsh zsh/site-functions _parlor
completions fish fish/vendor_completions.d parlor.fish
install -D -m 644 -t "$root/packaging" packaging/parlor.service packaging/parlor.toml packaging/grafana.json
install -D -m 644 -t "$root" README.md CHANGELOG.md LICENSE LICENSE-MIT LICENSE-APACHE
install -D -m 644 -t "$root/docs" docs/*.md

# Nothing of the machine or the hour is in it.
when=$(git log -1 --format=%ct 2>/dev/null || echo 0)
tar --create --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$when" \
  --directory "$stage" "$name" | gzip --no-name >"$folder/$name.tar.gz"
(cd "$folder" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
echo "$folder/$name.tar.gz"
