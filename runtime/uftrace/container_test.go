package uftrace

import (
	"encoding/binary"
	"math"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/tracec/tracec/runtime/internal/memory"
)

func TestTaskLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want TaskEvent
		ok   bool
	}{
		{`SESS timestamp=2417.153090825 pid=32609 sid=275007e3a552b981 exename="/srv/my demo/forkexec"`,
			TaskEvent{Type: "SESS", Time: 2417153090825, PID: 32609, TID: 32609, PPID: -1, Session: "275007e3a552b981",
				Name: "/srv/my demo/forkexec"}, true},
		{`SESS timestamp=1.2 tid=5 sid=275007e3a552b9812222 exename="x"`, // older: tid; a longer id is cut
			TaskEvent{Type: "SESS", Time: 1000000002, PID: 5, TID: 5, PPID: -1, Session: "275007e3a552b981", Name: "x"},
			true},
		{`SESS timestamp=0.0 pid=0 sid=0 exename="qemu"`, TaskEvent{Type: "SESS", PPID: -1, Session: "0", Name: "qemu"},
			true},
		{`TASK timestamp=2417.153156773 tid=32611 pid=32609`,
			TaskEvent{Type: "TASK", Time: 2417153156773, TID: 32611, PID: 32609, PPID: -1}, true},
		{`FORK timestamp=2417.153350761 pid=32611 ppid=32609`,
			TaskEvent{Type: "FORK", Time: 2417153350761, TID: 32611, PID: 32611, PPID: 32609}, true},
		{`DLOP timestamp=1018.855327316 tid=27204 sid=2f712721918f1ca1 base=7f6b61a20000 libname="./libplug.so"`,
			TaskEvent{Type: "DLOP", Time: 1018855327316, TID: 27204, PPID: -1, Session: "2f712721918f1ca1",
				Base: 0x7f6b61a20000, Name: "./libplug.so"}, true},
		{`DLOP timestamp=1018.855327316 tid=27204 sid=2f712721918f1ca1 base=zz libname="./libplug.so"`, TaskEvent{},
			false},
		{`TASK timestamp=2417.1531 pid=32609`, TaskEvent{}, false},
		{`FORK timestamp=x pid=1 ppid=2`, TaskEvent{}, false},
		{`WHAT timestamp=1.0 pid=1`, TaskEvent{}, false},
	} {
		got, ok := parseTaskLine(c.line)
		if ok != c.ok || ok && !cmp.Equal(c.want, got) {
			t.Errorf("%s: %v\n%s", c.line, ok, cmp.Diff(c.want, got))
		}
	}
}

func TestMapLines(t *testing.T) {
	for _, c := range []struct {
		line string
		want mapLine
		ok   bool
	}{
		{"56460744a000-56460744f000 r-xp 00000000 00:00 0                          /srv/demo/abc build-id:3f530f4e",
			mapLine{0x56460744a000, 0x56460744f000, "/srv/demo/abc", "3f530f4e"}, true},
		{"400000-401000 r-xp 00000000 08:02 1234 /srv/my demo/abc", mapLine{0x400000, 0x401000, "/srv/my demo/abc", ""},
			true},
		{"7ffdc17c2000-7ffdc17e3000 rw-p 00000000 00:00 0                          [stack]",
			mapLine{0x7ffdc17c2000, 0x7ffdc17e3000, "[stack]", ""}, true},
		{"7ffdc17c2000-7ffdc17e3000 rw-p 00000000 00:00 0 ", mapLine{}, false},
		{"# a comment of QEMU with many words in it", mapLine{}, false},
		{"2000-1000 r-xp 00000000 00:00 0 /backwards", mapLine{}, false},
		{"", mapLine{}, false},
	} {
		got, ok := parseMapLine(c.line)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%q: %+v %v, want %+v %v", c.line, got, ok, c.want, c.ok)
		}
	}
	for stack, want := range map[uint64]uint64{0x3fffffff: 0x40000000, 0x7fffffff: 0x80000000, 0xaf000000: 0xb0000000,
		0xbf000000: 0xc0000000,
		0xff800000: 0xffffff8000000000, 1 << 40: 0xfffffc0000000000, 0x7ffdc17c2000: 0xffff800000000000,
		1 << 47: 0xffff000000000000} {
		if got := kernelBase(stack); got != want {
			t.Errorf("kernel base for a stack at %x: %x, want %x", stack, got, want)
		}
	}
}

// symbols parses a table.
func symbols(text string) ([]Symbol, []*Damage) {
	r := &Recording{memory: memory.New(0)}
	m := &Module{}
	r.parseSymbols(m, "x.sym", []byte(text))
	var list []Symbol
	for _, s := range m.Symbols {
		list = append(list, Symbol{Addr: s.Addr, Size: s.Size, Type: s.Type, Name: s.Name})
	}
	return list, r.Damage()
}

