package perfetto_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/perfetto"
	"github.com/tracec/tracec/internal/testkit/exporttest"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// TestFtrace decodes the trace of each recording and compares events, fields and times with package
// tracec.
func TestFtrace(t *testing.T) {
	for _, pattern := range []string{"*.dat", "*.tar.zst"} {
		names, err := filepath.Glob("../../testdata/ftrace/" + pattern)
		if err != nil || len(names) == 0 {
			t.Fatal(pattern, err)
		}
		for _, name := range names {
			t.Run(filepath.Base(name), func(t *testing.T) { compare(t, open(t, name), 1) })
		}
	}
}

// TestDamaged does the same with truncated and damaged recordings.
func TestDamaged(t *testing.T) {
	for _, name := range []string{"amd64-instances.dat", "s390x-markers.dat", "i386-userstack.dat"} {
		whole, err := os.ReadFile("../../testdata/ftrace/" + name)
		if err != nil {
			t.Fatal(err)
		}
		opened, lossy := 0, 0
		random := rand.New(rand.NewPCG(1, uint64(len(whole))))
		for i := range needs.Cases(t, 15, 60) {
			damaged := bytes.Clone(whole)
			if i%3 == 0 {
				damaged = damaged[:random.IntN(len(whole))]
			}
			for range random.IntN(20) {
				damaged[random.IntN(len(damaged))] ^= byte(1 + random.IntN(255))
			}
			file := filepath.Join(t.TempDir(), name)
			if err := os.WriteFile(file, damaged, 0o666); err != nil {
				t.Fatal(err)
			}
			rec, err := tracec.Open(t.Context(), file)
			if err != nil {
				continue
			}
			opened++
			if rec.DamageStats().Count > 0 {
				lossy++
			}
			compare(t, rec, 0)
			rec.Close()
		}
		if opened < 10 || lossy < 5 {
			t.Errorf("%s: %d opened, %d of them damaged", name, opened, lossy)
		}
	}
}

// places returns the places of the events of each stream in the trace.
func places(rec *ftrace.Recording) (list []place) {
	first := true
	for i, b := range rec.Buffers() {
		var machine uint64
		has := false
		for _, c := range b.CPUs {
			has = has || c.Size > 0
		}
		if has && !first {
			machine = uint64(i + 1)
		}
		first = first && !has
		for _, c := range b.CPUs {
			list = append(list, place{machine, uint32(c.ID)})
		}
	}
	return list
}

// compare compares the trace of a recording with its events.
func compare(t *testing.T, rec record.Recording, least int) {
	t.Helper()
	tr := decodeTrace(t, export(t, rec))
	r := newReader(t, rec)
	of := places(r.Recording().(*ftrace.Recording))
	begun := begunBefore(t, rec, of)
	n := 0
	for ev := range r.All() {
		n++
		at := of[ev.Stream]
		if len(tr.events[at]) == 0 {
			t.Fatalf("%s at %d is missing", ev.Type.Name, ev.Time)
		}
		for len(tr.events[at]) > 1 && tr.events[at][0].time != ev.Time && begun.take(at, tr.events[at][0]) {
			tr.events[at] = tr.events[at][1:]
		}
		w := tr.events[at][0]
		tr.events[at] = tr.events[at][1:]
		if w.time != ev.Time || w.pid != ev.Task || w.kind.name != eventName(ev.Type.System, ev.Type.Name) ||
			w.lost != (ev.Lost != 0) {
			t.Fatalf("%+v, want %s of %d at %d, lost %d", w, ev.Type.Name, ev.Task, ev.Time, ev.Lost)
		}
		if !w.kind.typed && w.kind.group != strings.ToValidUTF8(ev.Type.System, "\uFFFD") {
			t.Errorf("%s has the group %q", ev.Type.Name, w.kind.group)
		}
		compareFields(t, ev, w, tr)
	}
	for at, rest := range tr.events {
		rest = slices.DeleteFunc(rest, func(w written) bool { return begun.take(at, w) })
		if len(rest) > 0 {
			t.Errorf("%+v: %d events more than there are", at, len(rest))
		}
	}
	if n < least {
		t.Errorf("%d events", n)
	}
}

