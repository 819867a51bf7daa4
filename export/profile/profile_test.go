package profile

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/columns"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// TestUnseen: a call with only a recorded end counts once, at its caller.
func TestUnseen(t *testing.T) {
	r, err := tracec.NewReader(exporttest.Made(t, exporttest.EndsAlone()), tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := Write(&b, r, Options{Format: Folded}); err != nil {
		t.Fatal(err)
	}
	if want := "7;a 10\n7;a;b 30\n7;a;b;c 70\n7;a;b;d 5\n"; b.String() != want {
		t.Errorf("got:\n%swant:\n%s", b.String(), want)
	}
}

// checkText checks the rules for a profile in any format.
func checkText(t testing.TB, p *Profile) {
	t.Helper()
	for f := range formats {
		var b, again bytes.Buffer
		if err := p.Write(&b, f); err != nil {
			t.Fatal(err)
		}
		if err := p.Write(&again, f); err != nil || !bytes.Equal(b.Bytes(), again.Bytes()) {
			t.Fatalf("format %d differs the second time: %v", f, err)
		}
		switch f {
		case Pprof:
			z, err := gzip.NewReader(&b)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, z); err != nil {
				t.Fatal(err)
			}
			continue
		case Speedscope:
			if !json.Valid(b.Bytes()) {
				t.Fatalf("no JSON: %.200q", b.Bytes())
			}
		case Folded:
			for line := range strings.Lines(b.String()) {
				if i := strings.LastIndexByte(line, ' '); i <= 0 ||
					strings.ContainsFunc(line[i+1:], func(r rune) bool { return r != '\n' && (r < '0' || r > '9') }) {
					t.Fatalf("line %q", line)
				}
			}
		}
		if !utf8.Valid(b.Bytes()) {
			t.Fatalf("format %d is not UTF-8", f)
		}
	}
}

// collectQuietly is collect for recordings that may be damaged.
func collectQuietly(t testing.TB, rec record.Recording, o Options) *Profile {
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		return nil
	}
	p, err := Collect(r, o)
	if p == nil && err == nil {
		t.Fatal("neither a profile nor an error")
	}
	return p
}

// TestRecordings: recordings of all systems give a profile, or an error with the reason.
func TestRecordings(t *testing.T) {
	profiles := 0
	for _, path := range exporttest.Shipped(t, "../..") {
		rec := exporttest.Open(t, path)
		if rec == nil {
			continue
		}
		for _, value := range []string{"", Self, Calls} {
			if p := collectQuietly(t, rec, Options{Value: value}); p != nil {
				profiles++
				checkText(t, p)
			}
		}
	}
	if profiles < 50 {
		t.Errorf("only %d profiles", profiles)
	}
}

// TestDamaged: no content of a recording stops an export.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"ftrace/amd64-syscalls.dat", "ftrace/made-kmem.dat", "ftrace/made-graph.dat",
		"ftrace/i386-userstack.dat", "aix/shop64.trc"} {
		for _, path := range exporttest.Damaged(t, "../../testdata/"+name, needs.Cases(t, 5, 25)) {
			if rec := exporttest.Open(t, path); rec != nil {
				if p := collectQuietly(t, rec, Options{}); p != nil {
					checkText(t, p)
				}
				rec.Close()
			}
		}
	}
	all := uftracetest.All(t)
	rapid.Check(t, func(rt *rapid.T) {
		rec, err := uftrace.OpenFS(uftracetest.Damaged(rt, all, 4, true), "damaged")
		if err != nil {
			return
		}
		defer rec.Close()
		if p := collectQuietly(t, rec, Options{}); p != nil {
			checkText(t, p)
		}
	})
}

// hostile are names with characters that formats have to escape, or that have a meaning in a
// format.
var hostile = []string{
	`say "hi"`, "a;b", "two\nlines", "cr\rlf", "\x00\x01\x1b[0m", "\xff\xfe", "caf\xe9", "größer", "\u2028",
	"</script><b>", "trailing 12", " ", "", "operator()", "f<int>(char)",
	"[other stacks]", "[deeper]", `\x41`, "\U0001f600",
}

