package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestMain makes the test binary a fake tracec. With COMPARE_FAKE set, it prints the file
// recording.out next to the recording, and fails if there is no such file.
func TestMain(m *testing.M) {
	if os.Getenv("COMPARE_FAKE") == "" {
		needs.Main(m)
	}
	text, err := os.ReadFile(os.Args[len(os.Args)-1] + ".out")
	if err != nil {
		fmt.Fprintln(os.Stderr, "fake: cannot open the recording")
		os.Exit(3)
	}
	os.Stdout.Write(text)
	os.Exit(0)
}

func packed(t *testing.T, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := zstd.NewWriter(&buf)
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte(text))
	w.Close()
	return buf.Bytes()
}

// folder writes files below a new directory.
func folder(t *testing.T, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		if err := writeFile(filepath.Join(dir, name), bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestFindJobs(t *testing.T) {
	dir := folder(t, map[string][]byte{
		"k1/a.dat": nil, "k1/a.report.txt.zst": nil, "k1/a.report-N.txt.zst": nil, "k1/a.cmd": nil,
		"k1/split.1": nil, "k1/split.1.report-R.txt.zst": nil,
		"k2/b.dat": nil, "k2/events-all.tar.zst": nil, "k2/raw-x.tar.zst": nil, "k2/raw-function_graph.tar.zst": nil,
		"k2/c.kernel-trace.txt.zst": nil,
	})
	for _, tt := range []struct{ match, want string }{
		{"", "k1/a N a.dat, k1/a report a.dat, k1/split.1 R split.1, k2/c kernel c.dat, k2/raw-function_graph graph raw-function_graph.tar.zst, k2/raw-x kernel raw-x.tar.zst"},
		{"k1/*", "k1/a N a.dat, k1/a report a.dat, k1/split.1 R split.1"},
		{"split*", "k1/split.1 R split.1"},
		{"none", ""},
	} {
		jobs, err := findJobs(dir, dir, tt.match)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, j := range jobs {
			got = append(got, j.recording+" "+j.mode.name+" "+filepath.Base(j.input))
		}
		if d := cmp.Diff(tt.want, strings.Join(got, ", ")); d != "" {
			t.Errorf("%q: %s", tt.match, d)
		}
	}
}

func TestRun(t *testing.T) {
	t.Setenv("COMPARE_FAKE", "1")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ref := lines("a1 b2 c3")
	dir := folder(t, map[string][]byte{
		"k/same.report.txt.zst": packed(t, ref), "k/same.dat.out": []byte(ref),
		"k/other.report.txt.zst": packed(t, ref), "k/other.dat.out": []byte(lines("a1 b7 c3")),
		"k/fails.report.txt.zst": packed(t, ref),
		"k/torn.report.txt.zst":  packed(t, strings.Repeat(ref, 1000))[:20], "k/torn.dat.out": []byte(ref),
	})
	jobs, err := findJobs(dir, dir, "")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, res := range runAll(jobs, 2, func(j job) *tally { return j.run(&tool{self}, nil, t.TempDir()) },
		func(*tally) {}) {
		got[res.job.recording] = fmt.Sprintf("%d equal, %d unexplained, failed %t", res.equal, res.unexplained,
			res.err != nil)
	}
	want := map[string]string{
		"k/same":  "3 equal, 0 unexplained, failed false",
		"k/other": "2 equal, 1 unexplained, failed false",
		"k/fails": "0 equal, 4 unexplained, failed true", // three lines that we do not print, and the error
		"k/torn":  got["k/torn"],
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(got["k/torn"], "failed true") {
		t.Errorf("a torn reference passed: %s", got["k/torn"])
	}
}

func TestUnpackSnapshot(t *testing.T) {
	for _, tt := range []struct {
		name, file, want string
	}{
		{"good", "snap/" + kernelText, ""},
		{"no text", "snap/events/header_page", "no " + kernelText},
		{"outside", "../" + kernelText, "unsafe name"},
		{"absolute", "/tmp/" + kernelText, "unsafe name"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var buf bytes.Buffer
			w := tar.NewWriter(&buf)
			w.WriteHeader(&tar.Header{Name: tt.file, Mode: 0o644, Size: 2, Typeflag: tar.TypeReg})
			w.Write([]byte("x\n"))
			w.Close()
			dir := folder(t, map[string][]byte{"raw-x.tar.zst": packed(t, buf.String())})
			root, err := unpackSnapshot(filepath.Join(dir, "raw-x.tar.zst"), t.TempDir())
			if tt.want == "" && (err != nil || filepath.Base(root) != "snap") {
				t.Errorf("root %q, %v", root, err)
			}
			if tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
		})
	}
}
