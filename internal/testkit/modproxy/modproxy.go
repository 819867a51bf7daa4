// Package modproxy publishes the modules of the repository as a module proxy in the file system.
// Tests can install and require them as users do, without the network and before a version is
// tagged.
package modproxy

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// file is a file of the repository.
type file struct{ root, name string }

func (f file) Path() string { return f.name }
func (f file) Lstat() (os.FileInfo, error) {
	return os.Lstat(filepath.Join(f.root, filepath.FromSlash(f.name)))
}
func (f file) Open() (io.ReadCloser, error) {
	return os.Open(filepath.Join(f.root, filepath.FromSlash(f.name)))
}

// Write publishes the module in a folder of the repository below dir, with the current files known
// to git. The module has the same name and files as with a tag of the version. Nested modules below
// the folder are not included.
func Write(t testing.TB, dir, folder, version string) {
	t.Helper()
	root := filepath.Join(needs.Root(t), folder)
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	path := modfile.ModulePath(goMod)
	var files []zip.File
	for _, name := range listed(t, root) {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil { // git still lists removed files
			files = append(files, file{root, name})
		}
	}
	var packed bytes.Buffer
	if err := zip.Create(&packed, module.Version{Path: path, Version: version}, files); err != nil {
		t.Fatal(err)
	}
	info, err := json.Marshal(struct {
		Version string
		Time    time.Time
	}{version, time.Unix(0, 0).UTC()})
	if err != nil {
		t.Fatal(err)
	}
	escaped, err := module.EscapePath(path)
	if err != nil {
		t.Fatal(err)
	}
	dir = filepath.Join(dir, filepath.FromSlash(escaped), "@v")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"list": []byte(version + "\n"), version + ".info": info, version + ".mod": goMod,
		version + ".zip": packed.Bytes(),
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// listed returns the files below a folder that git tracks, or does not ignore.
func listed(t testing.TB, root string) []string {
	t.Helper()
	needs.Program(t, "git", "apt-get install git")
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		needs.Skip(t, "need a copy of the repository with its git", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
}

// Environment returns the environment of a user who has only Go and an empty home. Modules come
// from the proxy in dir. Those of others come from the module cache of this machine, or from its
// proxies. Compiled packages are kept in the build cache of this machine.
func Environment(t testing.TB, dir, home string) []string {
	t.Helper()
	out, err := exec.Command("go", "env", "-json", "GOMODCACHE", "GOCACHE", "GOPROXY").Output()
	if err != nil {
		t.Fatal(err)
	}
	var machine struct{ GOMODCACHE, GOCACHE, GOPROXY string }
	if err := json.Unmarshal(out, &machine); err != nil {
		t.Fatal(err)
	}
	url := func(path string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(path), "/") }
	return append(os.Environ(),
		"GOPATH="+filepath.Join(home, "go"), "GOMODCACHE="+filepath.Join(home, "go", "pkg", "mod"),
		"GOBIN="+filepath.Join(home, "bin"),
		"GOCACHE="+machine.GOCACHE, "GOPROXY="+strings.Join([]string{url(dir),
			url(filepath.Join(machine.GOMODCACHE, "cache", "download")), machine.GOPROXY}, ","),
		"GONOPROXY=none", "GONOSUMDB=*", "GOSUMDB=off", "GOENV=off", "GOWORK=off", "GOTOOLCHAIN=local",
		// The flags of the test run are kept, since everything would be compiled again with other
		// flags. With -trimpath, packages compiled in another home are reused.
		"GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -modcacherw -trimpath"),
		"PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}
