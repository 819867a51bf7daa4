package profile

import (
	"bytes"
	"context"
	"encoding/csv"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/timeline"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/summary"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// sums are the numbers of a function in a profile or a report.
type sums struct{ total, self, calls, mean int64 }

// recordings returns all recordings of uftrace: the saved ones, the made-up ones, and those in
// ../shared.
func recordings(t *testing.T) map[string]func(t *testing.T) *uftrace.Recording {
	all := map[string]func(t *testing.T) *uftrace.Recording{}
	add := func(name string, files fstest.MapFS) {
		all[name] = func(t *testing.T) *uftrace.Recording { return uftracetest.Open(t, files) }
	}
	for name, files := range uftracetest.All(t) {
		add(name, files)
	}
	for _, c := range uftracetest.Cases(t) {
		add("made/"+c.Name, c.Files)
	}
	names, _ := filepath.Glob(needs.SharedData(t) + "/uftrace/*/data.tar.gz")
	for _, n := range names {
		all["shared/"+filepath.Base(filepath.Dir(n))] = func(t *testing.T) *uftrace.Recording {
			rec, err := tracec.Open(t.Context(), n)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { rec.Close() })
			return rec.Unwrap().(*uftrace.Recording)
		}
	}
	return all
}

func collect(t *testing.T, rec record.Recording, o Options) *Profile {
	t.Helper()
	r, err := tracec.NewReader(rec, tracec.WithThreads())
	if err != nil {
		t.Fatal(err)
	}
	if o.Warn == nil {
		o.Warn = func(text string) { t.Error(text) }
	}
	p, err := Collect(r, o)
	if err != nil {
		t.Log(err)
	}
	return p
}

// reported returns the sums of uftrace report.
func reported(t *testing.T, rec *uftrace.Recording) map[string]sums {
	t.Helper()
	var b bytes.Buffer
	err := summary.Run(context.Background(), rec, summary.Options{Table: summary.Table{CSV: true,
		Fields: "total,total-avg,self,call"}}, &b)
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]sums{}
	for _, row := range rows[1:] {
		var n [4]int64
		for i := range n {
			v, err := strconv.ParseUint(row[i], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			n[i] = int64(v)
		}
		name := row[4]
		if name == "<0>" {
			name = "[unknown]"
		}
		all[name] = sums{n[0], n[2], n[3], n[1]}
	}
	return all
}

// pprofTool is the path of go tool pprof.
var pprofTool = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "tool", "-n", "pprof").Output()
	return strings.TrimSpace(string(out)), err
})

// top returns the sums of a file of pprof: flat is self, cum is total. The long proofs compare them
// with go tool pprof -top, which has to be built first.
func top(t *testing.T, packed []byte, indexes ...string) map[string]sums {
	t.Helper()
	ours := read(t, packed, indexes...)
	if needs.LongProofs(t) {
		theirs := pprofTop(t, packed, indexes...)
		for _, all := range []map[string]sums{ours, theirs} { // pprof may omit functions without a sum
			maps.DeleteFunc(all, func(_ string, s sums) bool { return s == sums{} })
		}
		if d := cmp.Diff(theirs, ours, cmp.AllowUnexported(sums{})); d != "" {
			t.Errorf("(-go tool pprof +read here):\n%s", d)
		}
		return theirs
	}
	return ours
}

// pprofTop runs go tool pprof -top.
func pprofTop(t *testing.T, packed []byte, indexes ...string) map[string]sums {
	t.Helper()
	tool, err := pprofTool()
	if err != nil {
		needs.Skip(t, "need go tool pprof", err)
	}
	name := filepath.Join(t.TempDir(), "p.pb.gz")
	if err := os.WriteFile(name, packed, 0o600); err != nil {
		t.Fatal(err)
	}
	all := map[string]sums{}
	for i, index := range indexes {
		cmd := exec.Command(tool, "-top", "-sample_index="+index, "-unit=ns", "-nodecount=0", "-nodefraction=0",
			"-edgefraction=0", name)
		cmd.Env = append(os.Environ(), "PPROF_TMPDIR="+t.TempDir())
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err, stderr.String())
		}
		_, table, ok := strings.Cut(string(out), "cum%\n")
		if !ok {
			t.Fatalf("no table: %s", out)
		}
		for line := range strings.Lines(table) {
			f := strings.Fields(line)
			name := strings.TrimSuffix(line, "\n")
			for range 5 {
				name = strings.TrimLeft(name, " ")
				name = name[strings.IndexByte(name, ' '):]
			}
			name = strings.TrimPrefix(name, "  ")
			for _, mark := range []string{" (inline)", " (partial-inline)"} { // marks of inlined functions
				name = strings.TrimSuffix(name, mark)
			}
			s := all[name]
			if i > 0 {
				s.calls = amount(t, f[0])
			} else {
				s.self, s.total = amount(t, f[0]), amount(t, f[3])
			}
			all[name] = s
		}
	}
	return all
}

