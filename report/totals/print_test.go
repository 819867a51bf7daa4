package totals_test

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/internal/testkit/scripted"
	"github.com/tracec/tracec/internal/testkit/tabletest"
	"github.com/tracec/tracec/report/facts"
	"github.com/tracec/tracec/report/totals"
)

// text returns the form of printed sums, with times as numbers after @.
func text() *totals.Text {
	return &totals.Text{Time: func(time uint64) string { return "@" + strconv.FormatUint(time, 10) }}
}

// same compares a text with a wanted text that begins with an additional newline.
func same(t *testing.T, got []byte, want string) {
	t.Helper()
	if d := cmp.Diff(strings.TrimPrefix(want, "\n"), string(got)); d != "" {
		t.Error(d)
	}
}

// shown has rows of three groups. One group has no times.
const shown = "1 5 - a 0 2 -\n2 1500 - a 1 1 EIO\n30 2000000 - blocé 0 3 -\n4 - open_end c 1 - EIO"

func shownRows() *tabletest.Table { return tabletest.Of("ts dur reason name cpu self error", shown) }

// TestText: columns are as wide as their cells. Columns without a value in any group are omitted.
func TestText(t *testing.T) {
	got := shownRows().Sum(t, sums.Options{By: []string{"name", "cpu"}, Where: []string{`name != "a" || cpu == 0`}})
	same(t, text().Append(nil, got), `
COUNT     TOTAL      MEAN       P50       P95       P99       MAX   AT  SELF  ERRORS  OPEN  NAME   CPU
    1  2.000 ms  2.000 ms  2.000 ms  2.000 ms  2.000 ms  2.000 ms  @30  3 ns       0     0  blocé  0
    1      5 ns      5 ns      5 ns      5 ns      5 ns      5 ns   @1  2 ns       0     0  a      0
    0                                                                   0 ns       1     1  c      1
1 (33.3 %) lack a known begin or end, and are in no sum: 1 open_end
`)
	two := text()
	two.Rows = 1
	same(t, two.Append(nil, tabletest.Of("ts dur name", "1 2 a\n3 4000000000 b\n5 1 a").
		Sum(t, sums.Options{By: []string{"name"}})), `
COUNT     TOTAL      MEAN       P50       P95       P99       MAX  AT  NAME
    1  4.000  s  4.000  s  4.000  s  4.000  s  4.000  s  4.000  s  @3  b
… 1 more (-n 0)
`)
}

// TestTextWorst: the longest rows have the columns with values.
func TestTextWorst(t *testing.T) {
	got := shownRows().Sum(t, sums.Options{Worst: 2})
	same(t, text().Append(nil, got), `
 TS       DUR  NAME   CPU  SELF  ERROR
@30  2.000 ms  blocé  0    3 ns
 @2  1.500 us  a      1    1 ns  EIO
1 (25.0 %) lack a known begin or end, and are in no sum: 1 open_end
`)
}

// TestTextHist: a histogram of powers of two has no gaps. The longest bar has 50 characters.
func TestTextHist(t *testing.T) {
	hist := text()
	hist.Hist = true
	got := tabletest.Of("ts dur", "1 0\n"+strings.Repeat("1 3\n", 60)+"1 8\n").Sum(t, sums.Options{})
	same(t, hist.Append(nil, got), `
FROM     TO  COUNT
0 ns   1 ns      1  #
1 ns   2 ns      0
2 ns   4 ns     60  ##################################################
4 ns   8 ns      0
8 ns  16 ns      1  #
`)
}

