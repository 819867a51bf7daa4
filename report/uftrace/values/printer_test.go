package values_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/tracec/tracec/report/uftrace/values"
	"github.com/tracec/tracec/runtime/uftrace"
)

// recording returns a recording without records: a program of three functions at 0x1000.
func recording(t testing.TB) *uftrace.Recording {
	t.Helper()
	info := "Ftrace!\x00\x04\x00\x00\x00\x28\x00\x01\x02\x7b\x02\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x00\x00\x00\x00\x00\x04\x00\x00\x00\x00\x00\x00" +
		"taskinfo:lines=2\ntaskinfo:nr_tid=1\ntaskinfo:tids=7\n"
	r, err := uftrace.OpenFS(fstest.MapFS{
		"info":     {Data: []byte(info)},
		"task.txt": {Data: []byte("SESS timestamp=1.000000000 pid=7 sid=0123456789abcdef exename=\"/p\"\nTASK timestamp=1.000000001 tid=7 pid=7\n")},
		"sid-0123456789abcdef.map": {Data: []byte("1000-2000 r-xp 00000000 00:00 0 /p\n" +
			"7ffe0330d000-7ffe0332e000 rw-p 00000000 00:00 0 [stack]\n")},
		"p.sym": {Data: []byte("0000000000000000 T f\n0000000000000040 T _Zli3_kby\n0000000000000080 T g\n00000000000000c0 ? __sym_end\n")},
		"7.dat": {},
	}, "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	if len(r.Symbols()) < 3 || len(r.Sessions()) != 1 {
		t.Fatalf("%d symbols, %d sessions", len(r.Symbols()), len(r.Sessions()))
	}
	return r
}

func TestPrinter(t *testing.T) {
	r := recording(t)
	sess := r.Sessions()[0]
	f, _ := sess.Find(0x1000, 2e9)
	if f == nil {
		t.Fatal("no function at 0x1000")
	}
	f.Args = []uftrace.Spec{{Index: 1, Format: 'p', Size: 8}, {Index: 2, Format: 'i', Size: 4}}
	literal, _ := sess.Find(0x1040, 2e9)
	name := literal.Simple
	if !strings.HasSuffix(name, `operator""`) {
		t.Fatalf("the literal operator is called %s", name)
	}
	pointer := []byte("\x44\x10\x00\x00\x00\x00\x00\x00\x07\x00\x00\x00")
	for _, c := range []struct {
		form  values.Form
		sess  *uftrace.Session
		named bool
		data  []byte
		want  string
		short bool
	}{
		{values.Replay, sess, false, pointer, "&" + name + ", 7", false},
		{values.JSON, sess, false, pointer, "&" + strings.ReplaceAll(name, `"`, `\"`) + ", 7", false},
		{values.Replay, sess, true, pointer, `&_Zli3_kby, 7`, false},
		{values.Dump, sess, false, pointer, "  args[0] p: 1044 (&" + name + ")\n  args[1] i32: 0x00000007\n", false},
		{values.Replay, nil, false, pointer, `0x1044, 7`, false},
		{values.Replay, sess, false, pointer[:9], ``, true},
		{values.Replay, sess, false, nil, ``, true},
	} {
		p := values.New(r, c.form, values.V013)
		if c.named {
			p.SetName(func(s *uftrace.Symbol) string { return s.Name })
		}
		for range 2 { // the second one is compiled
			if got := string(p.AppendArgs([]byte("> "), c.sess, 2e9, f, c.data)); got != "> "+c.want ||
				p.Short() != c.short {
				t.Errorf("form %d of %x: %q, short %v", c.form, c.data, got, p.Short())
			}
		}
		if got := p.AppendResult(nil, c.sess, 2e9, f, c.data); len(got) != 0 {
			t.Errorf("a function without results shows %q", got)
		}
		if got := p.AppendArgs(nil, c.sess, 2e9, nil, c.data); len(got) != 0 {
			t.Errorf("no function shows %q", got)
		}
	}
	p := values.New(r, values.Replay, values.V013)
	for _, id := range []uint32{0, 5, 100000, 100014, 200001, 1000000, 1<<32 - 1} {
		if got := p.AppendEvent(nil, sess, 2e9, id, pointer); len(got) != 0 {
			t.Errorf("event %d shows %q", id, got)
		}
	}
	if got := string(p.AppendCallsite(nil, sess, 2e9, pointer)); got != name+"+0x4" {
		t.Errorf("callsite %q", got)
	}
	f.Results = []uftrace.Spec{{Result: true, Format: '?', Size: 8}}
	if got := p.AppendResult(nil, sess, 2e9, f, pointer); len(got) != 0 {
		t.Errorf("a result of an unknown format shows %q", got)
	}
}

// TestAllocatesNothing: in the steady state, printing does not allocate.
func TestAllocatesNothing(t *testing.T) {
	r := recording(t)
	sess := r.Sessions()[0]
	f, _ := sess.Find(0x1000, 2e9)
	f.Args = []uftrace.Spec{{Index: 1, Format: 'i', Size: 4}, {Index: 2, Format: 's'},
		{Float: true, Index: 1, Format: 'f', Size: 8}, {Index: 3, Format: 'p', Size: 8}}
	data := []byte("\x01\x00\x00\x00\x02\x00ab\x00\x00\x00\x00\x00\x00\x04\x40\x44\x10\x00\x00\x00\x00\x00\x00")
	p := values.New(r, values.Replay, values.V013)
	buf := make([]byte, 0, 256)
	if n := testing.AllocsPerRun(100, func() {
		buf = p.AppendArgs(buf[:0], sess, 2e9, f, data)
		p.AppendEvent(buf, sess, 2e9, 100011, data)
		p.AppendCallsite(buf, sess, 2e9, data)
	}); n != 0 {
		t.Errorf("%v allocations for %q", n, buf)
	}
	if want := `1, "ab", 2.500000, &`; !strings.HasPrefix(string(buf), want) {
		t.Errorf("%q, want %q", buf, want)
	}
}
