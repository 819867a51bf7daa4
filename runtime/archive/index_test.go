package archive

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/needs"
)

var when = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// member is a member of a test's archive.
type member struct {
	name, body string
	kind       byte
	link       string
}

func pack(t *testing.T, members ...member) []byte {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, m := range members {
		h := &tar.Header{Name: m.name, Typeflag: m.kind, Linkname: m.link, ModTime: when, Mode: 0o600,
			Size: int64(len(m.body))}
		if err := w.WriteHeader(h); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, m.body); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func index(b []byte, cut error) *FS {
	return Index(context.Background(), "archive", bytes.NewReader(b), int64(len(b)), cut)
}

// files returns all regular files and their contents.
func files(t *testing.T, dir fs.FS) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(dir, ".", func(name string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			text, err := fs.ReadFile(dir, name)
			all[name] = string(text)
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func messages(f *FS) (all []string) {
	for _, d := range f.Damage() {
		part := d.Part
		if part != "" {
			part += ": "
		}
		all = append(all, fmt.Sprintf("%s: offset %d: %s%v", d.File, d.Offset, part, d.Err))
	}
	return all
}

func check(t *testing.T, f *FS, want map[string]string, damage ...string) {
	t.Helper()
	if d := cmp.Diff(want, files(t, f)); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(damage, messages(f)); d != "" {
		t.Error(d)
	}
}

// TestIndex checks that every valid member is in the file system, whatever the names of the others
// are.
func TestIndex(t *testing.T) {
	long := strings.Repeat("long/", 60) + "name"
	b := pack(t,
		member{name: "r/", kind: tar.TypeDir},
		member{name: "./r/info", body: "hello"},
		member{name: "../../../etc/out", body: "in"},
		member{name: "/abs", body: "relative"},
		member{name: "x", body: "a file"},
		member{name: "x/y", body: "in a file"},
		member{name: "r", body: "is a directory"},
		member{name: long, body: "deep"},
		member{name: strings.Repeat("n", 300), body: "wide"},
		member{name: strings.Repeat("n/", 3000), body: "", kind: tar.TypeDir},
		member{name: "twice", body: "first"},
		member{name: "twice", body: "second, longer"},
		member{name: "hard", kind: tar.TypeLink, link: "r/info"},
		member{name: "nowhere", kind: tar.TypeLink, link: "none"},
		member{name: "pipe", kind: tar.TypeFifo},
		member{name: "r/soft", kind: tar.TypeSymlink, link: "../x"},
		member{name: "out", kind: tar.TypeSymlink, link: "/etc/passwd"},
		member{name: "loop", kind: tar.TypeSymlink, link: "loop"},
		member{name: "dir", kind: tar.TypeSymlink, link: "r"},
		member{name: "last", body: "end"},
	)
	f := index(b, nil)
	check(t, f, map[string]string{
		"r/info": "hello", "etc/out": "in", "abs": "relative", "x": "a file", long: "deep",
		strings.Repeat("n", 300): "wide",
		"twice":                  "second, longer", "hard": "hello", "last": "end",
	},
		"archive: offset 4608: member x/y: left out: it lies in a file",
		"archive: offset 5632: member r: left out: a directory has this name",
		"archive: offset 10752: member "+strings.Repeat("n/", 3000)+": left out: the name is too long",
		"archive: offset 20480: member nowhere: left out: a link to none: file does not exist",
	)
	for name, want := range map[string]string{"r/soft": "a file", "dir/info": "hello", "dir/soft": "a file"} {
		if text, err := fs.ReadFile(f, name); err != nil || string(text) != want {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for _, name := range []string{"out", "loop", "pipe", "x/y", "none", "../x"} {
		if _, err := f.Open(name); err == nil {
			t.Errorf("%s can be opened", name)
		}
	}
	if st, err := fs.Stat(f, "r/info"); err != nil || !st.ModTime().Equal(when) || st.Size() != 5 {
		t.Errorf("info: %v, %v", st, err)
	}
}

// TestFS checks the file system and parts of it against the rules of package io/fs.
func TestFS(t *testing.T) {
	b := pack(t, member{name: "a/b/c", body: "1"}, member{name: "a/d", body: "23"}, member{name: "e", body: ""},
		member{name: "f/", kind: tar.TypeDir})
	f := index(b, nil)
	if err := fstest.TestFS(f, "a/b/c", "a/d", "e", "f"); err != nil {
		t.Error(err)
	}
	sub, err := fs.Sub(f, "a")
	if err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(sub, "b/c", "d"); err != nil {
		t.Error(err)
	}
	if _, err := fs.Sub(f, "e"); err == nil {
		t.Error("a file as a directory")
	}
}

// TestEnds checks that the members before any end of an archive are found, and that the error names
// the incomplete member with its place.
func TestEnds(t *testing.T) {
	first, second := strings.Repeat("1", 700), strings.Repeat("2", 1024)
	b := pack(t, member{name: "r/first", body: first}, member{name: "second", body: second})
	reason := errors.New("xz: unexpected EOF")
	for n := 512; n < 4*512+1024; n++ {
		want, place := map[string]string{}, "archive: "
		switch {
		case n < 512+700:
			want["r/first"] = first[:n-512]
			place = fmt.Sprintf("archive: offset %d: member r/first: %d of 700 bytes are there: ", n, n-512)
		case n < 2048:
			want["r/first"] = first
		default:
			want["r/first"] = first
			if want["second"] = second[:min(1024, n-2048)]; n < 2048+1024 {
				place = fmt.Sprintf("archive: offset %d: member second: %d of 1024 bytes are there: ", n, n-2048)
			}
		}
		f := index(b[:n], reason)
		if d := cmp.Diff(want, files(t, f)); d != "" {
			t.Fatal(n, d)
		}
		if m := messages(f); len(m) != 1 || !strings.HasPrefix(m[0], place) ||
			n < 3072 && !strings.HasSuffix(m[0], "the archive ends early: xz: unexpected EOF") {
			t.Fatal(n, m)
		}
	}
	check(t, index(b, reason), map[string]string{"r/first": first, "second": second},
		"archive: offset 4096: xz: unexpected EOF")
	check(t, index(append(b, 0, 0, 7), nil), map[string]string{"r/first": first, "second": second},
		"archive: offset 4098: something follows the end of the archive and is left out")
}

// TestBadHeader checks that a damaged header loses only its member.
func TestBadHeader(t *testing.T) {
	b := pack(t, member{name: "a", body: "1"}, member{name: "b", body: "2"}, member{name: "c", body: "3"})
	for _, at := range []int{1024, 1024 + 148, 1024 + 300} {
		bad := bytes.Clone(b)
		bad[at] ^= 0xff
		check(t, index(bad, nil), map[string]string{"a": "1", "c": "3"},
			"archive: offset 1024: no header of a member: 1024 bytes are left out")
	}
	bad := bytes.Clone(b)
	bad[0] ^= 0xff
	check(t, index(bad, nil), map[string]string{"b": "2", "c": "3"},
		"archive: offset 0: no header of a member: 1024 bytes are left out")
	bad = append(bytes.Clone(b[:1024]), b[1027:]...) // three bytes lost
	check(t, index(bad, nil), map[string]string{"a": "1", "c": "3"},
		"archive: offset 1024: no header of a member: 1021 bytes are left out")
}

// TestSparse checks that the error names a member that cannot be read.
func TestSparse(t *testing.T) {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "holes"))
	if err != nil {
		t.Fatal(err)
	}
	f.WriteAt([]byte("x"), 1<<20)
	f.Close()
	os.WriteFile(filepath.Join(dir, "plain"), []byte("hello"), 0o600)
	for _, format := range []string{"gnu", "pax"} {
		c := exec.Command(needs.Program(t, "tar", "apt-get install tar"), "-c", "-S", "--format="+format, "-C", dir,
			"holes", "plain")
		b, err := c.Output()
		if err != nil {
			needs.Skip(t, "need GNU tar", err)
		}
		x := index(b, nil)
		check(t, x, map[string]string{"plain": "hello"}, messages(x)...)
		if m := messages(x); len(m) != 1 || !strings.Contains(m[0], "holes: left out: it is sparse") {
			t.Error(m)
		}
	}
}

// TestMany checks that an archive with more members than memory allows yields the members that fit.
func TestMany(t *testing.T) {
	f := newFS()
	f.left = 10 * nodeSize
	var err error
	n := 0
	for ; err == nil; n++ {
		err = f.add(fmt.Sprint(n), &node{})
	}
	if !errors.Is(err, ErrTooLarge) || n != 10 {
		t.Errorf("%d members, %v", n, err)
	}
}

// FuzzIndex checks that no archive causes a panic or an endless loop, and that all files can be
// read.
func FuzzIndex(f *testing.F) {
	f.Add([]byte("a"))
	f.Add(make([]byte, 2048))
	f.Fuzz(func(t *testing.T, b []byte) {
		IsTar(b)
		files(t, index(b, nil))
		if unpacked, err := unpack(b); err == nil {
			files(t, index(unpacked, nil))
		}
	})
}