// entry is an entry of function_graph that may be written for an exit. TestUnseen compares which
// exits have such an entry.
type entry struct {
	at              place
	time            uint64
	pid             int32
	function, depth uint64
}

// entries counts the remaining entries.
type entries map[entry]int

// begunBefore returns one entry for each exit in a recording.
func begunBefore(t *testing.T, rec record.Recording, of []place) entries {
	t.Helper()
	begun := entries{}
	for ev := range newReader(t, rec).All() {
		if ev.Type.Name != "funcgraph_exit" {
			continue
		}
		num := func(name string) uint64 {
			i := ev.Type.Index(name)
			if i < 0 {
				return 0
			}
			v, _ := ev.Bits(i)
			return v
		}
		e := entry{of[ev.Stream], ev.Time - (num("rettime") - num("calltime")), ev.Task, num("func"), num("depth")}
		begun[e]++
	}
	return begun
}

// take reports whether an event is the entry of an exit, and removes that entry.
func (begun entries) take(at place, w written) bool {
	e := entry{at, w.time, w.pid, w.data.num(2), w.data.num(1)}
	if w.kind.name != "funcgraph_entry" || begun[e] == 0 {
		return false
	}
	begun[e]--
	return true
}

// TestUnseen: an exit without a recorded entry gets an entry at the begin that the exit records.
func TestUnseen(t *testing.T) {
	rec := exporttest.Made(t, exporttest.EndsAlone())
	compare(t, rec, 5)
	var got []string
	for _, w := range decodeTrace(t, export(t, rec)).events[place{}] {
		if w.kind.name == "funcgraph_entry" {
			got = append(got, fmt.Sprintf("%d of %d: %x at depth %d", w.time, w.pid, w.data.num(2), w.data.num(1)))
		}
	}
	slices.Sort(got)
	want := []string{"10 of 7: a0 at depth 0", "110 of 7: d0 at depth 2", "15 of 7: b0 at depth 1",
		"30 of 7: c0 at depth 2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// compareFields compares the fields of an event. A message of Perfetto may lack a field.
func compareFields(t *testing.T, ev *tracec.Event, w written, tr *trace) {
	t.Helper()
	if ev.Type.System == "syscalls" {
		compareSyscall(t, ev, w)
		return
	}
	byName := map[string]protowire.Number{}
	for number, m := range w.kind.members {
		byName[m.name] = number
	}
	if number, ok := byName["text"]; ok && strings.HasPrefix(ev.Type.Name, "bp") {
		if text, _ := ev.AppendText(nil); w.data.text(number) != utf8Text(string(text)) {
			t.Fatalf("%s is %q, want %q", ev.Type.Name, w.data.text(number), text)
		}
	}
	for f, v := range ev.Fields() {
		number, ok := byName[f.Name]
		if f.Common {
			continue
		}
		if !ok {
			if !w.kind.typed && !strings.Contains(w.data.text(31), f.Name+"=") {
				t.Errorf("%s.%s is missing", ev.Type.Name, f.Name)
			}
			continue
		}
		got, want := w.data[number], wanted(v, f, w.kind.members[number].kind)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%s.%s is %v, want %v", ev.Type.Name, f.Name, got, want)
		}
		if f.Name == "func" && w.kind.typed {
			if name, _, ok := ev.Symbol(v.Uint()); ok && tr.symbols[v.Uint()] != name {
				t.Fatalf("%s.%s is %q, want %q", ev.Type.Name, f.Name, tr.symbols[v.Uint()], name)
			}
		}
	}
}

// compareSyscall compares the number and the values of a system call.
func compareSyscall(t *testing.T, ev *tracec.Event, w written) {
	t.Helper()
	var id, values []value
	for f, v := range ev.Fields() {
		switch {
		case f.Name == "__syscall_nr":
			id = append(id, value{num: v.Uint()})
		case !f.Common && v.Kind() <= tracec.Uint:
			values = append(values, value{num: v.Uint()})
		}
	}
	if fmt.Sprint(w.data[1]) != fmt.Sprint(id) || fmt.Sprint(w.data[2]) != fmt.Sprint(values) {
		t.Fatalf("%s is %v", ev.Type.Name, w.data)
	}
}

// wanted returns the values of a field of a message.
func wanted(v tracec.Value, f *tracec.Field, kind string) []value {
	switch n := v.Uint(); {
	case kind == "s" && v.Kind() == tracec.Text:
		return []value{{data: []byte(strings.ToValidUTF8(string(v.Bytes()), "\uFFFD"))}}
	case kind == "s":
		return []value{{data: []byte(v.String())}}
	case kind == "b":
		return []value{{data: v.Bytes()}}
	case strings.HasSuffix(kind, "*"):
		var list []value
		for i := range v.Len() {
			list = append(list, value{num: v.Elem(i).Uint()})
		}
		return list
	case v.Kind() > tracec.Uint: // a type that the message does not have
		return nil
	case kind == "u" && f.Size == 8 && n > math.MaxUint32, kind == "i" && f.Size == 8 && int64(n) != int64(int32(n)):
		return nil
	case kind == "u":
		return []value{{num: uint64(uint32(n))}}
	case kind == "i":
		return []value{{num: uint64(int32(n))}}
	default:
		return []value{{num: n}}
	}
}

// TestWorkers: the bytes do not depend on the number of goroutines, and the reader's selection
// applies.
func TestWorkers(t *testing.T) {
	for _, name := range []string{"amd64-syscalls.dat", "amd64-snapshot.tar.zst", "amd64-instances.dat"} {
		sameBytes(t, open(t, "../../testdata/ftrace/"+name))
	}
	rec := open(t, "../../testdata/ftrace/amd64-syscalls.dat")
	var some bytes.Buffer
	if err := perfetto.Write(&some, newReader(t, rec, tracec.WithEvents("sys_enter_*")),
		perfetto.Options{}); err != nil {
		t.Fatal(err)
	}
	for _, list := range decodeTrace(t, some.Bytes()).events {
		for _, w := range list {
			if w.kind.name != "sys_enter" {
				t.Fatalf("%s is not chosen", w.kind.name)
			}
		}
	}
}

func sameBytes(t *testing.T, rec record.Recording) {
	t.Helper()
	var want []byte
	for workers := 1; workers < 5; workers++ {
		var b bytes.Buffer
		if err := perfetto.Write(&b, newReader(t, rec), perfetto.Options{Workers: workers}); err != nil {
			t.Fatal(err)
		}
		if want == nil {
			want = b.Bytes()
		} else if !bytes.Equal(want, b.Bytes()) {
			t.Errorf("%s: other bytes with %d workers", rec.Name(), workers)
		}
	}
}

// TestStrings: all strings are UTF-8.
func TestStrings(t *testing.T) {
	for _, b := range [][]byte{[]byte("plain"), []byte("gr\xc3\xbc\xc3\x9fe"), []byte("\xff\xfe"), []byte("a\xc3"),
		bytes.Repeat([]byte{0xe2}, 300)} {
		got := perfetto.AppendText(nil, 1, b)
		m := decode(t, got)
		if text := m.text(1); !utf8.ValidString(text) || text != strings.ToValidUTF8(string(b), "\uFFFD") {
			t.Errorf("%q became %q", b, text)
		}
	}
}

// TestMarks: texts of trace_marker that are not from atrace.
func TestMarks(t *testing.T) {
	for text, want := range map[string]bool{
		"B|12|work": true, "E|12": true, "E": true, "C|12|queue|-5": true, "S|1|load|7": true, "F|1|load|7": true,
		"I|1|here": true,
		"":         false, "B": false, "B|": false, "B|x|y": false, "Beginning": false, "E|": false, "C|1|queue": false,
		"C|1|queue|many": false,
		"hello|world":    false, "S|1|load": false, "B|99999999999999999999|x": false,
	} {
		if got := perfetto.IsMark(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

// TestAllocations: an event does not allocate.
func TestAllocations(t *testing.T) {
	r := newReader(t, open(t, "../../testdata/ftrace/amd64-syscalls.dat"))
	encode := perfetto.Encoder(64)
	walk := func() {
		for range r.All() {
		}
	}
	all := func() { encode(r.All()) }
	all() // encoders are made
	if plain, got := testing.AllocsPerRun(3, walk), testing.AllocsPerRun(3, all); got > plain+20 {
		t.Errorf("%v allocations, %v of them to walk", got, plain)
	}
}

// TestHeader: the trace contains the machine and the clocks of the recording.
func TestHeader(t *testing.T) {
	for name, want := range map[string]string{
		"amd64-date.dat":          "Linux 6.1.0-50-amd64 x86_64 2 [6 1]", // times of the day
		"amd64-clock-counter.dat": "Linux 6.1.0-50-amd64 x86_64 2 []",
		"i386-userstack.dat":      "Linux 6.1.0-50-686-pae i686 2 [6]",
		"s390x-markers.dat":       "Linux 6.1.0-50-s390x s390x 2 [6]",
	} {
		tr := decodeTrace(t, export(t, open(t, "../../testdata/ftrace/"+name)))
		text, clocks := "", []uint64{}
		for _, p := range tr.packets {
			if info := p.sub(t, 45); info != nil {
				uts := info.sub(t, 1)
				text = fmt.Sprint(uts.text(1), " ", uts.text(3), " ", uts.text(4), " ", info.num(8))
			}
			for _, v := range p.sub(t, 6)[1] {
				clock := decode(t, v.data)
				if clocks = append(clocks, clock.num(1)); clock.num(2) != p.num(8) {
					t.Errorf("%s: clock %d is %d at %d", name, clock.num(1), clock.num(2), p.num(8))
				}
			}
		}
		if got := fmt.Sprint(text, " ", clocks); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// TestTexts: events of trace_printk have their texts.
func TestTexts(t *testing.T) {
	// recordings with trace_printk
	names, err := filepath.Glob(filepath.Join(needs.Shared(t, "ftrace"), "*/fmtzoo.dat"))
	if err != nil || len(names) == 0 {
		t.Fatal("no recordings", err)
	}
	for _, name := range names {
		rec := open(t, name)
		compare(t, rec, 1)
		texts := 0
		for _, list := range decodeTrace(t, export(t, rec)).events {
			for _, w := range list {
				for number, m := range w.kind.members {
					if m.name == "text" && w.kind.name == "bprint" && w.data.text(number) != "" {
						texts++
					}
				}
			}
		}
		if texts == 0 {
			t.Errorf("%s: no texts", name)
		}
	}
}

// limited is a writer that fails after some bytes.
type limited struct{ left int }

var errFull = errors.New("no space left")

func (w *limited) Write(b []byte) (int, error) {
	if w.left -= len(b); w.left < 0 {
		return 0, errFull
	}
	return len(b), nil
}

// TestFailures: an error of the writer ends the export, and so does the end of the context.
func TestFailures(t *testing.T) {
	for _, name := range []string{"ftrace/amd64-syscalls.dat", "uftrace/args-auto/data.tar.gz",
		"lttng/synthetic/v26-le64-bigevent.tar.xz", "aix/shop64.trc"} {
		rec := open(t, "../../testdata/"+name)
		whole := len(export(t, rec))
		for _, n := range []int{0, 1000, whole - 1} {
			if err := perfetto.Write(&limited{n}, newReader(t, rec), perfetto.Options{}); !errors.Is(err, errFull) {
				t.Errorf("%s: after %d bytes: %v", name, n, err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := newReader(t, rec, tracec.WithRecords(record.Options{Context: ctx}))
		if err := perfetto.Write(io.Discard, r, perfetto.Options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