func amount(t *testing.T, s string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(strings.TrimRight(s, "nsBcout"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// span is a call of a timeline, for the function counted.
type span struct {
	timeline.Span
	up int // index of the enclosing call; -1 for none
}

// counted sums up the calls of a timeline by their final names. nests are functions with a call
// that is nested in a call with the same name, began unseen, or was left by a jump. uftrace counts
// those calls twice or not at all, because it compares addresses.
//
// inherited are the calls of a child of fork that are open from its start to its end. uftrace
// report has no names for them.
func counted(
	t *testing.T, rec *uftrace.Recording,
) (all map[string]sums, nests map[string]bool, inherited map[string]sums) {
	t.Helper()
	r, err := tracec.NewReader(rec)
	if err != nil {
		t.Fatal(err)
	}
	tl, err := timeline.New(r)
	if err != nil {
		t.Fatal(err)
	}
	var spans []span
	open := map[int][]int{}
	for it := range tl.All() {
		at := open[it.Track.Index]
		switch it.Kind {
		case timeline.Begin:
			s := span{up: -1}
			if len(at) > 0 {
				s.up = at[len(at)-1]
			}
			open[it.Track.Index] = append(at, len(spans))
			spans = append(spans, s)
		case timeline.End:
			spans[at[len(at)-1]].Span = *it.Span
			open[it.Track.Index] = at[:len(at)-1]
		}
	}
	all, nests, inherited = map[string]sums{}, map[string]bool{}, map[string]sums{}
	within := make([]int64, len(spans)) // time of calls that were left by a jump
	for i, s := range slices.Backward(spans) {
		name := s.Name.Text
		x := all[name]
		total := int64(s.Total())
		if s.Left {
			nests[name] = true
			total = within[i]
		} else {
			x.calls++
			x.self += int64(s.Self())
			x.mean += total
			// Times off the processor also have a name there.
			if s.Unseen && s.Cut && name != timeline.UnseenName && s.Name.Category != "sched" {
				of := inherited[name]
				of.calls, of.self = of.calls+1, of.self+int64(s.Self())
				inherited[name] = of
			}
		}
		if s.up >= 0 {
			within[s.up] += total
		}
		nested := false
		for up := s.up; up >= 0; up = spans[up].up {
			nested = nested || spans[up].Name.Text == name
		}
		if nested || s.Unseen {
			nests[name] = true
		}
		if !nested {
			x.total += total
		}
		all[name] = x
	}
	for name, x := range all {
		x.mean /= max(1, x.calls)
		all[name] = x
	}
	return all, nests, inherited
}

// named moves the sums of calls without a name in report to their functions.
func named(want, count, inherited map[string]sums) {
	for f, x := range inherited {
		w, none := want[f], want[timeline.UnseenName]
		w.calls, w.self, w.mean = w.calls+x.calls, w.self+x.self, count[f].mean
		none.calls, none.self, none.mean = none.calls-x.calls, none.self-x.self, count[timeline.UnseenName].mean
		if want[f], want[timeline.UnseenName] = w, none; none.calls == 0 && none.self == 0 {
			delete(want, timeline.UnseenName)
		}
	}
}

// TestReport: the sums of pprof equal the sums of uftrace report, for all recordings.
func TestReport(t *testing.T) {
	all := recordings(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			want := reported(t, all[name](t))
			count, nests, inherited := counted(t, all[name](t))
			named(want, count, inherited)
			p := collect(t, all[name](t), Options{})
			if p == nil {
				if len(want) > 0 {
					t.Errorf("no profile of %d functions", len(want))
				}
				return
			}
			var b bytes.Buffer
			if err := p.Write(&b, Pprof); err != nil {
				t.Fatal(err)
			}
			got := top(t, b.Bytes(), "time", Calls)
			for f, w := range want {
				g, c := got[f], count[f]
				delete(got, f)
				if c.mean != w.mean {
					t.Errorf("%s: calls take %d on average, report has %d", f, c.mean, w.mean)
				}
				if nests[f] {
					w.total = c.total
				}
				if g.self != w.self || g.total != w.total || g.calls != w.calls {
					t.Errorf("%s: pprof has %v, report has %v", f, g, w)
				}
			}
			for f, g := range got {
				if g.calls != 0 || f != "[lost]" && f != "[counted twice]" && g.total != count[f].total {
					t.Errorf("%s is not in the report: %v", f, g)
				}
			}
		})
	}
}
