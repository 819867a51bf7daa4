package ftrace_test

import (
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
	"github.com/tracec/tracec/runtime/render"
)

// oldEvent is one event of a file in testdata/oldkernels: a format file in the form that this
// kernel writes, and records with the text that the kernel prints for them.
type oldEvent struct {
	system, name, format string
	cases                [][2]string // the fields of a record, the text
}

// readOldKernel reads "target: le64", then for each event "-- system/name --", its format, and "--
// cases --". For each record follows a line with its fields, then a line with a tab and its text,
// in which \n means a newline.
func readOldKernel(t *testing.T, path string) (ir.Target, []oldEvent) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n-- ")
	_, name, _ := strings.Cut(head, "target: ")
	target, ok := map[string]ir.Target{
		"le64": {WordSize: 8}, "be64": {WordSize: 8, BigEndian: true}, "le32": {WordSize: 4},
		"be32": {WordSize: 4, BigEndian: true},
	}[strings.TrimSpace(name)]
	if !ok {
		t.Fatalf("%s: no target %q", path, name)
	}
	var events []oldEvent
	parts := strings.Split(rest, "\n-- ")
	for i := 0; i+1 < len(parts); i += 2 {
		title, format, _ := strings.Cut(parts[i], " --\n")
		_, cases, _ := strings.Cut(parts[i+1], " --\n")
		ev := oldEvent{format: format + "\n"}
		ev.system, ev.name, _ = strings.Cut(title, "/")
		for pair := range strings.SplitSeq(strings.TrimSuffix(cases, "\n"), "\n\t") {
			ev.cases = append(ev.cases, [2]string{pair})
		}
		for n := range len(ev.cases) - 1 { // the text of a case and the fields of the next are in one part
			want, fields, _ := strings.Cut(ev.cases[n+1][0], "\n")
			ev.cases[n][1], ev.cases[n+1][0] = strings.ReplaceAll(want, `\n`, "\n"), fields
		}
		ev.cases = ev.cases[:len(ev.cases)-1]
		events = append(events, ev)
	}
	return target, events
}

// recordBuilder makes the record of an event.
type recordBuilder struct {
	t     *testing.T
	ev    *ir.Event
	order byteOrder
	data  []byte
}

// build sets the fields that line lists: name=12, name="text", name=hex:00ff, name=[1,2] (numbers
// of the size of an element) or name=u32[1,2].
func (b *recordBuilder) build(line string) []byte {
	b.t.Helper()
	b.data = make([]byte, (b.ev.Size+3)&^3)
	for line != "" {
		name, rest, ok := strings.Cut(line, "=")
		if !ok {
			b.t.Fatalf("%s: no field in %q", b.ev.Name, line)
		}
		value := rest
		if strings.HasPrefix(rest, `"`) {
			value, _ = strconv.QuotedPrefix(rest)
		} else {
			value, _, _ = strings.Cut(rest, " ")
		}
		line = strings.TrimPrefix(rest[len(value):], " ")
		b.set(b.field(name), value)
	}
	return b.data
}

func (b *recordBuilder) field(name string) *ir.Field {
	b.t.Helper()
	for _, f := range b.ev.Fields {
		if f.Name == name {
			return f
		}
	}
	b.t.Fatalf("%s: no field %q", b.ev.Name, name)
	return nil
}

func (b *recordBuilder) set(f *ir.Field, value string) {
	b.t.Helper()
	var bytes []byte
	switch kind, list, isList := strings.Cut(value, "["); {
	case strings.HasPrefix(value, `"`):
		s, err := strconv.Unquote(value)
		if err != nil {
			b.t.Fatal(err)
		}
		bytes = []byte(s)
		if f.Kind == ir.Dynamic {
			bytes = append(bytes, 0)
		}
	case strings.HasPrefix(value, "hex:"):
		var err error
		if bytes, err = hex.DecodeString(value[4:]); err != nil {
			b.t.Fatal(err)
		}
	case isList:
		size := map[string]int{"": f.Elem, "u32": 4}[kind]
		for v := range strings.SplitSeq(strings.TrimSuffix(list, "]"), ",") {
			bytes = append(bytes, b.number(v, size)...)
		}
	default:
		bytes = b.number(value, f.Size)
	}
	if f.Kind == ir.Dynamic {
		at := len(b.data)
		if f.Rel {
			at -= f.Offset + f.Size
		}
		b.order.PutUint32(b.data[f.Offset:], uint32(len(bytes)<<16|at))
		b.data = append(b.data, bytes...)
		b.data = append(b.data, make([]byte, -len(b.data)&3)...)
		return
	}
	if len(bytes) > f.Size {
		b.t.Fatalf("%s.%s: %d bytes for %d", b.ev.Name, f.Name, len(bytes), f.Size)
	}
	copy(b.data[f.Offset:], bytes)
}

// number is v in size bytes.
func (b *recordBuilder) number(v string, size int) []byte {
	b.t.Helper()
	n, err := strconv.ParseInt(v, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(v, 0, 64)
		if err != nil {
			b.t.Fatal(err)
		}
		n = int64(u)
	}
	d := b.order.AppendUint64(nil, uint64(n))
	if b.order == binary.LittleEndian {
		return d[:size]
	}
	return d[8-size:]
}

// AppendUint64 is not part of binary.ByteOrder.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

// oldTables are the symbols and strings of every kernel here.
type oldTables struct{}

func (oldTables) Symbol(addr uint64) (string, uint64, bool) {
	for name, start := range map[string]uint64{"do_work": 0xffffffff81000000, "hr_fn": 0xc1000000} {
		if addr >= start && addr < start+0x100 {
			return name, addr - start, true
		}
	}
	return "", 0, false
}

func (oldTables) String(addr uint64) (string, bool) { return "rcu_sched", addr == 0xffffffff81f00000 }

// TestOldKernels: formats from 2.6.32 on, of all machines. No event may fall back to raw fields,
// and every text must equal the output of the kernel. Values from kernel memory are shown as C.
func TestOldKernels(t *testing.T) {
	files, err := filepath.Glob("testdata/oldkernels/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			target, events := readOldKernel(t, path)
			for _, e := range events {
				t.Run(e.system+":"+e.name, func(t *testing.T) { checkOldEvent(t, target, e) })
			}
		})
	}
}

func checkOldEvent(t *testing.T, target ir.Target, e oldEvent) {
	ev, list := ftrace.CompileEvent(e.system, e.name, []byte(e.format), target)
	if ev == nil || !ev.HasText {
		t.Fatalf("no text: %v", list)
	}
	for _, d := range list {
		if d.Severity != diag.Note {
			t.Errorf("%v", d)
		}
	}
	p, err := interp.Compile(ev, target)
	if err != nil {
		t.Fatal(err)
	}
	b := &recordBuilder{t: t, ev: ev, order: binary.LittleEndian}
	if target.BigEndian {
		b.order = binary.BigEndian
	}
	env := &render.Env{BigEndian: target.BigEndian, WordSize: target.WordSize, Symbols: oldTables{},
		Strings: oldTables{}}
	m := interp.NewMachine(env)
	for _, c := range e.cases {
		if got := string(m.AppendText(nil, p, b.build(c[0]))); got != c[1] {
			t.Errorf("%s\n got %q\nwant %q\n%v", c[0], got, c[1], list)
		}
	}
}