// made returns the profile of calls of functions with the hostile names, nested and in sequence.
func made(t *testing.T, o Options) *Profile {
	t.Helper()
	rec := openAny(t, "../../testdata/ftrace/amd64-date.dat")
	c := newCollector(o, rec)
	tr := &timeline.Track{Kind: timeline.Thread, ID: 7, Process: 7, Name: "a;b\n\"c\xff"}
	begin := func(i int, at uint64) {
		n := &timeline.Name{Index: i, Text: hostile[i], Category: "m;od\xff\""}
		tr.Open = append(tr.Open, timeline.Span{Name: n, Begin: at, Call: true})
		c.item(&timeline.Item{Kind: timeline.Begin, Time: at, Track: tr, Name: n, Span: &tr.Open[len(tr.Open)-1]})
	}
	end := func(at uint64) {
		n := len(tr.Open) - 1
		s := tr.Open[n]
		s.End = at
		if tr.Open = tr.Open[:n]; n > 0 {
			tr.Open[n-1].Child += s.Total()
		}
		c.item(&timeline.Item{Kind: timeline.End, Time: at, Track: tr, Name: s.Name, Span: &s})
	}
	now := uint64(0)
	for i := range hostile {
		now += 10
		begin(i, now)
	}
	for range hostile {
		now += 10
		end(now)
	}
	for i := range hostile {
		begin(i, now)
		now += 100
		end(now)
	}
	c.finish()
	p, err := c.profile(rec, []*timeline.Track{tr})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestNames: names are unchanged in formats with quoting. In the other format they follow the
// package comment.
func TestNames(t *testing.T) {
	p := made(t, Options{})
	checkText(t, p)
	files := writeAll(t, p)
	got := speedscope(t, files[Pprof], files[Speedscope], files[Folded])
	for i, x := range got {
		for _, name := range hostile {
			want := string(columns.AppendValid(nil, name))
			if i == 2 {
				want = foldedName(name)
			}
			if f, ok := x.Functions[want]; !ok && want != "" || ok && f.Self < 100 {
				t.Errorf("file %d: %q has %v of %v", i, want, f, x.Functions)
			}
		}
	}
	text, err := os.ReadFile(files[Folded])
	if err != nil {
		t.Fatal(err)
	}
	if want := "a:b \"c\\xff-7;say \"hi\";a:b;two lines;"; !strings.Contains(string(text), want) {
		t.Errorf("no %q in %s", want, text)
	}
}

// TestLimit: stacks beyond the limit are counted and reported.
func TestLimit(t *testing.T) {
	whole := uftracetest.Files(t, "cpp-auto")
	full, _ := folded(t, writeAll(t, collect(t, uftracetest.Open(t, whole), Options{}))[Folded])
	warned := ""
	p := collect(t, uftracetest.Open(t, whole), Options{MaxStacks: 40, Warn: func(text string) { warned = text }})
	if len(p.tree.nodes) > 42 || !strings.Contains(warned, "[other stacks]") {
		t.Errorf("%d stacks, warning %q", len(p.tree.nodes), warned)
	}
	got, _ := folded(t, writeAll(t, p)[Folded])
	sum := func(all map[string]sums) (n int64) {
		for _, s := range all {
			n += s.self
		}
		return n
	}
	if sum(got) != sum(full) || got["[other stacks]"].self == 0 {
		t.Errorf("%d ns, %d of them of others, want %d", sum(got), got["[other stacks]"].self, sum(full))
	}
	if p := made(t, Options{MaxStacks: 3, Warn: func(string) {}}); len(p.tree.nodes) > 5 {
		t.Errorf("%d stacks", len(p.tree.nodes))
	}
}

// TestAllocations: an event does not allocate.
func TestAllocations(t *testing.T) {
	for _, path := range []string{"ftrace/amd64-extract.dat", "ftrace/amd64-triggers.dat",
		"uftrace/threads/data.tar.gz"} {
		rec := openAny(t, "../../testdata/"+path)
		reader := func() *tracec.Reader {
			r, err := tracec.NewReader(rec, tracec.WithThreads())
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		events := 0
		plain := testing.AllocsPerRun(3, func() {
			tl, err := timeline.New(reader())
			if err != nil {
				t.Fatal(err)
			}
			for range tl.All() {
				events++
			}
		})
		all := testing.AllocsPerRun(3, func() { Collect(reader(), Options{}) })
		if extra := all - plain; extra > 600 || events < 300 {
			t.Errorf("%s: %v allocations for %d events", path, extra, events/4)
		}
	}
}

// TestErrors: missing data that an option requests is an error that names it.
func TestErrors(t *testing.T) {
	rec := openAny(t, "../../testdata/ftrace/made-kmem.dat")
	for value, want := range map[string]string{
		"bytes_wanted": "made-kmem.dat: no event has an integer field bytes_wanted",
		Self:           "calls have no end, and so no times",
	} {
		r, err := tracec.NewReader(rec)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, r, Options{Value: value}); err == nil || !strings.Contains(err.Error(), want) ||
			b.Len() > 0 {
			t.Errorf("%s: %v, %d bytes", value, err, b.Len())
		}
	}
	if p := collect(t, rec, Options{}); p.Value() != Calls || filepath.Base(rec.Name()) != p.opts.Name {
		t.Errorf("value %s of %s", p.Value(), p.opts.Name)
	}
}
