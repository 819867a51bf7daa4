package perfetto_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
)

// format returns the description of an event with fields of 4 bytes, and texts of 8 bytes.
func format(name string, id int, fields ...string) string {
	head, _, _ := strings.Cut(tracefile.Format(name, id), "\tfield:int value;")
	offset := 8
	for _, f := range fields {
		size := 4
		if strings.HasPrefix(f, "char ") {
			f, size = f+"[8]", 8
		}
		head += fmt.Sprintf("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:1;\n", f, offset, size)
		offset += size
	}
	return head + "\nprint fmt: \"\"\n"
}

// openHostile opens a recording of events that no real kernel records.
func openHostile(t *testing.T) *ftrace.Recording {
	m := tracefile.Machine{Word: 8}
	var wide []string
	for i := range 40 {
		wide = append(wide, fmt.Sprintf("int f%d", i))
	}
	odd := "<b>\xff\"'"
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 1,
		Ftrace: []string{format("print", 5, "int ip", "char buf")},
		Systems: []tracefile.System{
			{Name: "kprobes", Formats: []string{format("sched_switch", 300, "int prev_pid", "int next_pid")}},
			{Name: odd, Formats: []string{format("wide", 301, wide...), format("bare", 302),
				format("text", 303, "char s")}},
			{Name: "sched", Formats: []string{format("sched_switch", 304, "char prev_comm", "int prev_pid",
				"int next_pid", "int unheard_of")}},
		}, Cmdlines: "7 seven\n8 \xfe\xfd\n"}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]"}}
	page := m.NewPage(4096, 1000)
	text := []uint32{0xfffefd41, 0x42424242}
	for n := range 3 {
		full := make([]uint32, 40)
		for i := range full {
			full[i] = uint32(i * n)
		}
		page.Event(10, m.Payload(300, 7, 7, 8))
		page.Event(10, m.Payload(301, -1, full[:13*n]...)) // short, except the last one
		page.Long(10, m.Payload(301, 1<<30, full...))
		page.Event(10, m.Payload(302, 0))
		page.Event(10, m.Payload(303, 8, text...))
		page.Event(10, m.Payload(303, 8, text[:1]...)) // short
		page.Event(10, m.Payload(304, 7, append(text, 7, 7, 5)...))
		page.Event(10, m.Payload(304, 7))            // short
		page.Event(10, m.Payload(999, 7, 1, 2, 3))   // no description
		page.Event(10, m.Payload(5, 7, 0, 0x317c42)) // B|1 and nothing else
	}
	f.Buffers[0].CPUs = []tracefile.CPU{{ID: 0, Pages: page.Done()}}
	b := f.Bytes()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "hostile")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// TestHostile: short records, events without a description, events with too many fields and texts
// that are not UTF-8.
func TestHostile(t *testing.T) {
	rec := openHostile(t)
	compare(t, rec, 30)
	tr := decodeTrace(t, export(t, rec))
	generic := 0
	for _, w := range tr.events[place{}] {
		for _, m := range w.kind.members {
			if !w.kind.typed && m.kind == "" {
				t.Errorf("%s has a field without a type", w.kind.name)
			}
		}
		if !w.kind.typed {
			generic++
		}
	}
	if generic != 24 { // sched:sched_switch has a message
		t.Errorf("%d events describe themselves", generic)
	}
	if tr.names[7] != "seven" || tr.names[8] != "\uFFFD" {
		t.Errorf("threads %v", tr.names)
	}
}

// TestHostileEngine: the trace processor accepts all of them.
func TestHostileEngine(t *testing.T) {
	e := startEngine(t, "v55")
	rec := openHostile(t)
	want := map[string]int{}
	for ev := range newReader(t, rec).All() {
		want[ev.Type.Name]++
	}
	a := e.ask(t, export(t, rec), "select name, count(*) from ftrace_event group by name",
		"select name, value from stats where severity in ('error', 'data_loss') and value > 0 and name != 'mismatched_sched_switch_tids'")
	if t.Failed() {
		return
	}
	compareCounts(t, counts(a.Results[0].Rows), want)
	for _, row := range a.Results[1].Rows {
		t.Errorf("%v: %v", row[0], row[1])
	}
}
