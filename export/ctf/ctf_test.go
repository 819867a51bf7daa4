package ctf_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/ctf"
	"github.com/tracec/tracec/internal/testkit/ctftest"
	"github.com/tracec/tracec/internal/testkit/lttngtest"
	"github.com/tracec/tracec/internal/testkit/needs"
	runtime "github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

const root = "../../testdata/"

// row holds the values of an event that two recordings can have in common.
type row struct {
	Time         uint64
	Name, Fields string
	Lost         int64 // events lost before it
}

// appendValue appends a value. Both forms of bytes are lists, and an optional member is a list of
// at most one element.
func appendValue(dst []byte, v tracec.Value) []byte {
	switch v.Kind() {
	case tracec.Bytes:
		return fmt.Append(dst, v.Bytes())
	case tracec.Struct:
		dst = append(dst, '{')
		for f, m := range v.Fields() {
			if !strings.HasSuffix(f.Name, "_length") {
				dst = appendValue(fmt.Appendf(dst, " %s=", f.Name), m)
			}
		}
		return append(dst, '}')
	case tracec.List:
		dst = append(dst, '[')
		for i := range v.Len() {
			if i > 0 {
				dst = append(dst, ' ')
			}
			dst = appendValue(dst, v.Elem(i))
		}
		return append(dst, ']')
	}
	return v.Append(dst)
}

var notInNames = regexp.MustCompile("[^A-Za-z0-9_ =]")

// rows returns the events of a recording, sorted. Events that this package wrote have an additional
// context, and lengths.
func rows(t *testing.T, rec record.Recording, written, names bool) (list []row) {
	t.Helper()
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	for ev := range r.All() {
		x := row{Time: ev.Time + uint64(rec.Machine().Wall), Name: ev.Type.Name, Lost: ev.Lost}
		if ev.Type.Label != "" {
			x.Name = ev.Type.Label
		}
		if ev.Type.System != "" {
			x.Name = ev.Type.System + ":" + x.Name
		}
		if !written && r.Exits() {
			x.Name += map[bool]string{true: "_exit", false: "_entry"}[ev.Type.Exit]
		}
		var b []byte
		for f, v := range ev.Fields() {
			if f.Common && (f.Name == "common_type" || f.Name == "common_pid") ||
				written && (slices.Contains([]string{"vpid", "vtid", "procname", "data"}, f.Name) ||
					strings.HasSuffix(f.Name, "_length")) {
				continue
			}
			name := f.Name
			if names {
				name = notInNames.ReplaceAllString(name, "_")
			}
			b = appendValue(fmt.Appendf(b, "%s=", name), v)
			b = append(b, '\n')
		}
		x.Fields = string(b)
		list = append(list, x)
	}
	if err := r.Err(); err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.Time, b.Time), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Fields, b.Fields))
	})
	return list
}