// TestTextExtent: sums state the number of their events, and the losses.
func TestTextExtent(t *testing.T) {
	rec := scripted.Open(t, scripted.Interrupts, `
		0 1000 7 irq_handler_entry 9 disk
		0 1500 7 irq_handler_exit 9 1
		0 2000 7 lost=3 irq_handler_exit 9 1
		1 3500 7 softirq_entry 4
		1 3600 7 softirq_exit 4`)
	w := tables.NewWalk(rec)
	finish, err := sums.Add(w, tables.Interrupts, sums.Options{By: []string{"kind", "name"}})
	if err == nil {
		err = w.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	same(t, text().Append(nil, finish()), `
COUNT   TOTAL    MEAN     P50     P95     P99     MAX     AT    SELF  OPEN  KIND     NAME
    1  500 ns  500 ns  500 ns  500 ns  500 ns  500 ns  @1000  500 ns     0  irq      disk
    1  100 ns  100 ns  100 ns  100 ns  100 ns  100 ns  @3500  100 ns     0  softirq  BLOCK
    0                                                           0 ns     1  irq

3 rows of interrupts, from 5 events in 2.600 us, @1000 .. @3600, lost 3 in 1 gap
1 (33.3 %) lack a known begin or end, and are in no sum: 1 lost
`)
}

// TestNoGroupColumns: without columns to group by, there is one group.
func TestNoGroupColumns(t *testing.T) {
	same(t, text().Append(nil, tabletest.Of("ts dur", "1 2\n3 4").Sum(t, sums.Options{})), `
COUNT  TOTAL  MEAN   P50   P95   P99   MAX  AT
    2   6 ns  3 ns  2 ns  4 ns  4 ns  4 ns  @3
`)
}

// TestTicks: a clock without a unit has ticks, in all outputs.
func TestTicks(t *testing.T) {
	rows := tabletest.Of("ts dur name self", "1 5000 a 1\n2 7 - 0\n3 - b -")
	got := rows.Sum(t, sums.Options{By: []string{"name"}, Worst: 1})
	got.Ticks = true
	var csv bytes.Buffer
	if err := totals.WriteCSV(got, &csv, "f,1", true, 2); err != nil {
		t.Fatal(err)
	}
	same(t, csv.Bytes(), `
file,name,count,open,errors,total_ticks,self_ticks,mean_ticks,p50_ticks,p95_ticks,p99_ticks,max_ticks,max_at_ticks
"f,1",a,1,0,0,5000,1,5000,5000,5000,5000,5000,1
"f,1",,1,0,0,7,0,7,7,7,7,7,2
`)
	b, err := json.MarshalIndent(totals.JSONOf(got, facts.Recording{File: "f"}, 1).Groups, "", "\t")
	if err != nil {
		t.Fatal(err)
	}
	same(t, append(b, '\n'), `
[
	{
		"key": {
			"name": "a"
		},
		"count": 1,
		"total_ticks": 5000,
		"self_ticks": 1,
		"mean_ticks": 5000,
		"p50_ticks": 5000,
		"p95_ticks": 5000,
		"p99_ticks": 5000,
		"max_ticks": 5000,
		"max_at_ticks": 1
	}
]
`)
	got.Worst = nil
	same(t, text().Append(nil, got), `
COUNT  TOTAL  MEAN   P50   P95   P99   MAX  AT  SELF  OPEN  NAME
    1   5000  5000  5000  5000  5000  5000  @1     1     0  a
    1      7     7     7     7     7     7  @2     0     0
    0                                              0     1  b
`)
}

// TestCSV: a number that a group or the table lacks is empty.
func TestCSV(t *testing.T) {
	got := tabletest.Of("ts dur name error", "1 5 a EIO\n3 - b -").Sum(t, sums.Options{By: []string{"name"}})
	var csv bytes.Buffer
	for _, head := range []bool{true, false} {
		if err := totals.WriteCSV(got, &csv, "f", head, 0); err != nil {
			t.Fatal(err)
		}
	}
	lines := `f,a,1,0,1,5,,5,5,5,5,5,1
f,b,0,1,0,,,,,,,,
`
	same(t, csv.Bytes(), "file,name,count,open,errors,total_ns,self_ns,mean_ns,p50_ns,p95_ns,p99_ns,max_ns,max_at_ns\n"+
		lines+lines)
}

// TestJSON: a value that a group or a row lacks has no key.
func TestJSON(t *testing.T) {
	got := shownRows().Sum(t, sums.Options{By: []string{"name"}, Worst: 1, Where: []string{`name != "a"`}})
	b, err := json.Marshal(totals.JSONOf(got, facts.Recording{File: "f", Damage: []facts.Damage{}}, 0))
	if err != nil {
		t.Fatal(err)
	}
	same(t, b, `{"file":"f","damage":[],"damage_places":0,"skipped_bytes":0,"count":0,"lost":0,"lost_unknown":false,"gaps":0,`+
		`"table":"list","by":["name"],"rows":2,"open":{"open_end":1},"groups":[`+
		`{"key":{"name":"blocé"},"count":1,"total_ns":2000000,"self_ns":3,"mean_ns":2000000,"p50_ns":2000000,"p95_ns":2000000,`+
		`"p99_ns":2000000,"max_ns":2000000,"max_at_ns":30},{"key":{"name":"c"},"count":0,"open":1,"errors":1}],`+
		`"worst":[{"cpu":0,"dur":2000000,"name":"blocé","self":3,"ts":30}]}`)
}

// TestDiff: groups are in the order of the new recording. Groups of the old recording alone come
// last.
func TestDiff(t *testing.T) {
	o := sums.Options{By: []string{"name", "cpu"}}
	old := tabletest.Of("ts dur name cpu", "1 100 a 0\n1 300 a 0\n1 7 gone 0\n1 5 gone -\n1 - open 0\n1 0 zero 0").Sum(t, o)
	now := tabletest.Of("ts dur name cpu", "1 150 a 0\n1 1000 new 1\n1 3 open 0\n1 9 zero 0").Sum(t, o)
	diff := text()
	same(t, diff.AppendDiff(nil, old, now), `
COUNT  NEW    MEAN       NEW     P99       NEW     MAX       NEW   CHANGE  NAME  CPU
    -    1          1.000 us          1.000 us          1.000 us           new   1
    2    1  200 ns    150 ns  300 ns    150 ns  300 ns    150 ns  -25.0 %  a     0
    1    1    0 ns      9 ns    0 ns      9 ns    0 ns      9 ns           zero  0
    -    1              3 ns              3 ns              3 ns           open  0
    1    -    7 ns              7 ns              7 ns                     gone  0
    1    -    5 ns              5 ns              5 ns                     gone
`)
	diff.Rows = 4
	if got := string(diff.AppendDiff(nil, old, now)); !strings.HasSuffix(got, "\n… 2 more (-n 0)\n") ||
		strings.Contains(got, "gone") {
		t.Error(got)
	}
}

// TestExplained: a share of 100 % is the whole.
func TestExplained(t *testing.T) {
	got := tabletest.Of("ts dur", "1 5").Sum(t, sums.Options{})
	got.Explained = []tables.Explained{
		{What: "processors", Count: 1, Known: 1 << 63, Whole: 1 << 63},
		{What: "threads", Count: 2, Known: 2999, Whole: 3000},
	}
	same(t, text().Append(nil, got), `
COUNT  TOTAL  MEAN   P50   P95   P99   MAX  AT
    1   5 ns  5 ns  5 ns  5 ns  5 ns  5 ns  @1
states are known for 100.0 % of the time of 1 processor, 99.9 % of the time of 2 threads
`)
	got.Explained = []tables.Explained{{What: "threads", Count: 2},
		{What: "processors", Count: 2, Known: 1, Whole: 1 << 40}}
	same(t, text().Append(nil, got), `
COUNT  TOTAL  MEAN   P50   P95   P99   MAX  AT
    1   5 ns  5 ns  5 ns  5 ns  5 ns  5 ns  @1
states are known for 0.0 % of the time of 2 threads, <0.1 % of the time of 2 processors
`)
	for ticks, want := range map[bool]string{
		false: `[{"of":"threads","count":2,"known_ns":0,"whole_ns":0}]`,
		true:  `[{"of":"threads","count":2,"known_ticks":0,"whole_ticks":0}]`,
	} {
		got.Ticks, got.Explained = ticks, got.Explained[:1]
		b, err := json.Marshal(totals.JSONOf(got, facts.Recording{}, 0).Explained)
		if err != nil {
			t.Fatal(err)
		}
		same(t, b, want)
	}
}
