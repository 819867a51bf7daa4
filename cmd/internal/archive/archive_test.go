package archive

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"
)

var when = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// pack makes a tar of files, with a link and a folder that must be left out.
func pack(t *testing.T, files ...[2]string) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	add := func(h tar.Header, body string) {
		h.ModTime, h.Mode, h.Format, h.Size = when, 0o600, tar.FormatUSTAR, int64(len(body))
		if err := w.WriteHeader(&h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, body); err != nil {
			t.Fatal(err)
		}
	}
	add(tar.Header{Name: "r/", Typeflag: tar.TypeDir}, "")
	add(tar.Header{Name: "r/link", Typeflag: tar.TypeSymlink, Linkname: "/etc/passwd"}, "")
	for _, f := range files {
		add(tar.Header{Name: f[0], Typeflag: tar.TypeReg}, f[1])
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func packings(t *testing.T, plain []byte) map[string][]byte {
	t.Helper()
	all := map[string][]byte{"tar": plain}
	for name, open := range map[string]func(io.Writer) (io.WriteCloser, error){
		"gzip": func(w io.Writer) (io.WriteCloser, error) { return gzip.NewWriter(w), nil },
		"xz":   func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) },
		"zstd": func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w) },
	} {
		var b bytes.Buffer
		w, err := open(&b)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write(plain); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		all[name] = b.Bytes()
	}
	return all
}

func hasInfo(d fs.FS) bool {
	_, err := fs.Stat(d, "info")
	return err == nil
}

func TestOpen(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	plain := pack(t, [2]string{"r/deep/info", "hello"}, [2]string{"r/deep/1.dat", "12"})
	for name, packed := range packings(t, plain) {
		t.Run(name, func(t *testing.T) {
			if !Packed(packed) {
				t.Error("not known as an archive")
			}
			want := []Entry{{"r/deep/info", []byte("hello")}, {"r/deep/1.dat", []byte("12")}}
			if d := cmp.Diff(want, Entries(bytes.NewReader(packed))); d != "" {
				t.Error(d)
			}
			file := filepath.Join(t.TempDir(), "x")
			if err := os.WriteFile(file, packed, 0o600); err != nil {
				t.Fatal(err)
			}
			d, err := OpenFile(file, hasInfo)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := fs.ReadFile(d, "info"); err != nil || string(text) != "hello" {
				t.Errorf("info is %q, %v", text, err)
			}
			if st, err := fs.Stat(d, "info"); err != nil || !st.ModTime().Equal(when) {
				t.Errorf("time of info: %v, %v", st.ModTime(), err)
			}
			if _, err := os.Lstat(filepath.Join(d.temp, "r/link")); !errors.Is(err, fs.ErrNotExist) {
				t.Error("the link was made")
			}
			if err := d.Close(); err != nil {
				t.Fatal(err)
			}
			if _, err := os.Stat(d.temp); !errors.Is(err, fs.ErrNotExist) {
				t.Error("the folder is still there")
			}
		})
	}
}

// TestSeveral: of several recordings the first is read, and the others are not passed over in silence.
func TestSeveral(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	plain := pack(t, [2]string{"all/a/info", "first"}, [2]string{"all/b/info", "second"}, [2]string{"all/a/old/info", "part of the first"})
	d, err := Open(bytes.NewReader(plain), "x.tar", hasInfo)
	if !errors.Is(err, ErrSeveral) || !strings.Contains(err.Error(), "x.tar: 1 more") {
		t.Errorf("error %v", err)
	}
	defer d.Close()
	if text, err := fs.ReadFile(d, "info"); err != nil || string(text) != "first" {
		t.Errorf("info is %q, %v", text, err)
	}
}

// TestDamage: an archive that ends early gives what is before the end; names that lead out of the folder do not.
func TestDamage(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	plain := pack(t, [2]string{"info", "hello"}, [2]string{"1.dat", string(make([]byte, 4000))})
	d, err := Open(bytes.NewReader(plain[:4000]), "x.tar", hasInfo)
	if d == nil || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Fatalf("cut: %v, %v", d, err)
	}
	d.Close()
	if d, err := Open(bytes.NewReader(plain), "x.tar", func(fs.FS) bool { return false }); d != nil || !errors.Is(err, ErrNoRoot) {
		t.Errorf("no root: %v, %v", d, err)
	}
	if d, err := Open(strings.NewReader("no archive"), "x.tar", hasInfo); d != nil || !errors.Is(err, ErrOther) {
		t.Errorf("no archive: %v, %v", d, err)
	}
	d, err = Open(bytes.NewReader(pack(t, [2]string{"../../../info", "x"})), "x.tar", hasInfo)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(d.temp, "info")); err != nil {
		t.Errorf("a name with .. went elsewhere: %v", err)
	}
	d.Close()
	left, err := os.ReadDir(os.Getenv("TMPDIR"))
	if err != nil || len(left) > 0 {
		t.Errorf("folders are left: %v, %v", left, err)
	}
}

// FuzzEntries: no beginning of a file makes it panic or hang.
func FuzzEntries(f *testing.F) {
	f.Add([]byte{0x1f, 0x8b, 8})
	f.Add([]byte("\xfd7zXZ\x00"))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd})
	f.Fuzz(func(t *testing.T, head []byte) {
		Packed(head)
		Entries(bytes.NewReader(head))
	})
}
