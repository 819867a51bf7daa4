package tracec_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/filter"
	templates "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/pattern"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestFilters compares random filters with a plain evaluation over the values of all events, for
// recordings of all systems. It compares the yielded events and the losses before them. For some of
// the filters, readers pass ids to the container.
func TestFilters(t *testing.T) {
	for _, pattern := range []string{"ftrace/*.dat", "aix/*.trc", "uftrace/*/data.tar.gz", "lttng/*/*.tar.xz"} {
		names, err := filepath.Glob("testdata/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal("nothing like ", pattern, err)
		}
		passed := 0
		for i, name := range needs.Some(t, names, 4) {
			rec := openAny(t, name)
			passed += checkFilters(t, name, rec, rand.New(rand.NewPCG(7, uint64(i))), 15)
			rec.Close()
		}
		if passed == 0 {
			t.Errorf("%s: no event has passed a filter", pattern)
		}
	}
}

// TestFilterAllocations: filtering does not allocate for an event.
func TestFilterAllocations(t *testing.T) {
	for name, text := range map[string]string{
		"ftrace/amd64-extract.dat":                 `.*: common_flags < 3 && COMM =~ "s" || prev_comm ~ "*s*"`,
		"aix/shop64.trc":                           `.*: number > 7000 || is == "picker"`,
		"uftrace/args-auto/data.tar.gz":            `.*: arg1 > 100 || retval == 3 || COMM ~ "a*"`,
		"lttng/synthetic/v26-le64-bigevent.tar.xz": `.*: name =~ "core" || CPU == 1 && COMM ~ "x*"`,
	} {
		rec := openAny(t, "testdata/"+name)
		opts := filterOptions(t, rec)
		events := 0
		walk := func(r *tracec.Reader) func() {
			return func() {
				for range r.All() {
					events++
				}
			}
		}
		plain, filtered := newReader(t, rec, opts...), newReader(t, rec, append(opts, tracec.WithFilter(text))...)
		walk(plain)()
		walk(filtered)() // types are compiled once
		without := testing.AllocsPerRun(3, walk(plain))
		if with := testing.AllocsPerRun(3, walk(filtered)); with > without+150 || events < 1000 {
			t.Errorf("%s: %v allocations, %v without a filter, of %d events", name, with, without, events)
		}
	}
}

// TestFiltersDamaged does the same with recordings that have some wrong bytes.
func TestFiltersDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, name := range []string{"ftrace/amd64-markers.dat", "ftrace/s390x-markers.dat", "ftrace/made-kmem.dat",
		"aix/shop64.trc", "aix/shop32.trc"} {
		whole, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		for range needs.Cases(t, 4, 12) {
			data := slices.Clone(whole)
			for range 1 + random.IntN(20) {
				data[len(data)/2+random.IntN(len(data)/2)] ^= byte(1 + random.IntN(255))
			}
			var rec record.Recording
			if strings.HasPrefix(name, "aix") {
				rec, err = aix.OpenReaderAt(bytes.NewReader(data), int64(len(data)), name)
			} else {
				rec, err = ftrace.OpenReaderAt(bytes.NewReader(data), int64(len(data)), name)
			}
			if err != nil {
				continue
			}
			checkFilters(t, name, rec, random, 4)
			rec.Close()
		}
	}
}

// TestEventsLost selects events by patterns. Exactly the events with these names are yielded, with
// all losses before them, although readers pass ids to the container.
func TestEventsLost(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for _, glob := range []string{"ftrace/*.dat", "aix/*.trc", "uftrace/*/data.tar.gz", "lttng/*/*.tar.xz"} {
		names, err := filepath.Glob("testdata/" + glob)
		if err != nil || len(names) == 0 {
			t.Fatal("nothing like ", glob, err)
		}
		for _, name := range needs.Some(t, names, 4) {
			rec := openAny(t, name)
			var types []*tracec.Type
			for ev := range newReader(t, rec).All() {
				if !slices.Contains(types, ev.Type) && len(types) < 40 &&
					!strings.ContainsAny(ev.Type.Name, ",*?[]\\ ") {
					types = append(types, ev.Type)
				}
			}
			for range 6 {
				list := []string{drawPattern(random, types), drawPattern(random, types)}
				patterns, err := pattern.ParseList(list)
				if err != nil {
					t.Fatal(list, err)
				}
				r, err := tracec.NewReader(rec, tracec.WithEvents(list...))
				if err != nil { // an event without a description
					continue
				}
				var got, want []read
				for ev := range r.All() {
					got = append(got, reading(ev, ev.Lost))
				}
				lost := map[int32]int64{}
				for ev := range newReader(t, rec).All() {
					lost[ev.Stream] = record.AddLost(lost[ev.Stream], ev.Lost)
					if patterns.Matches(ev.Type.System, ev.Type.Name, ev.Type.Label) {
						want = append(want, reading(ev, lost[ev.Stream]))
						lost[ev.Stream] = 0
					}
				}
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %s: %d events, want %d\n%v\n%v", name, list, len(got), len(want), first(got),
						first(want))
				}
			}
			rec.Close()
		}
	}
}