func TestSymbolTables(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []Symbol
	}{
		"without sizes": {"# symbols: 4\n# path name: /x\n0000000000001030 P getpid\n0000000000001040 ? __dynsym_end\n00000000000011e9 t c\n00000000000011f9 D last\n",
			[]Symbol{{Addr: 0x1030, Size: 0x10, Type: 'P', Name: "getpid"},
				{Addr: 0x11e9, Size: 0x10, Type: 't', Name: "c"}, {Addr: 0x11f9, Type: 'D', Name: "last"}}},
		"with sizes": {"0000000000001030 00000010 P puts\n00000000000011e9 00000019 T i8\n",
			[]Symbol{{Addr: 0x1030, Size: 0x10, Type: 'P', Name: "puts"},
				{Addr: 0x11e9, Size: 0x19, Type: 'T', Name: "i8"}}},
		"end by name": {"0000000000001000 T f\n0000000000001010 T __func_end\n0000000000002000 T g\n0000000000002004 ? __sym_end\n",
			[]Symbol{{Addr: 0x1000, Size: 0x10, Type: 'T', Name: "f"}, {Addr: 0x2000, Size: 4, Type: 'T', Name: "g"}}},
		"other types and doubles": {"0000000000001000 T f\n0000000000001000 T alias\n0000000000001008 b bss\n0000000000001010 T g\n",
			[]Symbol{{Addr: 0x1000, Size: 0x10, Type: 'T', Name: "f"}, {Addr: 0x1010, Type: 'T', Name: "g"}}},
		"kernel": {"ffffffff81000000 T __ia32_sys_read\nffffffff81000000 T __x64_sys_read\nffffffff81000010 T SyS_write\nffffffff81000010 T sys_write\nffffffffc0000000 t btrfs_x\t[btrfs]\nffffffffc0000020 ? __sym_end\n",
			[]Symbol{{Addr: 0xffffffff81000000, Size: 0x10, Type: 'T', Name: "__x64_sys_read"},
				{Addr: 0xffffffff81000010, Size: 0x3efffff0, Type: 'T', Name: "sys_write"},
				{Addr: 0xffffffffc0000000, Size: 0x20, Type: 't', Name: "btrfs_x"}}},
	} {
		got, damage := symbols(c.text)
		if d := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Symbol{})); d != "" || len(damage) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", name, damage, d)
		}
	}
	if got, damage := symbols("nonsense\n0000000000001000 T f\n12 x\n"); len(got) != 1 || len(damage) != 1 ||
		damage[0].Offset != 0 {
		t.Errorf("bad lines: %v %v", got, damage)
	}
}

func TestDebugLines(t *testing.T) {
	r := &Recording{memory: memory.New(0)}
	m := &Module{Symbols: []*Symbol{{Addr: 0x11e9}, {Addr: 0x249a}}}
	r.parseDebug(m, "x.dbg", []byte("# path name: /x\nE: enum kind {food,tool=5,book}\nF: 249a shop::label\nL: 39 cpp.cpp\nA: @arg1/p%RSI,arg2%RDX\nR: @retval/S\nF: 11e9 f\nwhat\n"))
	f := m.debug[0x249a]
	if f == nil || f.args != "arg1/p%RSI,arg2%RDX" || f.results != "retval/S" || !m.debugSpecs {
		t.Errorf("%+v", f)
	}
	if s := m.Symbols[1]; s.File != "cpp.cpp" || s.Line != 39 {
		t.Errorf("%s:%d", s.File, s.Line)
	}
	if m.Enums["kind"] != "kind {food,tool=5,book}" {
		t.Errorf("%v", m.Enums)
	}
	if d := r.Damage(); len(d) != 1 {
		t.Errorf("%v", d)
	}
}

func TestExternLines(t *testing.T) {
	for _, c := range []struct {
		line, text string
		time       uint64
		ok         bool
	}{
		{"2854.899326669 before main", "before main", 2854899326669, true},
		{"1.5 x  y", "x  y", 1500000000, true},
		{"1.1234567899 cut", "cut", 1123456789, true},
		{"7 whole", "whole", 7000000000, true},
		{"7", "", 7000000000, true},
		{"x 7", "", 0, false},
		{"99999999999999999999 far", "", 0, false},
		{"1.5x", "", 0, false},
	} {
		time, text, ok := externLine([]byte(c.line))
		if ok != c.ok || ok && (time != c.time || string(text) != c.text) {
			t.Errorf("%q: %d %q %v", c.line, time, text, ok)
		}
	}
}

