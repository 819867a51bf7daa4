package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// module is one that the command is linked with.
type module struct {
	Path, Version, Dir string
	Main               bool
}

// licences says under which licence a module is, by its SPDX identifier. A module that is not here
// stops the release: somebody has to read its licence first (CONTRIBUTING.md, "Licence").
var licences = map[string]string{
	"github.com/alecthomas/participle/v2":  "MIT",
	"github.com/andybalholm/brotli":        "MIT",
	"github.com/google/pprof":              "Apache-2.0",
	"github.com/google/uuid":               "BSD-3-Clause",
	"github.com/parquet-go/bitpack":        "Apache-2.0",
	"github.com/parquet-go/jsonlite":       "MIT",
	"github.com/parquet-go/parquet-go":     "Apache-2.0",
	"github.com/pierrec/lz4/v4":            "BSD-3-Clause",
	"github.com/twpayne/go-geom":           "BSD-2-Clause",
	"google.golang.org/protobuf":           "BSD-3-Clause",
	"github.com/dave/jennifer":             "MIT",
	"github.com/google/shlex":              "Apache-2.0",
	"github.com/ianlancetaylor/demangle":   "BSD-3-Clause",
	"github.com/inconshreveable/mousetrap": "Apache-2.0",
	"github.com/klauspost/compress":        "Apache-2.0 AND BSD-3-Clause AND MIT",
	"github.com/rivo/uniseg":               "MIT",
	"github.com/rogpeppe/go-internal":      "BSD-3-Clause",
	"github.com/spf13/cobra":               "Apache-2.0",
	"github.com/spf13/pflag":               "BSD-3-Clause",
	"github.com/therootcompany/xz":         "CC0-1.0",
	"golang.org/x/mod":                     "BSD-3-Clause",
	"golang.org/x/sync":                    "BSD-3-Clause",
	"golang.org/x/sys":                     "BSD-3-Clause",
	"golang.org/x/term":                    "BSD-3-Clause",
	"golang.org/x/tools":                   "BSD-3-Clause",
	"github.com/dustin/go-humanize":        "MIT",
	"github.com/mattn/go-isatty":           "MIT",
	"github.com/ncruces/go-strftime":       "MIT",
	"github.com/remyoudompheng/bigfft":     "BSD-3-Clause",
	"modernc.org/libc":                     "BSD-3-Clause",
	"modernc.org/mathutil":                 "BSD-3-Clause",
	"modernc.org/memory":                   "BSD-3-Clause",
	"modernc.org/sqlite":                   "BSD-3-Clause",
}

// notices returns the text of tracec licenses: what the command is linked with on any target and
// holds, with the texts of the licences. It names no version, which the binary knows by itself and
// the bill of materials lists.
func notices() ([]byte, error) {
	all := map[string]module{}
	for _, t := range targets {
		list, err := modules(t)
		if err != nil {
			return nil, err
		}
		for _, m := range list {
			all[m.Path] = m
		}
	}
	var paths []string
	for p := range all {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	var b bytes.Buffer
	fmt.Fprint(&b, "tracec is under the Apache License 2.0. It is linked with the following, each under the licence below its name.\n")
	goText, err := goLicence()
	if err != nil {
		return nil, err
	}
	section(&b, "The Go programming language, its runtime and standard library", "BSD-3-Clause", goText)
	for _, p := range paths {
		id, ok := licences[p]
		if !ok {
			return nil, fmt.Errorf("%s: its licence is not in tools/release/notices.go: read it, then add it", p)
		}
		text, err := licenceText(all[p].Dir)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		section(&b, p, id, text)
	}
	for _, e := range embedded {
		text, err := os.ReadFile(filepath.Join(repository, e.file))
		if err != nil {
			return nil, err
		}
		section(&b, e.name, e.licence, text)
	}
	return b.Bytes(), nil
}

// embedded are parts of other projects that are no modules and that the command holds.
var embedded = []struct{ name, licence, file string }{
	{"speedscope, the page of tracec open --flame", "MIT", "export/flame/speedscope/LICENSE"},
	{"Libraries in speedscope", "MIT, BSD-3-Clause, Apache-2.0, CC0-1.0, Zlib", "export/flame/speedscope/LIBRARIES.md"},
	{"Source Code Pro, its font", "OFL-1.1", "export/flame/speedscope/FONT_LICENSE.md"},
}

func section(b *bytes.Buffer, name, id string, text []byte) {
	rule := strings.Repeat("=", 78)
	fmt.Fprintf(b, "\n%s\n%s (%s)\n%s\n\n%s\n", rule, name, id, rule,
		bytes.TrimSpace(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
}

// modules lists what the commands are linked with on a target.
func modules(t target) ([]module, error) {
	args := []string{"list", "-deps", "-json=Module"}
	for _, p := range programs {
		args = append(args, "./cmd/"+p)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOWORK=off")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var list []module
	seen := map[string]bool{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct{ Module *module }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		if m := p.Module; m != nil && !m.Main && !seen[m.Path] {
			seen[m.Path] = true
			list = append(list, *m)
		}
	}
}

// licenceText joins the licence files at the root of a module.
func licenceText(dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var texts [][]byte
	for _, e := range entries {
		name := strings.ToUpper(e.Name())
		if e.IsDir() || !hasAnyPrefix(name, "LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS") ||
			strings.HasSuffix(name, ".GO") {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		texts = append(texts, bytes.TrimSpace(text))
	}
	if len(texts) == 0 {
		return nil, errors.New("no file with a licence")
	}
	return bytes.Join(texts, []byte("\n\n")), nil
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(s, p) })
}

func goLicence() ([]byte, error) {
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, err
	}
	return os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "LICENSE"))
}
