package totals_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/export/tables/sums"
	"github.com/tracec/tracec/internal/testkit/scripted"
	"github.com/tracec/tracec/report/totals"
)

// TestCurt: the summaries of two processors from 1000 to 1500 ns, by hand. Processor 0 is known
// from 1000 to 1500, processor 1 from 1100 to 1400.
func TestCurt(t *testing.T) {
	rec, opt := scripted.OpenHooks(t, scripted.HookTemplates, `
		0 1000 9 106 5 4 0 ksh
		0 1010 5 200
		0 1050 5 101 kread
		1 1100 8 106 6 7 1 lrud
		0 1100 5 100 disk
		0 1110 5 102 0xabc
		1 1120 6 200
		0 1150 5 103
		0 1155 5 200
		0 1200 5 104 -1 2
		1 1200 6 106 6 7 1 lrud
		1 1210 6 200
		0 1300 5 101 open
		0 1320 5 10C 2
		0 1330 2 200
		1 1400 6 106 5 4 0 ksh
		0 1500 2 106 6 7 1 lrud`)
	w := tables.NewWalk(rec, opt)
	modes, err := sums.Add(w, tables.CPUModes, sums.Options{By: []string{"mode"}})
	if err != nil {
		t.Fatal(err)
	}
	finish, err := totals.AddCurt(w)
	if err == nil {
		err = w.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	text := totals.Text{Time: func(v uint64) string { return strconv.FormatUint(v, 10) }}
	got := string(text.AppendCurt(nil, modes(), finish()))
	want := `
    TIME  % TOTAL  % BUSY  MODE
  140 ns    14.00   22.22  APPLICATION
  115 ns    11.50   18.25  SYSCALL
  270 ns    27.00   42.85  KPROC
   15 ns     1.50    2.38  FLIH
   40 ns     4.00    6.34  SLIH
   50 ns     5.00    7.93  DISPATCH
   10 ns     1.00    1.58  IDLE DISPATCH
  630 ns    63.00  100.00  CPU(S) BUSY
  170 ns    17.00          IDLE
  200 ns    20.00          NOT KNOWN
1.000 us   100.00          TOTAL

33.33 % of 3 dispatches are on the processor where the thread was dispatched last

Processors:
COMBINED  % TOTAL  APPLICATION  SYSCALL   KPROC   FLIH   SLIH  DISPATCH  IDLE DISPATCH    IDLE  NOT KNOWN  CPU
  500 ns    50.00       140 ns   115 ns    0 ns  15 ns  40 ns     10 ns          10 ns  170 ns       0 ns  0
  300 ns    30.00         0 ns     0 ns  270 ns   0 ns   0 ns     30 ns           0 ns    0 ns       0 ns  1

Processes:
COMBINED  % TOTAL  APPLICATION  SYSCALL   KPROC  PID  PROCESS
  270 ns    27.00         0 ns     0 ns  270 ns  7    lrud
  255 ns    25.50       140 ns   115 ns    0 ns  4    ksh

Threads:
COMBINED  % TOTAL  APPLICATION  SYSCALL   KPROC  TID  THREAD
  270 ns    27.00         0 ns     0 ns  270 ns  6    lrud
  255 ns    25.50       140 ns   115 ns    0 ns  5    ksh

System calls:
COUNT  TOTAL    AVG    MIN    MAX  ERRORS  NAME
    1  95 ns  95 ns  95 ns  95 ns       1  kread

Pending system calls:
COUNT  TOTAL    AVG    MIN    MAX  NAME  TID  THREAD
    1  20 ns  20 ns  20 ns  20 ns  open  5    ksh

FLIH:
COUNT  TOTAL    AVG    MIN    MAX  NAME
    1  15 ns  15 ns  15 ns  15 ns  disk

SLIH:
COUNT  TOTAL    AVG    MIN    MAX  NAME
    1  40 ns  40 ns  40 ns  40 ns  0xabc

19 rows of cpu_modes, from 17 events in 500 ns, 1000 .. 1500
4 (21.0 %) lack a known begin or end, and are in no sum: 2 open_begin, 2 open_end
`
	if d := cmp.Diff(strings.TrimPrefix(want, "\n"), got); d != "" {
		t.Error(d)
	}
}
