package uftrace_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestDump compares every record of the threads with the lines of uftrace's own dump.
func TestDump(t *testing.T) {
	for _, name := range recordings(t) {
		t.Run(name, func(t *testing.T) {
			r := open(t, load(t, name))
			want, got := dumpLines(t, name), walkLines(t, r)
			if name == "args-auto" && len(want) < len(got) { // uftrace 0.13 crashed at the first long double
				got = got[:len(want)]
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("records (-uftrace +ours):\n%s", d)
			}
			for _, d := range r.Damage() {
				t.Error(d)
			}
		})
	}
}

// dumpLines returns the record lines of threads in the saved dump, without payload lines.
func dumpLines(t *testing.T, name string) []string {
	t.Helper()
	all := uftracetest.Unpack(t, filepath.Join(saved, name, "expected.tar.gz"))
	var text []byte
	for file, f := range all {
		if strings.HasSuffix(file, "dump.txt") && (text == nil || strings.Contains(file, "0.13/")) {
			text = f.Data
		} else if strings.HasSuffix(file, "dump.txt.gz") {
			text = gunzip(t, f)
		}
	}
	var lines []string
	threads := false
	for sc := bufio.NewScanner(bytes.NewReader(text)); sc.Scan(); {
		line := sc.Text()
		if file, ok := strings.CutPrefix(line, "reading "); ok {
			threads = file[0] >= '0' && file[0] <= '9'
		}
		if f := strings.Fields(line); threads && len(f) > 3 && strings.HasPrefix(f[2], "[") &&
			strings.Contains(line, " depth: ") {
			lines = append(lines, strings.Join(f, " "))
		}
	}
	return lines
}

func gunzip(t *testing.T, f *fstest.MapFile) []byte {
	z, err := gzip.NewReader(bytes.NewReader(f.Data))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// walkLines returns the same lines from our walk.
func walkLines(t *testing.T, r *uftrace.Recording) []string {
	var lines []string
	for _, s := range r.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for i, e := range batch.Entries {
				lines = append(lines, dumpLine(r, &batch.Records[i], &e))
			}
		}
	}
	return lines
}

func dumpLine(r *uftrace.Recording, rec *record.Record, e *uftrace.Entry) string {
	kind, name := [...]string{"[entry]", "[exit ]", "[lost ]", "[event]"}[e.Kind], fmt.Sprintf("<%x>", e.Addr)
	addr := fmt.Sprintf("%x", e.Addr)
	switch {
	case e.Kind == uftrace.Event:
		name = r.EventName(rec.ID)
	case e.Sym != nil:
		name = e.Sym.Simple
	}
	return strings.Join(strings.Fields(fmt.Sprintf("%d.%09d %d: %s %s(%s) depth: %d",
		rec.Time/1e9, rec.Time%1e9, rec.Task, kind, name, addr, e.Depth)), " ")
}
