// Package scripted makes recordings of ftrace from lines of text, for tests with several events.
//
//	comm 5 a
//	0 100 7 sched_waking pid=5 comm=a
//	0 120 0 sched_switch prev_pid=0 prev_state=0 next_pid=5 next_comm=a
//	1 130 7 lost=3 softirq_entry 4
//
// A line has the processor, the time in nanoseconds, the thread of the event, its name and fields.
// Either each value has the name of its field, or the values of all fields are in their order.
// Missing named fields are 0. Commas separate the elements of an array.
//
// Words before the name have further meanings. irq or softirq is the context. lost=N means that N
// events were lost before. cut means that the record ends in the middle of its fields. A line with
// comm has the number and the name of a thread. A line with string has the address and the text of
// a string of the kernel, which is not part of an event.
package scripted

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// An Event describes an event: its system, its name, declarations such as `int pid, char comm[16]`,
// and the print fmt of the kernel, which may be "".
type Event struct{ System, Name, Fields, Print string }

// Open opens a recording of a script.
func Open(t testing.TB, events []Event, script string) *tracec.Recording {
	t.Helper()
	rec, err := tracec.OpenReader(t.Context(), bytes.NewReader(write(t, events, script)))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// firstID is the id of the first event.
const firstID = 300

// write returns a trace.dat.
func write(t testing.TB, events []Event, script string) []byte {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: pageSize}
	f.Options = []tracefile.Option{{ID: 5, Payload: []byte("Linux host 6.18.0 x86_64\x00")}} // option UNAME
	layouts := map[string]*layout{}
	for i, e := range events {
		l := place(t, e, firstID+i)
		layouts[e.Name] = l
		if e.System == "ftrace" {
			f.Ftrace = append(f.Ftrace, l.format)
			continue
		}
		at := slices.IndexFunc(f.Systems, func(s tracefile.System) bool { return s.Name == e.System })
		if at < 0 {
			at = len(f.Systems)
			f.Systems = append(f.Systems, tracefile.System{Name: e.System})
		}
		f.Systems[at].Formats = append(f.Systems[at].Formats, l.format)
	}
	var cpus []pages
	for text := range strings.Lines(script) {
		words := strings.Fields(text)
		switch {
		case len(words) == 0 || words[0][0] == '#':
			continue
		case words[0] == "comm":
			f.Cmdlines += strings.Join(words[1:], " ") + "\n"
			continue
		case words[0] == "string":
			f.Printk += fmt.Sprintf("%s : %q\n", words[1], strings.Join(words[2:], " "))
			continue
		}
		l := parse(t, words)
		if layouts[l.name] == nil {
			t.Fatalf("no event %q", l.name)
		}
		for len(cpus) <= l.cpu {
			cpus = append(cpus, pages{})
		}
		cpus[l.cpu].add(m, &l, layouts[l.name].record(t, m, &l))
	}
	b := tracefile.Buffer{Clock: "local"}
	for id := range cpus {
		b.CPUs = append(b.CPUs, tracefile.CPU{ID: id, Pages: cpus[id].done()})
	}
	f.CPUs, f.Buffers = len(cpus), []tracefile.Buffer{b}
	return f.Bytes()
}

const pageSize = 4096

// pages are the pages of a processor.
type pages struct {
	data []byte
	page *tracefile.Page // the last page; nil at first
	room int             // free bytes in the page
	last uint64          // last time in the page
}

// add appends a record. Losses are at the start of a page, and times within it grow by at most 27
// bits.
func (p *pages) add(m tracefile.Machine, l *line, record []byte) {
	size := len(record) + 12 // with the header, the length and padding
	if p.page == nil || p.room < size || l.lost != 0 || l.time < p.last || l.time-p.last >= 1<<27 {
		p.data = p.done()
		p.page, p.room, p.last = m.NewPage(pageSize, l.time), pageSize-m.Header(), l.time
		if l.lost != 0 {
			p.page.Missed(l.lost)
			p.room -= m.Word // space for the number of losses
		}
	}
	p.page.Long(uint32(l.time-p.last), record)
	p.room -= size
	p.last = l.time
}

// done returns the pages.
func (p *pages) done() []byte {
	if p.page == nil {
		return nil
	}
	return append(p.data, p.page.Done()...)
}
