// Package scripted makes recordings of ftrace from lines of text, for tests of what several events
// mean together.
//
//	0 100 7 sched_waking pid=5 comm=a
//	0 120 0 sched_switch prev_pid=0 prev_state=0 next_pid=5 next_comm=a
//
// A line has the processor, the time in nanoseconds, the thread of the event, its name and fields.
// Fields that a line leaves out are 0. The elements of an array have commas between them. A word
// irq or softirq before the name sets the context, and lost=N says that so many events were lost
// before.
package scripted

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// An Event describes an event: its system, its name, declarations such as `int pid` or
// `char comm[16]`, and the print fmt of the kernel, which may be "".
type Event struct {
	System, Name string
	Fields       []string
	Print        string
}

// Sched are the events of the scheduler, as Linux 6.18 describes them.
var Sched = []Event{
	{"sched", "sched_switch", []string{
		"char prev_comm[16]", "pid_t prev_pid", "int prev_prio", "long prev_state", "char next_comm[16]", "pid_t next_pid", "int next_prio",
	}, `"prev_comm=%s prev_pid=%d prev_prio=%d prev_state=%s%s ==> next_comm=%s next_pid=%d next_prio=%d", REC->prev_comm, REC->prev_pid, ` +
		`REC->prev_prio, (REC->prev_state & 0xff) ? __print_flags(REC->prev_state & 0xff, "|", { 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }, ` +
		`{ 0x8, "t" }, { 0x10, "X" }, { 0x20, "Z" }, { 0x40, "P" }, { 0x80, "I" }) : "R", REC->prev_state & 0x100 ? "+" : "", ` +
		`REC->next_comm, REC->next_pid, REC->next_prio`},
	{"sched", "sched_waking", []string{"char comm[16]", "pid_t pid", "int prio", "int target_cpu"}, ""},
	{"sched", "sched_wakeup", []string{"char comm[16]", "pid_t pid", "int prio", "int target_cpu"}, ""},
	{"sched", "sched_wakeup_new", []string{"char comm[16]", "pid_t pid", "int prio", "int target_cpu"}, ""},
	{"sched", "sched_process_fork", []string{"char parent_comm[16]", "pid_t parent_pid", "char child_comm[16]", "pid_t child_pid"}, ""},
	{"sched", "sched_process_exec", []string{"pid_t pid", "pid_t old_pid"}, ""},
	{"sched", "sched_process_exit", []string{"char comm[16]", "pid_t pid", "int prio"}, ""},
	{"sched", "sched_process_free", []string{"char comm[16]", "pid_t pid", "int prio"}, ""},
}

// field is a field of an event with its place in the payload.
type field struct {
	name         string
	offset, size int // of an array: of each element
	text         bool
}

// sizes are those of the types of fields, on a machine of 64 bits.
var sizes = map[string]int{
	"char": 1, "unsigned char": 1, "short": 2, "unsigned short": 2, "int": 4, "unsigned int": 4, "pid_t": 4, "dev_t": 4, "bool": 1,
	"long": 8, "unsigned long": 8, "s64": 8, "u64": 8, "u32": 4, "size_t": 8, "sector_t": 8, "void *": 8, "ktime_t": 8,
}

// layout places the fields of an event, as a C compiler does.
func layout(t testing.TB, e Event) (format string, fields []field, size int) {
	t.Helper()
	var b strings.Builder
	offset := 8
	for _, decl := range e.Fields {
		at := strings.LastIndexAny(decl, " *")
		typ, name, count := strings.TrimSpace(decl[:at+1]), decl[at+1:], 1
		declared := name
		if base, n, ok := strings.Cut(name, "["); ok {
			name = base
			count, _ = strconv.Atoi(strings.TrimSuffix(n, "]"))
		}
		one := sizes[typ]
		if one == 0 {
			t.Fatalf("%s: a field of type %q", e.Name, typ)
		}
		offset = (offset + one - 1) / one * one
		signed := 1
		if strings.HasPrefix(typ, "u") || strings.HasSuffix(typ, "*") {
			signed = 0
		}
		fmt.Fprintf(&b, "\tfield:%s %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", typ, declared, offset, one*count, signed)
		f := field{name, offset, one, typ == "char" && count > 1}
		offset += one * count
		if f.text {
			f.size = count
		}
		fields = append(fields, f)
	}
	return b.String(), fields, (offset + 3) / 4 * 4
}

