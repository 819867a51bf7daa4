package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// buildAll writes an archive for each target, with the command, its licence, the notices and the
// bill of materials, and SHA256SUMS over all of them.
func buildAll(dir, version string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var sums bytes.Buffer
	for _, t := range targets {
		name, content, err := build(t, version)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o644); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
		fmt.Println(name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), sums.Bytes(), 0o644)
}

// programs are the commands of a release, in cmd: tracec, tracec-gen for go generate, and
// tracec-govet for go vet.
var programs = []string{"tracec", "tracec-gen", "tracec-govet"}

// build makes the archive of one target.
func build(t target, version string) (name string, content []byte, err error) {
	var files []file
	for _, p := range programs {
		built, err := buildProgram(p, t, version)
		if err != nil {
			return "", nil, err
		}
		files = append(files, built...)
	}
	for shipped, source := range map[string]string{"LICENSE": "LICENSE", "README.md": "README.md",
		"NOTICES.txt": "internal/command/notices.txt"} {
		text, err := os.ReadFile(filepath.Join(repository, filepath.FromSlash(source)))
		if err != nil {
			return "", nil, err
		}
		files = append(files, file{shipped, text, 0o644})
	}
	manual, err := manual(version)
	if err != nil {
		return "", nil, err
	}
	files = append(files, manual...)
	base := "tracec-" + version + "-" + t.String()
	if t.os == "windows" {
		content, err = zipped(base, files)
		return base + ".zip", content, err
	}
	content, err = tarred(base, files)
	return base + ".tar.gz", content, err
}

// buildProgram builds a command and says what it is made of.
func buildProgram(name string, t target, version string) ([]file, error) {
	temp, err := os.MkdirTemp("", "tracec-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	binary := name
	if t.os == "windows" {
		binary += ".exe"
	}
	path := filepath.Join(temp, binary)
	strip := "-s -w"
	// nothing reads the build information of a stripped XCOFF file, neither this program nor go
	// version
	if t.os == "aix" {
		strip = "-w"
	}
	// No path of this machine and no id of this build may get into the binary, and of git the
	// commit alone.
	const variables = " -X github.com/tracec/tracec/internal/command."
	flags := "-ldflags=" + strip + " -buildid=" + variables + "release=" + version + variables + "commit=" + commit()
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", flags, "-o", path, "./cmd/"+name)
	cmd.Dir = repository
	cmd.Env = append(os.Environ(), "GOOS="+t.os, "GOARCH="+t.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off",
		"GOAMD64=v1", "GOARM64=v8.0", "GO386=sse2")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("go build: %w\n%s", err, out)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	bill, err := materials(info, version)
	if err != nil {
		return nil, err
	}
	return []file{{binary, content, 0o755}, {name + ".cdx.json", bill, 0o644}}, nil
}

// commit returns the commit that is built; "" where files have changed since, or where there is no
// git.
func commit() string {
	run := func(args ...string) (string, error) {
		cmd := exec.Command("git", args...)
		cmd.Dir = repository
		out, err := cmd.Output()
		return strings.TrimSpace(string(out)), err
	}
	head, err := run("rev-parse", "HEAD")
	if err != nil {
		return ""
	}
	if changed, err := run("status", "--porcelain", "--untracked-files=no"); err != nil || changed != "" {
		return ""
	}
	return head
}

// manual returns the pages of the manual, and completions for shells, of a version.
func manual(version string) (files []file, err error) {
	temp, err := os.MkdirTemp("", "tracec-release-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(temp)
	cmd := exec.Command("go", "run", "./cmd/internal/man", "-o", temp, "-version", version)
	cmd.Dir = repository
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the manual: %w\n%s", err, out)
	}
	err = fs.WalkDir(os.DirFS(temp), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(temp, filepath.FromSlash(path)))
		files = append(files, file{path, content, 0o644})
		return err
	})
	return files, err
}
