package exporttest

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/record"
)

// kind is a kind of events for made-up recordings. A field is `type name`, with 8 bytes.
type kind struct {
	system, name string
	fields       []string
	text         string // print fmt
}

var kinds = []kind{
	{"ftrace", "funcgraph_entry", []string{"unsigned long func", "long depth"}, `"%lx", REC->func`},
	{"ftrace", "funcgraph_exit", []string{
		"unsigned long func", "long depth", "unsigned long calltime", "unsigned long rettime",
	}, `"%lx", REC->func`},
	{"raw_syscalls", "sys_enter", []string{"long id"}, `"NR %ld", REC->id`},
	{"raw_syscalls", "sys_exit", []string{"long id"}, `"NR %ld", REC->id`},
	{"sched", "sched_switch", []string{"long prev_pid", "long prev_state", "long next_pid"},
		`"%s", __print_flags(REC->prev_state & 0xff, "|", { 0x01, "S" }, { 0x10, "X" }, { 0x20, "Z" })`},
	{"sched", "sched_process_exit", []string{"long pid"}, `"%ld", REC->pid`},
	{"sched", "sched_process_fork", []string{"long child_pid"}, `"%ld", REC->child_pid`},
	{"irq", "softirq_entry", []string{"long vec"}, `"%ld", REC->vec`},
	{"irq", "softirq_exit", []string{"long vec"}, `"%ld", REC->vec`},
	{"block", "block_io_start", []string{"long sector"}, `"%ld", REC->sector`},
	{"block", "block_io_done", []string{"long sector"}, `"%ld", REC->sector`},
	{"lock", "contention_begin", []string{"long lock"}, `"%ld", REC->lock`},
	{"lock", "contention_end", []string{"long lock"}, `"%ld", REC->lock`},
	{"probes", "f_entry", []string{"unsigned long __probe_ip"}, `"%lx", REC->__probe_ip`},
	{"probes", "f_exit", []string{"unsigned long __probe_func"}, `"%lx", REC->__probe_func`},
}

func (k kind) format(id int) string {
	text := tracefile.Format(k.name, id)
	head, _, _ := strings.Cut(text, "\tfield:int value")
	for i, f := range k.fields {
		signed := 1
		if strings.HasPrefix(f, "unsigned") {
			signed = 0
		}
		head += fmt.Sprintf("\tfield:%s;\toffset:%d;\tsize:8;\tsigned:%d;\n", f, 8+8*i, signed)
	}
	return head + "\nprint fmt: " + k.text + "\n"
}

// Event is an event of a made-up recording.
type Event struct {
	Time   uint64
	Task   int32
	Name   string
	Flags  byte // common_flags
	Lost   bool // events were lost before it
	Values []uint64
}

const firstID = 300

// Made returns a recording of ftrace with these events, from one processor of x86_64. The functions
// at 0xa0, 0xb0, 0xc0 and 0xd0 are a to d.
func Made(t testing.TB, events []Event) record.Recording {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 1}
	f.Options = []tracefile.Option{{ID: 5, Payload: []byte("Linux host 6.12 x86_64\x00")}} // option UNAME
	f.Kallsyms = "00000000000000a0 T a\n00000000000000b0 T b\n00000000000000c0 T c\n00000000000000d0 T d\n"
	ids := map[string]uint16{}
	for i, k := range kinds {
		ids[k.name] = uint16(firstID + i)
		format := k.format(firstID + i)
		at := slices.IndexFunc(f.Systems, func(s tracefile.System) bool { return s.Name == k.system })
		switch {
		case k.system == "ftrace":
			f.Ftrace = append(f.Ftrace, format)
		case at < 0:
			f.Systems = append(f.Systems, tracefile.System{Name: k.system, Formats: []string{format}})
		default:
			f.Systems[at].Formats = append(f.Systems[at].Formats, format)
		}
	}
	var pages []byte
	var page *tracefile.Page
	last := uint64(0)
	for _, e := range events {
		if page == nil || e.Lost {
			if page != nil {
				pages = append(pages, page.Done()...)
			}
			if page, last = m.NewPage(4096, e.Time), e.Time; e.Lost {
				page.Missed(3)
			}
		}
		b := m.Payload(ids[e.Name], e.Task)
		b[2] = e.Flags
		for _, v := range e.Values {
			b = binary.LittleEndian.AppendUint64(b, v)
		}
		page.Event(uint32(e.Time-last), b)
		last = e.Time
	}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]", CPUs: []tracefile.CPU{{Pages: append(pages, page.Done()...)}}}}
	name := filepath.Join(t.TempDir(), "made.dat")
	if err := os.WriteFile(name, f.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return Open(t, name)
}

// EndsAlone returns calls of which only the ends are recorded, and one complete call:
//
//	a 10-125
//	  b 15-120
//	    c 30-100
//	    d 110-115
func EndsAlone() []Event {
	of := func(time uint64, name string, values ...uint64) Event {
		return Event{Time: time, Task: 7, Name: "funcgraph_" + name, Values: values}
	}
	return []Event{
		of(100, "exit", 0xc0, 2, 20, 90), of(110, "entry", 0xd0, 2), of(115, "exit", 0xd0, 2, 110, 115),
		of(120, "exit", 0xb0, 1, 15, 120), of(125, "exit", 0xa0, 0, 10, 125),
	}
}