// drawPattern makes a glob that matches the name of one of some types.
func drawPattern(r *rand.Rand, types []*tracec.Type) string {
	name := types[r.IntN(len(types))].Name
	switch n := len(name) / 2; r.IntN(5) {
	case 0:
		return name[:n] + "*"
	case 1:
		return "*" + name[n:]
	case 2:
		return "*[0-9]*"
	}
	return name
}

// read is an event that a reader has yielded.
type read struct {
	time         uint64
	id           uint32
	stream       int32
	task, cpu    int32
	lost         int64
	name, fields string
}

// filterOptions returns the templates of the recordings of AIX.
func filterOptions(t *testing.T, rec record.Recording) []tracec.Option {
	t.Helper()
	if !strings.Contains(rec.Name(), "aix/") {
		return nil
	}
	text, err := os.ReadFile("testdata/aix/shop.trcfmt")
	if err != nil {
		t.Fatal(err)
	}
	file, errs := templates.Parse("shop.trcfmt", text)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	compiled, _ := trcfmt.Compile("shop.trcfmt", trcfmt.Options{}, file)
	return []tracec.Option{tracec.WithHooks(compiled)}
}

// checkFilters tries random filters and returns the number of events that have passed.
func checkFilters(t *testing.T, name string, rec record.Recording, random *rand.Rand, filters int) (passed int) {
	t.Helper()
	opts := filterOptions(t, rec)
	pool := newPool(t, rec, opts)
	word = rec.Machine().WordSize
	if len(pool.types) == 0 {
		return 0
	}
	for range filters {
		text := pool.filter(random)
		f, err := grammar.Parse(text)
		if err != nil && strings.Contains(err.Error(), "needs whole numbers") {
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		r, err := tracec.NewReader(rec, append(opts, tracec.WithFilter(text))...)
		if err != nil {
			var syntax *grammar.SyntaxError
			if !errors.As(err, &syntax) {
				t.Fatalf("%s: %s: %v", name, text, err)
			}
			continue // no field of the event has the kind
		}
		var got, want []read
		for ev := range r.All() {
			got = append(got, reading(ev, ev.Lost))
		}
		lost := map[int32]int64{}
		for ev := range newReader(t, rec, append(opts, tracec.WithThreads())...).All() {
			lost[ev.Stream] = record.AddLost(lost[ev.Stream], ev.Lost)
			if !f.Matches(ev.Type.System, ev.Type.Name) && !f.Matches(ev.Type.System, ev.Type.Label) ||
				f.Cond != nil && !holds(f.Cond, ev) {
				continue
			}
			want = append(want, reading(ev, lost[ev.Stream]))
			lost[ev.Stream] = 0
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %s: %d events pass, want %d\n%v\n%v", name, text, len(got), len(want), first(got),
				first(want))
		}
		passed += len(got)
	}
	return passed
}

func first(list []read) []read { return list[:min(len(list), 3)] }

func reading(ev *tracec.Event, lost int64) read {
	var fields []byte
	for f, v := range ev.Fields() {
		fields = v.Append(append(append(append(fields, ' '), f.Name...), '='))
	}
	return read{ev.Time, ev.ID, ev.Stream, ev.Task, ev.CPU, lost, ev.Type.Name, string(fields)}
}

// TestFilterOverMemory: a reader fails if a filter takes more memory than the recording may use.
func TestFilterOverMemory(t *testing.T) {
	text := "sched_switch: " + strings.Repeat("prev_prio == next_prio && prev_pid != next_pid || ", 30000) +
		"prev_prio == 1"
	const want = `filter "sched_switch: prev_prio == next_prio && prev_pid != next_pid…" of sched_switch: larger than`
	open := func() *tracec.Reader {
		rec, err := ftrace.Open("testdata/ftrace/amd64-syscalls.dat", ftrace.WithMemory(record.MinMemory))
		if err != nil {
			t.Fatal(err)
		}
		return newReader(t, rec, tracec.WithFilter(text))
	}
	r := open()
	for range r.All() {
		t.Fatal("an event has passed")
	}
	if err := r.Err(); err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("All: %v", err)
	}
	appender := func() func([]byte, *tracec.Event) ([]byte, error) {
		return func(dst []byte, _ *tracec.Event) ([]byte, error) { return dst, nil }
	}
	if err := open().Render(2, appender, func([]byte) error { return nil }); err == nil ||
		!strings.HasPrefix(err.Error(), want) {
		t.Errorf("Render: %v", err)
	}
}