// write writes a recording.
func write(t *testing.T, rec record.Recording, o ctf.Options) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "trace")
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err == nil {
		_, err = ctf.Write(dir, r, o)
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func open(t *testing.T, path string) *tracec.Recording {
	t.Helper()
	rec, err := tracec.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// TestSame reads the written traces: the same events with the same fields, in both versions.
func TestSame(t *testing.T) {
	paths := []string{"ftrace/amd64-markers.dat", "aix/shop64.trc", "lttng/synthetic/v10-compact.tar.xz",
		"ftrace/amd64-date.dat", "perf/sched.data", "uftrace/threads/data.tar.gz"}
	for _, path := range needs.Some(t, paths, 3) {
		rec := open(t, root+path).Recording
		for _, version := range []string{"2", "1.8"} {
			same(t, rec, path, version)
		}
	}
	for _, version := range []string{"2", "1.8"} {
		judged(t, write(t, lttngtest.Nested(t), ctf.Options{Version: version}), version)
	}
}

func same(t *testing.T, rec record.Recording, path, version string) {
	t.Helper()
	dir := write(t, rec, ctf.Options{Version: version})
	back, err := runtime.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	want, got := rows(t, rec, false, version == "1.8"), rows(t, back, true, version == "1.8")
	if d := gocmp.Diff(want, got); d != "" || len(want) == 0 {
		t.Errorf("%s, version %s: %d events (-want +got)\n%.2000s", path, version, len(want), d)
	}
	judged(t, dir, version)
}

// judged compares the number of events in babeltrace2 and in tracec.
func judged(t *testing.T, dir, version string) {
	t.Helper()
	babeltrace, err := exec.LookPath("babeltrace2")
	if err != nil || version == "2" { // version 2 requires a newer babeltrace2 than distributions have
		return
	}
	out, err := exec.Command(babeltrace, "--clock-seconds", "--no-delta", dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	var got, want []string
	for line := range strings.Lines(string(out)) {
		time, _, _ := strings.Cut(strings.TrimPrefix(line, "["), "]")
		got = append(got, time)
	}
	back, err := runtime.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	for _, x := range rows(t, back, true, false) {
		s := int64(x.Time) / 1e9
		want = append(want, strconv.FormatInt(s, 10)+fmt.Sprintf(".%09d", int64(x.Time)%1e9))
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Errorf("times of babeltrace2 (-want +got)\n%.2000s", d)
	}
}

// TestNested compares the values of nested fields, one of them cut, with the recorded values.
func TestNested(t *testing.T) {
	want := []string{
		`a={ x=-2 s=a"b}; b=[{ n=1 tags=[5 6]} { n=2 tags=[7 8]}]; c={ u=0 f=2.5}; d=[{ items=[p q]}]; `,
		`a={ x=-2 s=a"b}; b=[{ n=1 tags=[5 6]} { n=2 tags=[7]}]; `,
	}
	for _, version := range []string{"2", "1.8"} {
		back, err := runtime.Open(write(t, lttngtest.Nested(t), ctf.Options{Version: version}))
		if err != nil {
			t.Fatal(err)
		}
		defer back.Close()
		var got []string
		for _, x := range rows(t, back, true, false) {
			if strings.HasPrefix(x.Name, "f:") {
				got = append(got, strings.ReplaceAll(x.Fields, "\n", "; "))
			}
		}
		if d := gocmp.Diff(want, got); d != "" {
			t.Errorf("version %s (-want +got)\n%s", version, d)
		}
	}
}

// TestWithoutFields: an event without fields is written without fields and without bytes.
func TestWithoutFields(t *testing.T) {
	const metadata = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
stream { event.header := struct { integer { size = 8; } id; }; };
event { name = none; id = 0; fields := struct { }; };
event { name = one; id = 1; fields := struct { integer { size = 8; } n; }; };
`
	rec, err := runtime.OpenFS(fstest.MapFS{"metadata": {Data: []byte(metadata)}, "s": {Data: []byte{0, 1, 7, 0}}}, ".")
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	for _, version := range []string{"2", "1.8"} {
		var got []string
		for ev, err := range open(t, write(t, rec, ctf.Options{Version: version})).Events(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, ev.Type.Name)
			for f, v := range ev.Fields() {
				got = append(got, f.Name+"="+string(v.Append(nil)))
			}
		}
		if want := []string{"none", "one", "n=7", "none"}; !slices.Equal(got, want) {
			t.Errorf("version %s: %q, want %q", version, got, want)
		}
	}
}

// TestReplace checks which directories Write replaces.
func TestReplace(t *testing.T) {
	rec := open(t, root+"aix/shop64.trc").Recording
	dir := write(t, rec, ctf.Options{})
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ctf.Write(dir, r, ctf.Options{Version: "1.8"}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "metadata"))
	if err != nil || !strings.HasPrefix(string(text), "/* CTF 1.8 */") {
		t.Errorf("%v, %.20q", err, text)
	}
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "letter"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ctf.Write(other, r, ctf.Options{}); !errors.Is(err, ctf.ErrTaken) {
		t.Errorf("a directory with a letter: %v", err)
	}
	if list, _ := filepath.Glob(filepath.Join(filepath.Dir(dir), ".trace*")); len(list) > 0 {
		t.Errorf("left: %v", list)
	}
}

// TestLost reads back the number of events lost before each event: a known number, a loss before
// the first event of a stream, and unknown numbers.
func TestLost(t *testing.T) {
	recs := []record.Recording{open(t, root+"uftrace/lost/data.tar.gz").Recording}
	for _, s := range ctftest.Samples(t, "odd") {
		if s.Name == "lost-1" {
			rec, err := runtime.OpenFS(s.Dir, s.Name)
			if err != nil {
				t.Fatal(err)
			}
			defer rec.Close()
			recs = append(recs, rec)
		}
	}
	lost := func(rec record.Recording) (list []row) {
		for _, x := range rows(t, rec, false, false) {
			if x.Lost != 0 {
				list = append(list, row{Time: x.Time, Lost: x.Lost})
			}
		}
		return list
	}
	for i, rec := range recs {
		for _, version := range []string{"2", "1.8"} {
			back, err := runtime.Open(write(t, rec, ctf.Options{Version: version}))
			if err != nil {
				t.Fatal(err)
			}
			defer back.Close()
			want, got := lost(rec), lost(back)
			if d := gocmp.Diff(want, got); d != "" || len(want) != [...]int{1, 3}[i] {
				t.Errorf("recording %d, version %s (-want +got)\n%s", i, version, d)
			}
		}
	}
}
