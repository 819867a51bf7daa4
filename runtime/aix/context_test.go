package aix_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/record"
)

// who is the state of a Context at an event.
type who struct {
	CPU      int
	PID      int64
	Name     string
	Path     string
	SVC      string
	Priority int
	Depth    int
}

// TestContext follows processes through layouts made for the test. The layouts of AIX are not
// published.
func TestContext(t *testing.T) {
	layouts := aix.NewLayouts(
		aix.Layout{ID: 0x00A0, Sub: 1, Places: []aix.Place{{Fact: aix.FactPID, Word: 2}, {Fact: aix.FactTID, Word: 3},
			{Fact: aix.FactProcess, Word: 4}}},
		aix.Layout{ID: 0x00A0, Sub: 0x12, Places: []aix.Place{{Fact: aix.FactTotalCPUs, Word: 2},
			{Fact: aix.FactTracedCPUs, Word: 3}}},
		aix.Layout{ID: 0x1060, Sub: -1, Role: aix.RoleDispatch,
			Places: []aix.Place{{Fact: aix.FactTID, Word: 1}, {Fact: aix.FactPriority, Word: 2, Byte: 2, Size: 2},
				{Fact: aix.FactCPU, Word: 0, Byte: 2, Size: 2}}},
		aix.Layout{ID: 0x1340, Sub: -1, Role: aix.RoleCurrent, Places: []aix.Place{{Fact: aix.FactExecPath, Word: 2}}},
		aix.Layout{ID: 0x1390, Sub: -1, Role: aix.RoleFork,
			Places: []aix.Place{{Fact: aix.FactPID, Word: 1}, {Fact: aix.FactTID, Word: 2}}},
		aix.Layout{ID: 0x1010, Sub: -1, Role: aix.RoleCurrent,
			Places: []aix.Place{{Fact: aix.FactSVCAddress, Word: 1}}},
	)
	var b bytes.Buffer
	w := aix.NewWriter(&b, aix.WriterOptions{})
	w.TID = 1
	w.TRCGENT(0x00A00000, 0x12, []byte("\x00\x00\x00\x04\x00\x00\x00\x03"))
	w.TRCGENT(0x00A00000, 1, []byte("\x00\x00\x10\x00\x00\x00\x3A\x5Bksh\x00junk"))
	w.TID = 0x3A5B
	w.TRCHKL0T(0x50000000)
	w.TRCHKL2T(0x10600002, 0x3A5B, 60)
	w.TRCGENT(0x13400000, 0, []byte("/usr/bin/vi\x00"))
	w.TRCHKL2T(0x13900000, 0x1001, 0x9999)
	w.TRCHKL1T(0x10100000, 0xABC0)
	w.TID = 0x9999
	w.TRCHKL0T(0x50000000)
	w.TRCHKL2T(0x10600003, 0x9999, 61)
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	rec := openBytes(t, b.Bytes())
	ctx := aix.NewContext(rec.Info(), layouts)
	var all []who
	err := rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
		ctx.Update(r, e)
		all = append(all, who{ctx.CPU(), ctx.PID(), ctx.Process(), ctx.ExecPath(), ctx.SVC(), ctx.Priority(),
			ctx.Depth()})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	unknown := who{CPU: -1, PID: -1, Priority: -1}
	vi := who{CPU: 2, PID: 0x1000, Name: "vi", Path: "/usr/bin/vi", Priority: 60}
	call := vi
	call.SVC = "abc0"
	want := []who{
		unknown, unknown, {CPU: -1, PID: 0x1000, Name: "ksh", Priority: -1},
		{CPU: 2, PID: 0x1000, Name: "ksh", Priority: 60}, vi, vi, call,
		{CPU: -1, PID: 0x1001, Name: "vi", Path: "/usr/bin/vi", Priority: -1},
		{CPU: 3, PID: 0x1001, Name: "vi", Path: "/usr/bin/vi", Priority: 61},
	}
	if d := cmp.Diff(want, all); d != "" {
		t.Error(d)
	}
	if ctx.TotalCPUs() != 4 || ctx.TracedCPUs() != 3 || ctx.PathOf(0x1000) != "/usr/bin/vi" || ctx.NameOf(7) != "" ||
		ctx.PIDOf(0x3A5B) != 0x1000 {
		t.Errorf("%d of %d CPUs", ctx.TracedCPUs(), ctx.TotalCPUs())
	}
	ctx.Interrupt()
	ctx.Interrupt()
	ctx.Resume()
	if tid, ok := ctx.Running(); ctx.Depth() != 1 || tid != 0x9999 || !ok {
		t.Errorf("depth %d, thread %X", ctx.Depth(), tid)
	}
}

