package sums_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/internal/testkit/tabletest"
)

// keys returns the keys of groups, each with a number.
func keys(groups []*sums.Group, number func(*sums.Group) any) string {
	var b []string
	for _, g := range groups {
		b = append(b, fmt.Sprint(strings.Join(g.Key, "/"), ":", number(g)))
	}
	return strings.Join(b, " ")
}

func total(g *sums.Group) any { return g.Total }

// TestGroups: rows are summed by the values of columns. Some values are NULL.
func TestGroups(t *testing.T) {
	rows := tabletest.Of("ts dur reason name cpu address handled error", `
		1 5 - read 0 0xff 1 -
		2 7 - read 1 0xff 0 EIO
		3 1 - read 0 - 1 -
		4 - open_end read 0 0x10 1 EIO
		5 2 - - 0 - 1 -
		6 9 - - - - 1 -
		- - lost - 1 - 1 -
		8 - open_end write 1 - 1 -`)
	for _, c := range []struct{ by, want string }{
		{"", ":24"},
		{"name", "read:13 :11 write:0"},
		{"cpu", ":9 0:8 1:7"},
		{"name,cpu", "/:9 read/1:7 read/0:6 /0:2 /1:0 write/1:0"},
		{"address,handled", "/yes:12 0xff/no:7 0xff/yes:5 0x10/yes:0"},
	} {
		var by []string
		if c.by != "" {
			by = strings.Split(c.by, ",")
		}
		got := rows.Sum(t, sums.Options{By: by})
		if s := keys(got.Groups, total); s != c.want {
			t.Errorf("%s: %s", c.by, s)
		}
	}
	got := rows.Sum(t, sums.Options{By: []string{"name"}})
	want := []string{"read 3 1 2 2", " 2 1 0 6", "write 0 1 0 0"}
	for i, g := range got.Groups {
		if s := fmt.Sprint(g.Key[0], " ", g.Times.Count, " ", g.Open, " ", g.Errors, " ", g.At); s != want[i] {
			t.Error(s)
		}
	}
	all := &got.All
	if all.Count() != 8 || all.Open != 3 || all.Errors != 2 || all.Total != 24 || all.At != 6 {
		t.Errorf("%+v", all)
	}
	if d := cmp.Diff([]sums.Reason{{Text: "open_end", Count: 2}, {Text: "lost", Count: 1}}, got.Reasons); d != "" {
		t.Error(d)
	}
}

// TestSort: groups are sorted by each of their numbers, then by their counts and their keys.
func TestSort(t *testing.T) {
	var b strings.Builder
	for _, c := range []struct {
		rows int
		row  string // name dur self error
	}{
		{10, "a 10 1 -"},
		{1, "b 600 50 -"},
		{3, "c 1 0 -"}, {1, "c 70 0 EIO"},
		{96, "d 2 0 -"}, {2, "d 2 0 EIO"}, {2, "d 80 0 -"},
		{199, "e 3 0 -"}, {1, "e 90 0 -"},
		{1, "g 0 0 -"}, {1, "f 0 0 -"},
	} {
		b.WriteString(strings.Repeat("1 "+c.row+"\n", c.rows))
	}
	rows := tabletest.Of("ts name dur self error", b.String())
	want := map[string]string{
		"": "ebdacfg", "total": "ebdacfg", "count": "edacbfg", "mean": "bcaedfg", "p50": "baedcfg", "p95": "bcaedfg",
		"p99": "bdcaefg",
		"max": "bedcafg", "self": "baedcfg", "errors": "dceabfg",
	}
	for _, name := range append([]string{""}, sums.Sorts...) {
		var got string
		for _, g := range rows.Sum(t, sums.Options{By: []string{"name"}, Sort: name}).Groups {
			got += g.Key[0]
		}
		if got != want[name] {
			t.Errorf("%s: %s, not %s", name, got, want[name])
		}
	}
}

// TestWorst: among rows with equal durations, the first ones count.
func TestWorst(t *testing.T) {
	rows := tabletest.Of("ts dur", "1 5\n2 9\n3 5\n4 9\n5 1\n6 -\n7 5\n8 0")
	for n, want := range map[int]string{0: "", 1: "2", 3: "2 4 1", 4: "2 4 1 3", 20: "2 4 1 3 7 5 8"} {
		var times []string
		got := rows.Sum(t, sums.Options{Worst: n})
		if got.All.At != 2 {
			t.Error(got.All.At)
		}
		for _, r := range got.Worst {
			times = append(times, strconv.FormatInt(r.Values[0].Int, 10))
			if r.Dur != uint64(r.Values[1].Int) {
				t.Error(r)
			}
		}
		if s := strings.Join(times, " "); s != want {
			t.Errorf("%d: %s", n, s)
		}
	}
}

// TestWhere: rows must pass all conditions, for groups and for the worst rows.
func TestWhere(t *testing.T) {
	rows := tabletest.Of("ts dur name cpu", "1 5 a 0\n2 6 a 1\n3 7 b 0\n4 8 b 1\n5 - b 1\n6 9 - 1")
	got := rows.Sum(t, sums.Options{By: []string{"name"}, Worst: 9,
		Where: []string{"cpu == 1", `name =~ "a|b" && dur < 8`}})
	if s := keys(got.Groups, total); s != "a:6" || len(got.Worst) != 1 || got.All.Count() != 1 {
		t.Error(s, got.Worst)
	}
}

