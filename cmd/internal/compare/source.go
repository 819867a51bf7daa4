package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// windowMax is twice the zstd window of the saved texts (32 MB).
const windowMax = 64 << 20

// decoders of zstd are reused, since they have windows of many megabytes.
var decoders = sync.Pool{New: func() any {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(windowMax))
	if err != nil {
		panic(err) // only for invalid options
	}
	return d
}}

// openZstd streams the unpacked contents of a file.
func openZstd(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open reference: %w", err)
	}
	d := decoders.Get().(*zstd.Decoder)
	if err := d.Reset(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("unpack %s: %w", path, err)
	}
	return &unpacked{d, f}, nil
}

type unpacked struct {
	*zstd.Decoder
	file *os.File
}

func (u *unpacked) Close() error {
	err := u.Reset(nil)
	decoders.Put(u.Decoder)
	return errors.Join(err, u.file.Close())
}

// unpackSnapshot writes an archived tracefs snapshot below dir. It returns its root, the folder
// that contains events/ and trace.kernel.txt.
func unpackSnapshot(path, dir string) (string, error) {
	r, err := openZstd(path)
	if err != nil {
		return "", err
	}
	defer r.Close()
	root := ""
	for archive := tar.NewReader(r); ; {
		h, err := archive.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("unpack %s: %w", path, err)
		}
		if !filepath.IsLocal(h.Name) {
			return "", fmt.Errorf("unpack %s: unsafe name %q", path, h.Name)
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		name := filepath.Join(dir, filepath.FromSlash(h.Name))
		if err := writeFile(name, archive); err != nil {
			return "", fmt.Errorf("unpack %s: %w", path, err)
		}
		if filepath.Base(name) == kernelText {
			root = filepath.Dir(name)
		}
	}
	if root == "" {
		return "", fmt.Errorf("unpack %s: no %s inside", path, kernelText)
	}
	return root, nil
}

// kernelText is the name of the kernel's own text in a snapshot.
const kernelText = "trace.kernel.txt"

func writeFile(name string, r io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, r)
	return errors.Join(err, f.Close())
}

// A tool is the tracec under test.
type tool struct{ path string }

// buildTool compiles cmd/tracec of this module into dir, so that the current tree is compared.
func buildTool(dir string) (*tool, error) {
	t := &tool{path: filepath.Join(dir, "tracec")}
	cmd := exec.Command("go", "build", "-o", t.path, "github.com/tracec/tracec/cmd/tracec")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("build tracec: %w\n%s", err, out)
	}
	return t, nil
}

// start runs tracec and streams its standard output.
func (t *tool) start(args ...string) (*running, error) {
	r := &running{cmd: exec.Command(t.path, args...)}
	r.cmd.Env = append(os.Environ(), "TZ=UTC", "LC_ALL=C") // as for the reference texts
	r.cmd.Stderr = &r.stderr
	out, err := r.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("run tracec: %w", err)
	}
	r.Reader = out
	if err := r.cmd.Start(); err != nil {
		return nil, fmt.Errorf("run tracec: %w", err)
	}
	return r, nil
}

// running is a running tracec.
type running struct {
	io.Reader
	cmd    *exec.Cmd
	stderr headOf
}

// wait returns the failure of tracec with the first lines of its messages.
func (r *running) wait() error {
	if err := r.cmd.Wait(); err != nil {
		return fmt.Errorf("tracec %s: %w: %s", strings.Join(r.cmd.Args[1:], " "), err, bytes.TrimSpace(r.stderr.kept))
	}
	return nil
}

// headOf keeps the first written bytes and drops the rest.
type headOf struct{ kept []byte }

func (h *headOf) Write(p []byte) (int, error) {
	h.kept = append(h.kept, p[:min(len(p), 4096-len(h.kept))]...)
	return len(p), nil
}