// TestClock takes the scale from hook 00A, wherever it is, and from the option before that hook.
func TestClock(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		for name, c := range map[string]struct {
			clock aix.Clock
			opts  []aix.Option
			want  uint64
		}{
			"time base":  {aix.Clock{Mul: 125, Div: 64, Type: 2}, nil, 8000},
			"other type": {aix.Clock{Mul: 125, Div: 64, Type: 1}, nil, 4096},
			"option": {aix.Clock{Mul: 125, Div: 64, Type: 2},
				[]aix.Option{aix.WithClock(aix.Clock{Mul: 2, Div: 1, Type: 2})}, 8192},
			"no divisor": {aix.Clock{Mul: 125, Div: 0, Type: 2}, nil, 4096},
		} {
			var b bytes.Buffer
			w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: kernel64})
			w.TID, w.Now = 5, 0x1000
			w.TRCHKL1T(0x50000000, 1)
			w.TRCHKL1T(0x50000000, 2)
			w.Clock(c.clock)
			w.TRCHKL0(0x50000000)
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			rec, err := aix.OpenReader(&b, "clock", c.opts...)
			if err != nil {
				t.Fatal(err)
			}
			for i, g := range readAll(t, rec) {
				if g.Time != c.want || g.Ticks != 0x1000 {
					t.Errorf("%s, 64-bit %v, entry %d: %d ns of %d ticks", name, kernel64, i, g.Time, g.Ticks)
				}
			}
		}
	}
}

// TestCPUIDElsewhere reads processor ids with a wrong assumption about their presence. This has its
// own error.
func TestCPUIDElsewhere(t *testing.T) {
	var b bytes.Buffer
	w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: true})
	for i := range uint64(20) {
		w.TID, w.Now, w.CPU = 0x1F0035, 1000+i, 3
		w.TRCHKL2T(0x50000000, i, i)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	rec := openBytes(t, b.Bytes(), aix.WithCPUID(aix.CPUIDNone))
	readAll(t, rec)
	list := rec.Damage()
	if len(list) == 0 || !errors.Is(list[0], aix.ErrCPUID) {
		t.Errorf("%v", list)
	}
	for _, g := range readAll(t, openBytes(t, b.Bytes())) {
		if g.CPU != 3 {
			t.Errorf("CPU %d", g.CPU)
		}
	}
}

// TestZeroID yields an entry without an id if entries follow it: the report has a template for it.
func TestZeroID(t *testing.T) {
	const entry = "010A0000 00000001 00003A5B " // v1 with other stamps: a repeated pattern is not a trace
	b := unhex(t, entry+"0001A5E3"+entry+"0001A5E4"+"000A0007 00000001 00003A5B 0001A5E5"+
		entry+"0001A5E6"+entry+"0001A5E7"+entry+"0001A5E8"+entry+"0001A5E9")
	rec := openBytes(t, b)
	all := readAll(t, rec)
	if len(all) != 7 || all[2].ID != 0 || all[2].Hook != 7 || rec.DamageStats().Count != 0 {
		t.Errorf("%d entries, %v", len(all), rec.Damage())
	}
}

