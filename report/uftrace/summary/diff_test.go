package summary

import (
	"path"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/tracec/tracec/internal/testkit/uftracetest"
	"github.com/tracec/tracec/report/uftrace/color"
)

func TestDiff(t *testing.T) {
	compareDiffs(t, "testdata/diff.txtar", "A", uftracetest.Files(t, "abc-full"), "B",
		uftracetest.Files(t, "kernel-graph"))
}

// TestDiffFilters: options that hide functions of the first recording. Few of them apply to the
// second.
func TestDiffFilters(t *testing.T) {
	compareDiffs(t, "testdata/diff-filters.txtar", "A", uftracetest.Files(t, "abc-full"), "B",
		uftracetest.Files(t, "kernel-graph"))
	located := fstest.MapFS{}
	for name, f := range uftracetest.Unpack(t, "../../../testdata/uftrace-options/located/data.tar.gz") {
		located[path.Base(name)] = f
	}
	compareDiffs(t, "testdata/diff-files.txtar", "L", located, "M", located)
}

// TestDiffTies: times that differ in the sign alone, and a hidden call that is open at the end.
func TestDiffTies(t *testing.T) {
	made := map[string]fstest.MapFS{}
	for _, c := range uftracetest.Cases(t) {
		made[c.Name] = c.Files
	}
	compareDiffs(t, "testdata/ties.txtar", "diff-ties", made["diff-ties"], "diff-ties-other", made["diff-ties-other"])
}

// compareDiffs compares two recordings with the options in the names of an archive's texts.
func compareDiffs(t *testing.T, texts, baseDir string, base fstest.MapFS, otherDir string, other fstest.MapFS) {
	t.Helper()
	archive, err := txtar.ParseFile(texts)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		t.Run(f.Name, func(t *testing.T) {
			opts := diffOptions(t, strings.Fields(f.Name)[1:])
			opts.Diff.Other, opts.Diff.BaseDir, opts.Diff.Dir = uftracetest.Open(t, other), baseDir, otherDir
			if d := cmp.Diff(string(f.Data), run(t, uftracetest.Open(t, base), opts)); d != "" {
				t.Errorf("-uftrace +ours:\n%s", d)
			}
		})
	}
}

func diffOptions(t *testing.T, args []string) Options {
	t.Helper()
	o := Options{Diff: Diff{SortColumn: -1}}
	for i := 0; i < len(args); i++ {
		switch args[i] {
		case "--avg-self":
			o.Table.AvgSelf = true
			continue
		case "--disable":
			o.Play.Functions.Disable = true
			continue
		case "--no-libcall":
			o.Play.Functions.NoLibcall = true
			continue
		}
		value := args[i+1]
		switch args[i] {
		case "--color":
			o.Table.Color = color.New("\x1b")
		case "--diff-policy":
			o.Diff.Policy = value
		case "-s":
			o.Table.Sort = value
		case "-F":
			o.Play.Functions.Filters = []string{value}
		case "-N":
			o.Play.Functions.NoTrace = []string{value}
		case "-T":
			o.Play.Functions.Triggers = []string{value}
		case "-L":
			o.Play.Functions.Locs = []string{value}
		case "-f":
			o.Table.Fields = value
		case "-D", "--sort-column":
			n, err := strconv.Atoi(value)
			if err != nil {
				t.Fatal(err)
			}
			if args[i] == "-D" {
				o.Play.Limits.Depth = n
			} else {
				o.Diff.SortColumn = n
			}
		default:
			t.Fatal("unknown option ", args[i])
		}
		i++
	}
	return o
}

// TestAllocations: accounting for a call does not allocate.
func TestAllocations(t *testing.T) {
	rec := uftracetest.Open(t, uftracetest.Files(t, "lost"))
	b := newTotals(len(rec.Symbols()), nil)
	row := b.find(rec.Symbols()[0], 0)
	if n := testing.AllocsPerRun(100, func() {
		row = b.find(rec.Symbols()[0], 0)
		row.add(10, 5, 1, false)
		b.find(nil, 0x1234).add(1, 0, 1, true)
	}); n != 0 {
		t.Errorf("%v allocations for a call", n)
	}
}

// TestPercentBounds: the bounds of percentages in uftrace 0.13 and 0.19.
func TestPercentBounds(t *testing.T) {
	c := duration("total", "Total time", func(r *row) uint64 { return r.total.sum })
	x := pair{"f", &row{total: stat{sum: 130}}, &row{total: stat{sum: 2894}}}
	if got := string(appendDifference(nil, &c, &x, policy{percent: true, full: true}, nil)); got != "+999.99%" {
		t.Error(got)
	}
}