// TestOptions: errors list the valid names.
func TestOptions(t *testing.T) {
	rows := tabletest.Of("ts dur name", "")
	for _, c := range []struct {
		o    sums.Options
		want string
	}{
		{sums.Options{By: []string{"nam"}}, "--by nam: list has the columns ts, dur, name"},
		{sums.Options{Where: []string{"dur > 1", "x > 1"}}, "list has no column x: ts, dur, name"},
		{sums.Options{Where: []string{"dur >"}}, "dur >"},
	} {
		if _, err := sums.Add(tables.NewWalk(nil), rows, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.o, err)
		}
	}
	got := rows.Sum(t, sums.Options{By: []string{"name"}})
	if len(got.Groups) != 0 || got.All.Count() != 0 {
		t.Error(got)
	}
}

// TestOuter: a sum by functions counts a recursive function once. Its own time always counts.
func TestOuter(t *testing.T) {
	rows := tabletest.Of("ts dur self outer name caller", `
		3 10 10 0 f f
		2 30 20 0 f g
		1 50 10 1 f -
		1 10 10 1 g f`)
	for by, want := range map[string]string{
		"name":        "f:50,40 g:10,10",
		"caller":      ":50,10 g:30,20 f:20,20",
		"name,caller": "f/:50,10 f/g:30,20 f/f:10,10 g/f:10,10",
	} {
		got := rows.Sum(t, sums.Options{By: strings.Split(by, ",")})
		if s := keys(got.Groups, func(g *sums.Group) any { return fmt.Sprint(g.Total, ",", g.Self) }); s != want ||
			!got.Selves {
			t.Errorf("%s: %s", by, s)
		}
	}
}

// TestNames: a thread is one group by its number, with its last name.
func TestNames(t *testing.T) {
	rows := tabletest.Of("ts dur tid thread", "1 1 5 sh\n2 1 6 -\n3 1 5 make\n4 2 5 -")
	for by, want := range map[string]string{
		"tid,thread": "5/make:4 6/:1",
		"thread,tid": "make/5:4 /6:1",
		"thread":     ":3 make:1 sh:1",
	} {
		if s := keys(rows.Sum(t, sums.Options{By: strings.Split(by, ",")}).Groups, total); s != want {
			t.Errorf("%s: %s", by, s)
		}
	}
}

// TestOthers: beyond the limit of groups, rows are summed as one group.
func TestOthers(t *testing.T) {
	const most, further = 1 << 17, 3
	rows := tabletest.Of("ts dur tid thread", "")
	for i := range most + further {
		row := []tables.Value{{}, {Int: 7}, {Int: int64(i)}, {Text: "sh"}}
		rows.Lines = append(rows.Lines, row)
	}
	rows.Lines = append(rows.Lines, rows.Lines[0], rows.Lines[most])
	for by, want := range map[string]string{"tid": "(others):28 0:14", "tid,thread": "(others)/(others):28 0/sh:14"} {
		got := rows.Sum(t, sums.Options{By: strings.Split(by, ","), Sort: "count"})
		if len(got.Groups) != most+1 || got.All.Count() != most+further+2 {
			t.Fatal(len(got.Groups), got.All.Count())
		}
		if s := keys(got.Groups[:2], total); s != want {
			t.Error(s)
		}
	}
}

// TestNaive draws rows and computes their sums by sorting: the p-th percentile is the smallest
// duration that at least p of 100 rows do not exceed.
func TestNaive(t *testing.T) {
	percentile := func(sorted []uint64, p int) uint64 {
		for i, v := range sorted {
			if 100*(i+1) >= p*len(sorted) {
				return v
			}
		}
		return 0
	}
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 1))
		var lines strings.Builder
		naive := map[string][]uint64{}
		for range 1 + r.IntN(400) {
			name := string(rune('a' + r.IntN(4)))
			v := r.Uint64() >> (1 + r.IntN(63))
			if r.IntN(3) == 0 {
				v = uint64(r.IntN(3))
			}
			naive[name] = append(naive[name], v)
			fmt.Fprintf(&lines, "1 %d %s\n", v, name)
		}
		got := tabletest.Of("ts dur name", lines.String()).Sum(t, sums.Options{By: []string{"name"}})
		if len(got.Groups) != len(naive) {
			t.Error(len(got.Groups), len(naive))
		}
		for _, g := range got.Groups {
			list := naive[g.Key[0]]
			slices.Sort(list)
			var sum uint64
			for _, v := range list {
				sum += v
			}
			want := []uint64{
				uint64(len(list)), sum, sum / uint64(len(list)), percentile(list, 50), percentile(list, 95),
				percentile(list, 99),
				list[0], list[len(list)-1],
			}
			d := &g.Times
			have := []uint64{d.Count, g.Total, d.Mean(), d.Quantile(0.5), d.Quantile(0.95), d.Quantile(0.99), d.Min,
				d.Max}
			if diff := cmp.Diff(want, have); diff != "" {
				t.Fatalf("seed %d: %s: %s", seed, g.Key[0], diff)
			}
		}
	}
}
