#!/usr/bin/env bash
# Builds every fuzz target of the module, as OSS-Fuzz does. Inside the image of OSS-Fuzz,
# compile_native_go_fuzzer makes a libFuzzer binary of each target in $OUT. Elsewhere the targets
# are compiled into OUT (default: a temporary folder) as test binaries with coverage
# instrumentation, which proves that all of them build. Seeds go to the same folder.
set -euo pipefail
cd "$(dirname "$0")/.."

out=${OUT:-$(mktemp -d)}
n=0
for pkg in $(go list -f '{{if or .TestGoFiles .XTestGoFiles}}{{.ImportPath}}{{end}}' ./...); do
	dir=$(go list -f '{{.Dir}}' "$pkg")
	targets=$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' "$dir"/*_test.go | sort)
	[ -n "$targets" ] || continue
	short=${pkg#github.com/tracec/tracec/}
	short=${short//\//_}
	if ! command -v compile_native_go_fuzzer >/dev/null; then
		go test -c -fuzz=Fuzz -o "$out/$short.test" "$pkg"
	fi
	for target in $targets; do
		n=$((n + 1))
		name=${short}_$target
		if command -v compile_native_go_fuzzer >/dev/null; then
			compile_native_go_fuzzer "$pkg" "$target" "$name"
		fi
		if [ -d "$dir/testdata/fuzz/$target" ] && command -v zip >/dev/null; then
			zip -qjr "$out/${name}_seed_corpus.zip" "$dir/testdata/fuzz/$target"
		fi
	done
done
echo "$n fuzz targets in $out"