// firstID is the id of the first event.
const firstID = 300

// Write writes a recording to a file and returns its path.
func Write(t testing.TB, events []Event, script string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "trace.dat")
	if err := os.WriteFile(path, Bytes(t, events, script), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Bytes returns a recording.
func Bytes(t testing.TB, events []Event, script string) []byte {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096}
	f.Options = []tracefile.Option{{ID: 5, Payload: []byte("Linux host 6.18.0 x86_64\x00")}} // UNAME
	layouts, sizes, ids := map[string][]field{}, map[string]int{}, map[string]int{}
	for i, e := range events {
		text, fields, size := layout(t, e)
		layouts[e.Name], sizes[e.Name], ids[e.Name] = fields, size, firstID+i
		print := e.Print
		if print == "" {
			print = `""`
		}
		format := fmt.Sprintf("name: %s\nID: %d\nformat:\n"+
			"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"+
			"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"+
			"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n"+
			"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n%s\nprint fmt: %s\n", e.Name, firstID+i, text, print)
		at := slices.IndexFunc(f.Systems, func(s tracefile.System) bool { return s.Name == e.System })
		if at < 0 {
			at = len(f.Systems)
			f.Systems = append(f.Systems, tracefile.System{Name: e.System})
		}
		f.Systems[at].Formats = append(f.Systems[at].Formats, format)
	}
	var pages [][]byte // by processor: a page for each event
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		l := parse(t, words)
		for len(pages) <= l.cpu {
			pages = append(pages, nil)
		}
		if layouts[l.name] == nil {
			t.Fatalf("no event %q", l.name)
		}
		page := m.NewPage(4096, l.time)
		if l.lost != 0 {
			page.Missed(l.lost)
		}
		payload := l.payload(t, m, layouts[l.name], ids[l.name], sizes[l.name])
		pages[l.cpu] = append(pages[l.cpu], page.Long(0, payload).Done()...)
	}
	b := tracefile.Buffer{Clock: "local"}
	for cpu, data := range pages {
		b.CPUs = append(b.CPUs, tracefile.CPU{ID: cpu, Pages: data})
	}
	f.CPUs, f.Buffers = len(pages), []tracefile.Buffer{b}
	return f.Bytes()
}

// line is a line of a script.
type line struct {
	cpu    int
	time   uint64
	task   int64
	name   string
	flags  byte
	lost   int64
	values map[string]string
}

func parse(t testing.TB, words []string) line {
	t.Helper()
	number := func(text string) int64 {
		n, err := strconv.ParseInt(text, 0, 64)
		if err != nil {
			t.Fatal(words, err)
		}
		return n
	}
	l := line{cpu: int(number(words[0])), time: uint64(number(words[1])), task: number(words[2]), values: map[string]string{}}
	for _, w := range words[3:] {
		name, value, given := strings.Cut(w, "=")
		switch {
		case w == "irq":
			l.flags |= 8
		case w == "softirq":
			l.flags |= 16
		case name == "lost":
			l.lost = number(value)
		case given:
			l.values[name] = value
		default:
			l.name = w
		}
	}
	return l
}

// payload returns the record of a line.
func (l *line) payload(t testing.TB, m tracefile.Machine, fields []field, id, size int) []byte {
	t.Helper()
	b := make([]byte, size)
	o := m.Order()
	copy(b, o.AppendUint16(nil, uint16(id)))
	b[2] = l.flags
	copy(b[4:], o.AppendUint32(nil, uint32(l.task)))
	used := 0
	for _, f := range fields {
		text, ok := l.values[f.name]
		if !ok {
			continue
		}
		used++
		if f.text {
			copy(b[f.offset:f.offset+f.size-1], text)
			continue
		}
		for i, text := range strings.Split(text, ",") {
			n, err := strconv.ParseInt(text, 0, 64)
			if err != nil {
				u, failed := strconv.ParseUint(text, 0, 64)
				if failed != nil {
					t.Fatal(l.name, f.name, err)
				}
				n = int64(u)
			}
			copy(b[f.offset+i*f.size:][:f.size], o.AppendUint64(nil, uint64(n)))
		}
	}
	if used != len(l.values) {
		t.Fatalf("%s has not all fields of %v", l.name, l.values)
	}
	return b
}
