package uftrace_test

import (
	"encoding/binary"
	"errors"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// call holds the part of a kernel record that tests compare.
type call struct {
	Time  uint64
	Task  int32
	Kind  uftrace.Kind
	Name  string
	Depth uint16
}

func kernelCalls(t *testing.T, r *uftrace.Recording) (calls []call) {
	t.Helper()
	each(t, r, func(rec *record.Record, e *uftrace.Entry) {
		if e.Source != uftrace.Kernel {
			return
		}
		c := call{Time: rec.Time, Task: rec.Task, Kind: e.Kind, Depth: e.Depth}
		switch {
		case e.Sym != nil:
			c.Name = e.Sym.Simple
		case e.Kind == uftrace.Lost:
			c.Name = fmt.Sprint(rec.Lost)
		default:
			c.Name = r.EventName(rec.ID)
		}
		calls = append(calls, c)
	})
	return calls
}

// TestKernelGraph compares calls of kernel functions with uftrace's dump
// (kernel-graph/0.13/dump.txt).
func TestKernelGraph(t *testing.T) {
	r := open(t, load(t, "kernel-graph"))
	calls := kernelCalls(t, r)
	if len(calls) != 14 || len(r.Damage()) > 0 {
		t.Fatalf("%d records, damage %v", len(calls), r.Damage())
	}
	want := []call{
		{2854899329382, 5270, uftrace.Enter, "do_syscall_64", 0},
		{2854899329582, 5270, uftrace.Enter, "__x64_sys_write", 1},
		{2854899329732, 5270, uftrace.Enter, "ksys_write", 2},
		{2854899329882, 5270, uftrace.Enter, "vfs_write", 3},
		{2854899330882, 5270, uftrace.Leave, "vfs_write", 3},
	}
	if d := cmp.Diff(want, calls[:5]); d != "" {
		t.Error(d)
	}
	s := r.KernelStreams()
	if len(s) == 0 {
		t.Fatal("no kernel files")
	}
	if _, err := s[0].Next(); err != nil {
		t.Fatal(err)
	}
	if at, ns, ok := s[0].TimeExtend(); !ok || at != 2854699322973 || ns != 200006409 {
		t.Errorf("time extend: %d, %d, %v", at, ns, ok)
	}
	off, raw := s[0].Raw(0)
	if off != 0x18 || len(raw) != 28 || raw[0] != 6 || raw[4] != 11 {
		t.Errorf("first record: % x at %#x", raw, off)
	}
}

// TestKernelEvents: pages of a real kernel with discarded events of other tasks. uftrace 0.19 shows
// 85 events of this thread.
func TestKernelEvents(t *testing.T) {
	r := open(t, load(t, "kernel-events"))
	calls := kernelCalls(t, r)
	if len(r.Damage()) > 0 {
		t.Error(r.Damage())
	}
	if len(calls) == 0 || calls[0] != (call{2983230585848, 6151, uftrace.Event, "raw_syscalls:sys_exit", 0}) {
		t.Fatalf("%d records, first %+v", len(calls), calls[:min(1, len(calls))])
	}
	for i := 1; i < len(calls); i++ {
		if calls[i].Time < calls[i-1].Time {
			t.Errorf("record %d is earlier than the one before", i)
		}
	}
	if f := r.KernelFormats(); len(f) != 5 {
		t.Errorf("%d formats", len(f))
	}
	got := map[uint32]string{}
	for id, name := range r.Events() {
		got[id] = name
	}
	want := map[uint32]string{442: "raw_syscalls:sys_exit", 443: "raw_syscalls:sys_enter",
		190: "exceptions:page_fault_user"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// kernelFile writes pages and their description, for any byte order and word size.
type kernelFile struct {
	order byteOrder
	long  int
	page  []byte
}

const commonFields = "\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n" +
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"

func (k *kernelFile) header() string {
	endian := "LE"
	if k.order.Uint16([]byte{0, 1}) == 1 {
		endian = "BE"
	}
	text := fmt.Sprintf("PAGE_SIZE: 256\nLONG_SIZE: %d\nENDIAN: %s\n", k.long, endian)
	for _, f := range [][2]string{
		{"events/header_page", fmt.Sprintf("\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"+
			"\tfield: local_t commit;\toffset:8;\tsize:%d;\tsigned:1;\n\tfield: char data;\toffset:%d;\tsize:200;\tsigned:0;\n", k.long, 8+k.long)},
		{"events/ftrace/funcgraph_entry/format", "name: funcgraph_entry\nID: 11\nformat:\n" + commonFields +
			fmt.Sprintf("\tfield:unsigned long func;\toffset:8;\tsize:%d;\tsigned:0;\n\tfield:int depth;\toffset:%d;\tsize:4;\tsigned:1;\n", k.long, 8+k.long)},
		{"events/sched/sched_switch/format", "name: sched_switch\nID: 300\nformat:\n" + commonFields +
			"\tfield:pid_t next_pid;\toffset:8;\tsize:4;\tsigned:1;\n\nprint fmt: \"next=%d\", REC->next_pid\n"},
	} {
		text += fmt.Sprintf("TRACEFS: %s: %d\n%s", f[0], len(f[1]), f[1])
	}
	return text
}

func (k *kernelFile) begin(time uint64) { k.page = k.order.AppendUint64(nil, time) }

// event adds a record: words of 32 bits after the type and pid. The delta is 10 ns.
func (k *kernelFile) event(id uint16, pid int32, words ...uint32) {
	typ := uint32(len(words) + 2)
	if k.order.Uint16([]byte{0, 1}) == 1 {
		k.page = k.order.AppendUint32(k.page, typ<<27|10)
	} else {
		k.page = k.order.AppendUint32(k.page, typ|10<<5)
	}
	k.page = append(k.order.AppendUint16(k.page, id), 0, 0)
	k.page = k.order.AppendUint32(k.page, uint32(pid))
	for _, w := range words {
		k.page = k.order.AppendUint32(k.page, w)
	}
}

// end writes the commit word of the page. missed is the number of events missing before the page,
// or -1 if the number is not stored.
func (k *kernelFile) end(missed int) []byte {
	commit := uint64(len(k.page) - 8)
	switch {
	case missed > 0:
		commit |= 3 << 30
	case missed < 0:
		commit |= 1 << 31
	}
	page := k.page[:8:8]
	long := func(v uint64) {
		if k.long == 8 {
			page = k.order.AppendUint64(page, v)
		} else {
			page = k.order.AppendUint32(page, uint32(v))
		}
	}
	long(commit)
	page = append(page, k.page[8:]...)
	if missed > 0 {
		long(uint64(missed))
	}
	return append(page, make([]byte, 256-len(page))...)
}

// TestKernelLayouts covers both byte orders and word sizes, gaps, events of other threads, and
// events of other threads that name one of the recording's threads.
func TestKernelLayouts(t *testing.T) {
	for _, order := range []byteOrder{binary.LittleEndian, binary.BigEndian} {
		for _, long := range []int{4, 8} {
			t.Run(fmt.Sprint(order, long), func(t *testing.T) {
				fs := load(t, "kernel-graph")
				k := &kernelFile{order: order, long: long}
				k.begin(1000)
				fn := make([]uint32, long/4+1) // func and depth
				fn[len(fn)-1] = 7
				k.event(11, 5270, fn...)
				k.event(300, 1, 2)
				k.event(300, 1, 5270)
				k.event(300, 5270, 1)
				data := k.end(0)
				k.begin(2000)
				k.event(300, 5270, 1)
				data = append(data, k.end(12)...)
				k.begin(3000)
				k.event(300, 5270, 1)
				data = append(data, k.end(-1)...)
				fs["kernel_header"] = &fstest.MapFile{Data: []byte(k.header())}
				fs["kernel-cpu0.dat"] = &fstest.MapFile{Data: data}
				r := open(t, fs)
				want := []call{
					{1010, 5270, uftrace.Enter, "builtin_event:0", 7},
					{1030, 5270, uftrace.Event, "sched:sched_switch", 0},
					{1040, 5270, uftrace.Event, "sched:sched_switch", 0},
					{2010, 5270, uftrace.Lost, "12", 0},
					{2010, 5270, uftrace.Event, "sched:sched_switch", 0},
					{3010, 5270, uftrace.Lost, "-1", 0},
					{3010, 5270, uftrace.Event, "sched:sched_switch", 0},
				}
				want[0].Name = r.EventName(uftrace.NoSymbol) // a function at 0, outside of all symbols
				if d := cmp.Diff(want, kernelCalls(t, r)); d != "" {
					t.Error(d)
				}
				if len(r.Damage()) > 0 {
					t.Error(r.Damage())
				}
			})
		}
	}
}

// TestEarlyGaps checks the order of uftrace, and the true order.
func TestEarlyGaps(t *testing.T) {
	fs := load(t, "kernel-graph")
	k := &kernelFile{order: binary.LittleEndian, long: 8}
	k.begin(1000)
	k.event(11, 5270, 0, 0, 7)
	k.event(300, 5270, 1)
	k.event(300, 5270, 2)
	data := k.end(0)
	k.begin(2000)
	k.event(300, 5270, 3)
	fs["kernel_header"] = &fstest.MapFile{Data: []byte(k.header())}
	fs["kernel-cpu0.dat"] = &fstest.MapFile{Data: append(data, k.end(5)...)}
	for early, want := range map[bool][]string{
		false: {"1010 0", "1020 3", "1030 3", "2010 2", "2010 3"},
		true:  {"1010 0", "0 2", "1020 3", "1030 3", "2010 3"},
	} {
		r := open(t, fs)
		var got []string
		for m := r.Merge(uftrace.MergeOptions{EarlyGaps: early}); ; {
			records, entries, err := m.NextRun()
			if err != nil {
				break
			}
			for i, e := range entries {
				if e.Source == uftrace.Kernel {
					got = append(got, fmt.Sprint(records[i].Time, " ", uint8(e.Kind)))
				}
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("early %v: %s", early, d)
		}
	}
}

// TestKernelDamage: damage is reported with file and place, and the intact records are read.
func TestKernelDamage(t *testing.T) {
	fs := load(t, "kernel-graph")
	page := fs["kernel-cpu0.dat"].Data
	bad := append([]byte(nil), page[:4096]...)
	binary.LittleEndian.PutUint32(bad[8:], 5000) // more than a page holds
	fs["kernel-cpu0.dat"] = &fstest.MapFile{Data: append(bad, page...)}
	r := open(t, fs)
	if n := len(kernelCalls(t, r)); n != 14 {
		t.Errorf("%d records of the intact page", n)
	}
	d := r.Damage()
	if len(d) != 1 || d[0].File != "test/kernel-cpu0.dat" || d[0].Offset != 0 || d[0].Skipped != 4096 ||
		!errors.Is(d[0].Err, uftrace.ErrCorrupt) {
		t.Errorf("damage %v", d)
	}
	if d := cmp.Diff([]int{0}, unknownLosses(t, fs, uftrace.Kernel)); d != "" {
		t.Errorf("records that say that others were lost (-want +got):\n%s", d)
	}
	delete(fs, "kernel_header")
	r = open(t, fs)
	if n := len(kernelCalls(t, r)); n != 0 || len(r.Damage()) != 1 ||
		!errors.Is(r.Damage()[0].Err, uftrace.ErrMissing) {
		t.Errorf("without kernel_header: %d records, damage %v", n, r.Damage())
	}
}

// unknownLosses returns the records of a source with an unknown number of losses before them.
func unknownLosses(t *testing.T, fs fstest.MapFS, source uftrace.Source) (list []int) {
	t.Helper()
	n := 0
	each(t, open(t, fs), func(rec *record.Record, e *uftrace.Entry) {
		if e.Source != source {
			return
		}
		if rec.Lost == record.LostUnknown {
			list = append(list, n)
		}
		n++
	})
	return list
}

// TestLostInKernelFiles: damage within pages, between pages and of one record loses only the
// damaged part, and the next record reports a loss. There is no entry of kind Lost, because that
// would be a gap that the kernel reported.
func TestLostInKernelFiles(t *testing.T) {
	fs := load(t, "kernel-graph")
	k := &kernelFile{order: binary.LittleEndian, long: 8}
	page := func(time uint64, missed int, add func()) []byte {
		k.begin(time)
		k.event(300, 5270, 1)
		add()
		return k.end(missed)
	}
	none := func() {}
	for name, c := range map[string]struct {
		second []byte
		want   []int // of 300, at the begin of each page
		kinds  []uftrace.Kind
	}{
		"intact": {page(2000, 0, none), nil, []uftrace.Kind{uftrace.Event, uftrace.Event, uftrace.Event}},
		"no event": {page(2000, 0, func() { k.page = append(k.page, 4<<1, 0, 0, 0) }), []int{2},
			[]uftrace.Kind{uftrace.Event, uftrace.Event, uftrace.Event}},
		"short call": {page(2000, 0, func() { k.event(11, 5270) }), []int{2},
			[]uftrace.Kind{uftrace.Event, uftrace.Event, uftrace.Event}},
		"too much": {append(append(page(2000, 0, none)[:8:8], 0xff, 0xff, 0, 0), make([]byte, 244)...), []int{1},
			[]uftrace.Kind{uftrace.Event, uftrace.Event}},
		"gap": {page(2000, 12, none), nil,
			[]uftrace.Kind{uftrace.Event, uftrace.Lost, uftrace.Event, uftrace.Event}},
		"foreign before": {page(2000, 0, func() { k.event(11, 5270); k.event(300, 1, 2) }), []int{2},
			[]uftrace.Kind{uftrace.Event, uftrace.Event, uftrace.Event}},
	} {
		t.Run(name, func(t *testing.T) {
			data := append(page(1000, 0, none), c.second...)
			fs["kernel_header"] = &fstest.MapFile{Data: []byte(k.header())}
			fs["kernel-cpu0.dat"] = &fstest.MapFile{Data: append(data, page(3000, 0, none)...)}
			if d := cmp.Diff(c.want, unknownLosses(t, fs, uftrace.Kernel)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			r := open(t, fs)
			var kinds []uftrace.Kind
			for _, c := range kernelCalls(t, r) {
				kinds = append(kinds, c.Kind)
			}
			if d := cmp.Diff(c.kinds, kinds); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
			if lost := len(c.want) > 0; lost != (len(r.Damage()) == 1) {
				t.Errorf("damage %v", r.Damage())
			}
		})
	}
}
