package tables_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// hooked returns columns of the rows of a table of a recording of AIX, one row a line, and the
// notes of the walk.
func hooked(t *testing.T, table tables.Any, templates, script, columns string) (list, notes []string) {
	t.Helper()
	rec, opt := scripted.OpenHooks(t, templates, script)
	w := tables.NewWalk(rec, opt)
	list = shownOf(t, w, table, strings.Fields(columns))
	return list, w.Notes()
}

// shownOf runs a walk and returns columns of the rows of a table. A NULL is "-".
func shownOf(t *testing.T, w *tables.Walk, table tables.Any, columns []string) (list []string) {
	t.Helper()
	var places []int
	for _, name := range columns {
		i := slices.IndexFunc(table.Columns(), func(c tables.Column) bool { return c.Name == name })
		if i < 0 {
			t.Fatalf("%s has no column %s", table.Name(), name)
		}
		places = append(places, i)
	}
	err := table.Each(w, func(get func(int) tables.Value) bool {
		var cells []string
		for _, i := range places {
			v := get(i)
			switch kind := table.Columns()[i].Kind; {
			case v.Null:
				cells = append(cells, "-")
			case kind == tables.Text:
				cells = append(cells, strings.ReplaceAll(v.Text, " ", "_"))
			default:
				cells = append(cells, strconv.FormatInt(v.Int, 10))
			}
		}
		list = append(list, strings.Join(cells, " "))
		return true
	})
	if err == nil {
		err = w.Run(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestHooks checks the rules of docs/spec/tables.md section 11, and the rows of AIX in other
// tables.
func TestHooks(t *testing.T) {
	for _, c := range []struct {
		name          string
		table         tables.Any
		columns       string
		script, lines string
	}{
		{"a thread calls, is interrupted, dispatched away and back", tables.CPUModes,
			"ts ts_end reason tid process mode name", `
			0 100 9 106 5 4 0 ksh
			0 110 5 200
			0 120 5 101 kread
			0 150 5 100 disk
			0 160 5 102 0xabc
			0 190 5 103
			0 195 5 200
			0 200 5 106 6 7 0 cc
			0 205 6 200
			0 300 6 104 0 0
			0 310 6 10C 2
			0 315 2 200
			0 400 2 106 5 4 0 ksh
			0 404 5 200
			0 420 5 104 -1 2`, `
			- 100 open_begin - - - -
			100 110 - 5 ksh DISPATCH -
			110 120 - 5 ksh APPLICATION -
			120 150 - 5 ksh SYSCALL kread
			150 160 - 5 ksh FLIH disk
			160 190 - 5 ksh SLIH 0xabc
			190 195 - 5 ksh FLIH disk
			195 200 - 5 ksh SYSCALL kread
			200 205 - 6 cc DISPATCH -
			205 300 - 6 cc SYSCALL -
			300 310 - 6 cc APPLICATION -
			310 315 - 2 - IDLE_DISPATCH -
			315 400 - 2 - IDLE -
			400 404 - 5 ksh DISPATCH -
			404 420 - 5 ksh SYSCALL kread
			420 - open_end 5 ksh APPLICATION -`},
		{"its system calls", tables.Syscalls, "ts ts_end reason tid name ret error on_cpu", `
			0 100 9 106 5 4 0 ksh
			0 110 5 200
			0 120 5 101 kread
			0 150 5 100 disk
			0 195 5 200
			0 200 5 106 6 7 0 cc
			0 205 6 200
			0 300 6 104 0 0
			0 310 6 106 5 4 0 ksh
			0 404 5 200
			0 420 5 104 -1 2
			0 430 5 101 open
			0 450 5 106 6 7 0 cc
			0 455 6 200
			0 460 6 101 write
			0 470 6 104 5 0`, `
			- 300 open_begin 6 - 0 - -
			120 420 - 5 kread -1 ENOENT 51
			460 470 - 6 write 5 - 10
			430 - open_end 5 open - - 20`},
		{"its interrupts", tables.Interrupts, "ts ts_end reason kind name self context", `
			0 90 5 103
			0 95 5 200
			0 150 5 100 disk
			0 160 5 102 0xabc
			0 170 5 100 clock
			0 175 5 200
			0 190 5 103
			0 195 5 200
			0 200 5 100 clock
			0 210 5 106 6 7 0 cc
			0 215 6 200
			0 220 6 100 clock`, `
			- 90 open_begin slih - - -
			170 175 - flih clock 5 slih
			160 190 - slih 0xabc 25 flih
			150 195 - flih disk 15 -
			200 210 - flih clock 10 -
			220 - open_end flih clock - -`},
		{"its threads", tables.ThreadState, "ts ts_end reason cpu tid pid process state", `
			0 100 9 106 5 4 0 ksh
			1 150 9 106 6 7 0 cc
			0 200 5 10C 2
			0 210 5 106 6 7 0 cc
			1 220 5 106 5 4 0 ksh`, `
			100 200 - 0 5 4 ksh Running
			150 - not_recorded 1 6 7 cc Running
			220 - open_end 1 5 4 ksh Running
			210 - open_end 0 6 7 cc Running`},
		{"hooks that do not fit: another one is missing", tables.CPUModes, "ts ts_end reason tid mode", `
			0 100 9 106 5 4 0 ksh
			0 110 5 200
			0 120 5 101 kread
			0 130 5 200
			0 140 5 102 0xabc
			0 150 5 200
			0 160 5 103
			0 170 5 106 6 7 0 cc
			0 180 6 101 kread
			0 190 7 101 write
			0 200 7 101 write
			1 210 8 106 7 8 0 vi
			0 220 8 104 0 0`, `
			- 100 open_begin - -
			100 110 - 5 DISPATCH
			110 120 - 5 APPLICATION
			120 - not_recorded 5 SYSCALL
			130 - not_recorded 5 SYSCALL
			140 - not_recorded 5 SLIH
			150 - not_recorded 5 SYSCALL
			160 170 - 5 FLIH
			170 - not_recorded 6 DISPATCH
			180 - not_recorded 6 SYSCALL
			190 - not_recorded 7 SYSCALL
			- 210 open_begin - -
			200 - not_recorded 7 SYSCALL
			- 220 not_recorded 8 SYSCALL
			220 - open_end 8 APPLICATION
			210 - open_end 7 DISPATCH`},
		{"a buffer is full: nothing is known", tables.CPUModes, "ts ts_end reason cpu tid mode", `
			0 100 9 106 5 4 0 ksh
			0 110 5 200
			0 120 5 101 kread
			1 125 6 104 0 0
			1 130 6 006
			0 140 5 100 clock
			0 150 5 200
			0 160 5 104 0 0
			0 165 5 002
			0 170 5 001
			0 180 5 100 clock
			0 185 5 002`, `
			- 100 open_begin 0 - -
			100 110 - 0 5 DISPATCH
			110 120 - 0 5 APPLICATION
			- 125 open_begin 1 6 SYSCALL
			120 - lost 0 5 SYSCALL
			125 - lost 1 6 APPLICATION
			- 140 lost 0 5 -
			140 150 - 0 5 FLIH
			150 160 - 0 5 SYSCALL
			160 - lost 0 5 APPLICATION
			- 180 lost 0 5 -
			180 - open_end 0 5 FLIH`},
		{"a kernel process", tables.CPUModes, "ts ts_end reason tid mode", `
			0 100 9 106 5 4 1 lrud
			0 110 5 200
			0 120 5 100 clock
			0 130 5 200
			0 140 5 106 6 7 0 ksh`, `
			- 100 open_begin - -
			100 110 - 5 DISPATCH
			110 120 - 5 KPROC
			120 130 - 5 FLIH
			130 140 - 5 KPROC
			140 - open_end 6 DISPATCH`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want []string
			for line := range strings.Lines(c.lines) {
				if line = strings.TrimSpace(line); line != "" {
					want = append(want, line)
				}
			}
			got, _ := hooked(t, c.table, scripted.HookTemplates, c.script, c.columns)
			if d := cmp.Diff(want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

// TestHooksMissing: the note names hooks without a template and templates without a field.
func TestHooksMissing(t *testing.T) {
	templates := func(without string, change ...string) string {
		text := strings.NewReplacer(change...).Replace(scripted.HookTemplates)
		var b strings.Builder
		for line := range strings.Lines(text) {
			if id, _, _ := strings.Cut(line, " "); !slices.Contains(strings.Fields(without), id) {
				b.WriteString(line)
			}
		}
		return b.String()
	}
	for _, c := range []struct {
		table     tables.Any
		templates string
		want      []string
	}{
		{tables.CPUModes, templates("101 200"), []string{"101", "200"}},
		{tables.CPUModes, templates("", "tid=", "to="), []string{"106 with a field tid"}},
		// tracec has a built-in template for 10C
		{tables.CPUModes, templates("100 101 102 103 104 106 10C 200"),
			[]string{"100", "101", "102", "103", "104", "106 with a field tid", "200"}},
		{tables.Syscalls, templates("100 104"), []string{"104"}},
		{tables.Interrupts, templates("102"), []string{"102"}},
		{tables.CPUTime, templates("106"), []string{"106 with a field tid"}},
		{tables.SchedLatency, templates(""), nil},
	} {
		rec, opt := scripted.OpenHooks(t, c.templates, "0 100 5 106 5 4 0 ksh")
		var missing *tables.MissingError
		err := c.table.Each(tables.NewWalk(rec, opt), func(func(int) tables.Value) bool { return true })
		if !errors.As(err, &missing) {
			t.Errorf("%s: %v", c.table.Name(), err)
			continue
		}
		if d := cmp.Diff(c.want, missing.Hooks); d != "" {
			t.Errorf("%v: %s", missing, d)
		}
	}
}

// TestHooksNotes: notes name hooks whose templates lack names, hooks that do not occur, and events
// without a processor.
func TestHooksNotes(t *testing.T) {
	templates := strings.NewReplacer("svc=", "call=").Replace(scripted.HookTemplates)
	_, notes := hooked(t, tables.CPUModes, templates, `
		0 100 5 106 5 4 0 ksh
		0 110 5 101 kread
		-1 120 5 104 0 0`, "ts")
	want := []string{
		"the template of hook 101 names no field svc: its rows have no name",
		"events without a processor make no rows: trace -C all and trace -p record it, and --layouts can describe it",
		"no events of the hooks 100, 102, 103, 10C, 200: if they were not traced, their time counts for others",
	}
	if d := cmp.Diff(want, notes); d != "" {
		t.Error(d)
	}
}

// TestHooksRandom: for hooks in any order, a missing end has a reason, and rows of a processor do
// not overlap.
func TestHooksRandom(t *testing.T) {
	ids := []string{"100 disk", "101 kread", "102 5", "103", "104 0 0", "106 5 4 0 a", "106 6 4 1 b", "106 7 7 0 c",
		"10C 2", "200", "006", "001", "002"}
	for seed := range uint64(needs.Cases(t, 1, 20)) {
		r := rand.New(rand.NewPCG(seed, 12))
		var b strings.Builder
		for i := range 2000 {
			fmt.Fprintln(&b, r.IntN(3)-r.IntN(2), 1000+i-r.IntN(3), r.IntN(9), ids[r.IntN(len(ids)-3*r.IntN(2))])
		}
		last := map[string]string{"0": "0", "1": "0", "2": "0"}
		rec, opt := scripted.OpenHooks(t, scripted.HookTemplates, b.String())
		w := tables.NewWalk(rec, opt)
		for _, table := range []tables.Any{tables.Interrupts, tables.Syscalls, tables.CPUTime, tables.ThreadState} {
			if err := table.Each(w, func(func(int) tables.Value) bool { return true }); err != nil {
				t.Fatal(err)
			}
		}
		for _, row := range shownOf(t, w, tables.CPUModes, strings.Fields("ts ts_end dur reason cpu")) {
			c := strings.Fields(row)
			if missing := c[0] == "-" || c[1] == "-"; missing != (c[3] != "-") || missing != (c[2] == "-") {
				t.Fatalf("seed %d: %s", seed, row)
			}
			if c[2] != "-" && (number(t, c[0]) < number(t, last[c[4]]) || number(t, c[2]) < 0) {
				t.Fatalf("seed %d: %s after %s", seed, row, last[c[4]])
			}
			if last[c[4]] = "0"; c[1] != "-" {
				last[c[4]] = c[1]
			}
		}
	}
}