// family is a program with a forked child, a thread, and a library of dlopen. The child runs
// another program.
func family() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	info := "Ftrace!\x00\x04\x00\x00\x00\x28\x00\x01\x02" + string(make([]byte, 24)) + "taskinfo:tids=10,11,12\n"
	return fstest.MapFS{
		"info": file(info),
		"task.txt": file(`SESS timestamp=1.0 pid=10 sid=aaaaaaaaaaaaaaaa exename="/p/parent"
TASK timestamp=1.0 tid=10 pid=10
TASK timestamp=1.5 tid=12 pid=10
FORK timestamp=2.0 pid=11 ppid=10
SESS timestamp=3.0 pid=11 sid=bbbbbbbbbbbbbbbb exename="/p/a_child_with_a_long_name"
TASK timestamp=3.0 tid=11 pid=11
DLOP timestamp=4.0 tid=10 sid=aaaaaaaaaaaaaaaa base=7f0000000000 libname="/l/new.so"
DLOP timestamp=2.0 tid=10 sid=aaaaaaaaaaaaaaaa base=7f0000000000 libname="/l/old.so"
`),
		"sid-aaaaaaaaaaaaaaaa.map":            file("1000-2000 r-xp 0 00:00 0 /p/parent\n2000-3000 rw-p 0 00:00 0 /p/parent\n7ff000000000-7ff000001000 rw-p 0 00:00 0 [stack]\n"),
		"sid-bbbbbbbbbbbbbbbb.map":            file("1000-2000 r-xp 0 00:00 0 /p/a_child_with_a_long_name\n"),
		"parent.sym":                          file("0000000000000100 T main\n0000000000000200 ? __sym_end\n"),
		"a_child_with_a_long_name.sym":        file("0000000000000100 T other\n0000000000000200 ? __sym_end\n"),
		"old.so.sym":                          file("0000000000000100 T old\n0000000000000200 ? __sym_end\n"),
		"new.so.sym":                          file("# path name: /else/new.so\n0000000000000100 T wrong\n0000000000000200 ? __sym_end\n"),
		"new.so-" + sum("/l/new.so") + ".sym": file("0000000000000100 T new\n0000000000000200 ? __sym_end\n"),
		"kallsyms":                            file("ffff800000001000 T kmain\nffff800000002000 ? __sym_end\n"),
		"10.dat":                              file(""), "11.dat": file(""), "12.dat": file(""),
	}
}

func sum(path string) string { return (&Module{Path: path}).suffix() }

func TestSessions(t *testing.T) {
	r, err := OpenFS(family(), "family")
	if err != nil {
		t.Fatal(err)
	}
	if d := r.Damage(); len(d) > 0 {
		t.Error(d)
	}
	for _, c := range []struct {
		tid  int32
		time uint64
		addr uint64
		want string
	}{
		{10, 5e9, 0x1100, "main"}, {10, 5e9, 0x11ff, "main"}, {10, 5e9, 0x1200, ""}, {10, 5e9, 0x10ff, ""},
		{12, 5e9, 0x1100, "main"},
		{11, 2e9, 0x1100, "main"}, {11, 3e9 - 1, 0x1100, "main"}, {11, 3e9, 0x1100, "other"},
		{11, math.MaxUint64 - 1, 0x1100, "other"},
		{11, 1e9, 0x1100, "main"}, // before the fork: the parent's
		{10, 1e9, 0x7f0000000100, ""}, {10, 2e9, 0x7f0000000100, "old"}, {10, 4e9, 0x7f0000000100, "new"},
		{10, 4e9, 0xffff800000001004, "kmain"},
	} {
		task := r.Task(c.tid)
		name := ""
		if sym, _ := task.SessionAt(c.time).Find(c.addr, c.time); sym != nil {
			name = sym.Name
		}
		if name != c.want {
			t.Errorf("task %d at %d: %x is %q, want %q", c.tid, c.time, c.addr, name, c.want)
		}
		v := (&Recording{memory: memory.New(0)}).newViews()
		for range 2 { // a miss and a hit
			if cache := v.of(task.SessionAt(c.time), c.time); cache != nil {
				if sym := cache.find(c.addr, c.time).sym; (sym == nil) != (c.want == "") ||
					sym != nil && sym.Name != c.want {
					t.Errorf("the cache has %v for %x at %d", sym, c.addr, c.time)
				}
			}
		}
	}
	if got := [...]string{r.Task(10).Comm, r.Task(11).Comm, r.Task(12).Comm}; got != [...]string{"parent",
		"a_child_with_a_", "parent"} {
		t.Errorf("names %q", got)
	}
	if p := r.Task(11); p.PPID != 10 || r.Task(12).PPID != -1 || r.Task(12).PID != 10 {
		t.Errorf("parent %d", p.PPID)
	}
}

