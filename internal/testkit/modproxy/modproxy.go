// Package modproxy publishes the modules of the repository as a module proxy in the file system, so
// that tests install and require them as users do, without the network and before there is a tag.
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

// Write publishes the module in a folder of the repository, as git knows its files now, below dir.
// The module has the name and the files that a tag of the version would give it: modules of their
// own below the folder are not in it.
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
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil { // git still lists what was removed
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

// listed returns the files below a folder that git has, and those that it does not ignore.
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

// Environment returns that of a user who has nothing but Go, in an empty home: modules come from
// the proxy in dir, and those of others from the module cache of this machine, or from where it has
// them. Compiled packages are kept in the build cache of this machine.
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
		// The flags of the test run are kept: with others, all is compiled once more. -trimpath:
		// what was compiled in another home is found again.
		"GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -modcacherw -trimpath"),
		"PATH="+filepath.Join(home, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
}