// TestCopy copies all entries of a log file into a stream. The stream must have the same entries.
func TestCopy(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		rec := openBytes(t, logFile(t, busy(rand.New(rand.NewPCG(21, 22)), kernel64, 300), kernel64,
			aix.LogOptions{BufferSize: 700}))
		var b bytes.Buffer
		w := aix.NewWriter(&b, aix.WriterOptions{Kernel64: kernel64})
		var want []got
		err := rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
			w.Copy(e)
			g := view(r, e)
			g.Offset, g.Buffer, g.Flags = 0, -1, g.Flags&^aix.Initial
			want = append(want, g)
			return nil
		})
		if err := errors.Join(err, w.Flush()); err != nil {
			t.Fatal(err)
		}
		all := readAll(t, openBytes(t, b.Bytes()))
		for i := range all {
			all[i].Offset = 0
		}
		if d := cmp.Diff(want, all); d != "" {
			t.Errorf("64-bit %v: %.2000s", kernel64, d)
		}
		other := aix.NewWriter(&b, aix.WriterOptions{Kernel64: !kernel64})
		other.Copy(&aix.Entry{Flags: map[bool]aix.Flags{true: aix.Trace64}[kernel64]})
		if other.Flush() == nil {
			t.Error("an entry of another word size was copied")
		}
	}
}

// TestNoAllocation walks without allocating per entry: the allocations of a walk do not depend on
// its length.
func TestNoAllocation(t *testing.T) {
	for _, kernel64 := range []bool{false, true} {
		walk := func(n int) float64 {
			rec := openBytes(t, stream(t, busy(rand.New(rand.NewPCG(23, 24)), kernel64, n), kernel64, 1000))
			ctx := aix.NewContext(rec.Info(), nil)
			regs := make([]uint64, 0, 8)
			return testing.AllocsPerRun(3, func() {
				err := rec.Merge(record.Options{}).Run(func(r *record.Record, e *aix.Entry) error {
					ctx.Update(r, e)
					regs = e.Registers(regs[:0])
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			})
		}
		if few, many := walk(1000), walk(50000); many > few+20 { // the runtime allocates a few
			t.Errorf("64-bit %v: %v allocations for 1000 entries, %v for 50000", kernel64, few, many)
		}
	}
	w := aix.NewWriter(&bytes.Buffer{}, aix.WriterOptions{})
	if n := testing.AllocsPerRun(100, func() { w.TRCHKL3T(0x50000000, 1, 2, 3) }); n != 0 {
		t.Errorf("writing allocates %v times", n)
	}
}

// TestContextMemory: the state of processes counts against the memory of the recording. State that
// does not fit is unknown, which is damage.
func TestContextMemory(t *testing.T) {
	layouts := aix.NewLayouts(aix.Layout{ID: 0x1350, Sub: -1, Role: aix.RoleInfo,
		Places: []aix.Place{{Fact: aix.FactPID, Word: 1}, {Fact: aix.FactExecPath, Word: 2}}})
	var b bytes.Buffer
	w := aix.NewWriter(&b, aix.WriterOptions{})
	path := []byte(strings.Repeat("/directory", 100) + "\x00")
	const processes = 20_000
	for pid := range uint64(processes) {
		w.Now += 100
		w.TRCGENT(0x13500000, pid+1, path)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	rec, err := aix.OpenReaderAt(bytes.NewReader(b.Bytes()), int64(b.Len()), "paths", aix.WithMemory(record.MinMemory))
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	ctx := rec.Context(layouts)
	if err := rec.Merge(record.Options{}).Run(func(r *record.Record,
		e *aix.Entry) error {
		ctx.Update(r, e)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if ctx.PathOf(1) != string(path[:len(path)-1]) || ctx.PathOf(processes) != "" {
		t.Errorf("paths of the first and the last: %q, %q", ctx.PathOf(1), ctx.PathOf(processes))
	}
	list := rec.Damage()
	if len(list) != 1 || !errors.Is(list[0], aix.ErrLimit) || list[0].Offset == 0 {
		t.Errorf("damage %v", list)
	}
}