// TestSessionsWhileReading: the names of calls change with the program and its libraries, also
// within a batch of calls of known addresses.
func TestSessionsWhileReading(t *testing.T) {
	fs := family()
	for tid, addr := range map[string]uint64{"10": 0x7f0000000100, "11": 0x1100} {
		var dat []byte
		for at := uint64(15e8); at < 5e9; at += 5e6 { // entry and exit in turn
			dat = binary.LittleEndian.AppendUint64(dat, at)
			dat = binary.LittleEndian.AppendUint64(dat, at/5e6&1|recordMark<<3|addr<<16)
		}
		fs[tid+".dat"] = &fstest.MapFile{Data: dat}
	}
	r, err := OpenFS(fs, "family")
	if err != nil {
		t.Fatal(err)
	}
	wants := map[int32]func(uint64) string{
		10: func(at uint64) string {
			switch {
			case at < 2e9:
				return ""
			case at < 4e9:
				return "old"
			}
			return "new"
		},
		11: func(at uint64) string {
			if at < 3e9 {
				return "main"
			}
			return "other"
		},
	}
	n := 0
	for rec, e := range r.Merge(MergeOptions{}).All() {
		n++
		name := ""
		if e.Sym != nil {
			name = e.Sym.Name
		}
		if want := wants[rec.Task](rec.Time); name != want {
			t.Errorf("task %d at %d: %q, want %q", rec.Task, rec.Time, name, want)
		}
	}
	if n != 2*700 {
		t.Errorf("%d records", n)
	}
}

func TestCirclesOfParentsEnd(t *testing.T) {
	fs := family()
	fs["task.txt"] = &fstest.MapFile{Data: []byte("FORK timestamp=1.0 pid=10 ppid=11\nFORK timestamp=1.0 pid=11 ppid=10\n")}
	r, err := OpenFS(fs, "circle")
	if err != nil {
		t.Fatal(err)
	}
	if s := r.Task(10).SessionAt(2e9); s != nil {
		t.Errorf("session %s", s.ID)
	}
}

func TestOptions(t *testing.T) {
	r, err := OpenFS(family(), "family", WithTIDs(12, 10, 99))
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tasks()) != 2 || r.Tasks()[0].TID != 10 || r.Tasks()[1].TID != 12 {
		t.Errorf("%d tasks", len(r.Tasks()))
	}
	fs := family()
	delete(fs, "info")
	delete(fs, "task.txt")
	if r, err = OpenFS(fs, "bare"); err != nil {
		t.Fatal(err)
	}
	if !r.Info().Missing || len(r.Tasks()) != 3 || len(r.Damage()) < 2 || len(r.Sessions()) != 2 {
		t.Errorf("%+v, %d tasks, %d sessions, %v", r.Info(), len(r.Tasks()), len(r.Sessions()), r.Damage())
	}
	if _, err := OpenFS(fstest.MapFS{"x": {}}, "empty"); err == nil {
		t.Error("a directory without records opens")
	}
}

// TestQEMU: empty values, times of 0.0, a session called 0, comments in the map, a fake stack
// (uftrace.md 5).
func TestQEMU(t *testing.T) {
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	info := "Ftrace!\x00\x04\x00\x00\x00\x28\x00\x01\x02" + string(make([]byte, 24)) +
		"exename:\nexit_status:\ncpuinfo:lines=2\ncpuinfo:nr_cpus=\ncpuinfo:desc=\ntaskinfo:lines=2\ntaskinfo:nr_tid=\ntaskinfo:tids=\n"
	fs := fstest.MapFS{
		"info":      text(info),
		"task.txt":  text("SESS timestamp=0.0 pid=1 sid=0 exename=\"guest\"\nTASK timestamp=0.0 tid=1 pid=1\nTASK timestamp=0.0 tid=2 pid=1\n"),
		"sid-0.map": text("# map of the guest\n400000-500000 r-xp 00000000 00:00 0 /guest\nfffffffff000-fffffffff000 rw-p 00000000 00:00 0 [stack]\n"),
		"guest.sym": text("0000000000000100 T start\n0000000000000200 ? __sym_end\n"),
		"1.dat":     text(""), "2.dat": text(""),
	}
	r, err := OpenFS(fs, "qemu")
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Damage()) > 0 || len(r.Tasks()) != 2 || r.Tasks()[1].Comm != "guest" {
		t.Errorf("%v, %d tasks", r.Damage(), len(r.Tasks()))
	}
	if sym, _ := r.Task(2).SessionAt(5).Find(0x400180, 5); sym == nil || sym.Name != "start" {
		t.Errorf("%v", sym)
	}
	delete(fs, "sid-0.map")
	if r, err = OpenFS(fs, "no map"); err != nil {
		t.Fatal(err)
	}
	if d := r.Damage(); len(d) != 1 || d[0].File != "no map/sid-0.map" {
		t.Errorf("%v", d)
	}
}
