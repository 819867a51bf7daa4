package tables_test

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// madeFormats are descriptions of events for made recordings: the fields are TYPE NAME, with the
// types of sizeOf. After a colon comes what prints the values.
var madeFormats = []struct{ system, name, fields string }{
	{"ftrace", "osnoise", "u64 noise, u64 runtime, u64 max_sample, u32 hw_count, u32 nmi_count, u32 irq_count, u32 softirq_count, u32 thread_count"},
	{"ftrace", "timerlat", "u32 seqnum, s32 context, u64 timer_latency"},
	{"irq", "irq_handler_entry", "s32 irq, text name"},
	{"irq", "irq_handler_exit", "s32 irq, s32 ret"},
	{"irq", "softirq_raise", "u32 vec"},
	{"irq", "softirq_entry", "u32 vec: __print_symbolic(REC->vec, { 1, \"TIMER\" }, { 4, \"BLOCK\" })"},
	{"irq", "softirq_exit", "u32 vec: __print_symbolic(REC->vec, { 1, \"TIMER\" }, { 4, \"BLOCK\" })"},
	{"irq", "tasklet_entry", "ptr tasklet, ptr func"},
	{"irq", "tasklet_exit", "ptr tasklet, ptr func"},
	{"irq_vectors", "local_timer_entry", "s32 vector"},
	{"irq_vectors", "local_timer_exit", "s32 vector"},
	{"irq_vectors", "vector_setup", "u32 irq"},
	{"timer", "hrtimer_start", "ptr hrtimer, ptr function, s64 expires"},
	{"timer", "hrtimer_cancel", "ptr hrtimer"},
	{"timer", "hrtimer_expire_entry", "ptr hrtimer, s64 now, ptr function"},
	{"timer", "hrtimer_expire_exit", "ptr hrtimer"},
	{"workqueue", "workqueue_queue_work", "ptr work, ptr function"},
	{"workqueue", "workqueue_activate_work", "ptr work, ptr function"},
	{"workqueue", "workqueue_execute_start", "ptr work, ptr function"},
	{"workqueue", "workqueue_execute_end", "ptr work, ptr function"},
	{"block", "block_bio_queue", "u32 dev, u64 sector, u32 nr_sector, text rwbs"},
	{"block", "block_getrq", "u32 dev, u64 sector, u32 nr_sector, text rwbs"},
	{"block", "block_bio_backmerge", "u32 dev, u64 sector, u32 nr_sector, text rwbs"},
	{"block", "block_bio_frontmerge", "u32 dev, u64 sector, u32 nr_sector, text rwbs"},
	{"block", "block_bio_remap", "u32 dev, u64 sector, u32 nr_sector, u32 old_dev, u64 old_sector, text rwbs"},
	{"block", "block_io_start", "u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs"},
	{"block", "block_io_done", "u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs"},
	{"block", "block_rq_insert", "u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs"},
	{"block", "block_rq_merge", "u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs"},
	{"block", "block_rq_issue", "u32 dev, u64 sector, u32 nr_sector, u32 bytes, text rwbs"},
	{"block", "block_rq_requeue", "u32 dev, u64 sector, u32 nr_sector, text rwbs"},
	{"block", "block_rq_complete", "u32 dev, u64 sector, u32 nr_sector, s32 error, text rwbs"},
	{"lock", "contention_begin", "ptr lock_addr, u32 flags: __print_flags(REC->flags, \"|\", { 1, \"SPIN\" }, { 4, \"WRITE\" }, { 32, \"MUTEX\" })"},
	{"lock", "contention_end", "ptr lock_addr, s32 ret"},
	{"lock", "lock_acquire", "u32 flags, text name, ptr lockdep_addr"},
	{"lock", "lock_contended", "text name, ptr lockdep_addr"},
	{"lock", "lock_acquired", "text name, ptr lockdep_addr"},
	{"lock", "lock_release", "text name, ptr lockdep_addr"},
	{"exceptions", "page_fault_kernel", "u64 address, u64 ip, u64 error_code"},
	{"exceptions", "page_fault_user", "u64 address, u64 ip, u64 error_code"},
	{"osnoise", "irq_noise", "u64 start, u64 duration, text desc, s32 vector"},
	{"osnoise", "thread_noise", "text comm, u64 start, u64 duration, u32 pid"},
	{"osnoise", "sample_threshold", "u64 start, u64 duration, u64 interference"},
	{"sched", "sched_process_free", "text comm, s32 pid, s32 prio"},
	{"sched", "sched_process_fork", "text comm, s32 pid, text child_comm, s32 child_pid"},
}

// madeFormat is an event of a made recording.
type madeFormat struct {
	id          uint16
	names       []string // of the fields
	types       []string
	description string
}

// sizeOf returns the size and the C declaration of a field.
func sizeOf(typ, name string) (size int, decl string) {
	switch typ {
	case "u32":
		return 4, "unsigned int " + name
	case "s32":
		return 4, "int " + name
	case "s64":
		return 8, "s64 " + name
	case "ptr":
		return 8, "void * " + name
	case "text":
		return 16, "char " + name + "[16]"
	}
	return 8, "u64 " + name
}

// describe makes the description of an event.
func describe(i int) madeFormat {
	fields, prints, named := strings.Cut(madeFormats[i].fields, ": ")
	f := madeFormat{id: uint16(300 + i)}
	text, offset := tracefile.Format(madeFormats[i].name, 300+i), 8
	text, _, _ = strings.Cut(text, "\tfield:int value")
	for _, field := range strings.Split(fields, ", ") {
		typ, name, _ := strings.Cut(field, " ")
		size, decl := sizeOf(typ, name)
		signed := 0
		if typ[0] == 's' {
			signed = 1
		}
		text += fmt.Sprintf("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", decl, offset, size, signed)
		f.names, f.types = append(f.names, name), append(f.types, typ)
		offset += size
	}
	if text += "\nprint fmt: \"\"\n"; named {
		text = strings.TrimSuffix(text, "\"\"\n") + "\"%s\", " + prints + "\n"
	}
	f.description = text
	return f
}

// madeOf opens a recording of events. A line is TIME CPU THREAD EVENT VALUES, in the order of the
// fields; lines of a processor are in the order of time. LOST before it says that events are
// missing. The events of systems in without are not described.
func madeOf(t testing.TB, text string, without ...string) *tracec.Recording {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 3}
	f.Cmdlines = "7 seven\n8 eight\n14 ksoftirqd/0\n"
	formats := map[string]madeFormat{}
	for i, k := range madeFormats {
		if slices.Contains(without, k.name) {
			continue
		}
		d := describe(i)
		formats[k.name] = d
		at := slices.IndexFunc(f.Systems, func(s tracefile.System) bool { return s.Name == k.system })
		switch {
		case k.system == "ftrace":
			f.Ftrace = append(f.Ftrace, d.description)
		case at < 0:
			f.Systems = append(f.Systems, tracefile.System{Name: k.system, Formats: []string{d.description}})
		default:
			f.Systems[at].Formats = append(f.Systems[at].Formats, d.description)
		}
	}
	cpus := make([]madePages, f.CPUs)
	for line := range strings.Lines(text) {
		w := strings.Fields(line)
		if len(w) == 0 {
			continue
		}
		lost := w[0] == "LOST"
		if lost {
			w = w[1:]
		}
		time, _ := strconv.ParseUint(w[0], 10, 64)
		cpu, _ := strconv.Atoi(w[1])
		task, _ := strconv.Atoi(w[2])
		d, ok := formats[w[3]]
		if !ok || len(w) != 4+len(d.names) {
			t.Fatalf("%s is not an event", line)
		}
		cpus[cpu].add(m, time, lost, d.payload(m, int32(task), w[4:]))
	}
	var list []tracefile.CPU
	for i := range cpus {
		list = append(list, tracefile.CPU{ID: i, Pages: cpus[i].done()})
	}
	f.Buffers = []tracefile.Buffer{{Clock: "[local]", CPUs: list}}
	rec, err := tracec.OpenReader(t.Context(), bytes.NewReader(f.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// payload makes a record.
func (d *madeFormat) payload(m tracefile.Machine, task int32, values []string) []byte {
	b := m.Payload(d.id, task)
	for i, v := range values {
		size, _ := sizeOf(d.types[i], "")
		if d.types[i] == "text" {
			b = append(b, append([]byte(v), make([]byte, 16)...)[:16]...)
			continue
		}
		n, err := strconv.ParseInt(v, 0, 64)
		if err != nil {
			u, _ := strconv.ParseUint(v, 0, 64)
			n = int64(u)
		}
		if size == 4 {
			b = m.Order().AppendUint32(b, uint32(n))
		} else {
			b = m.Order().AppendUint64(b, uint64(n))
		}
	}
	return b
}

// madePages are the pages of a processor.
type madePages struct {
	pages []byte
	page  *tracefile.Page
	room  int
	last  uint64
}

func (p *madePages) add(m tracefile.Machine, time uint64, lost bool, payload []byte) {
	if p.page == nil || lost || p.room < 200 {
		p.done()
		if p.page, p.room, p.last = m.NewPage(4096, time), 4000, time; lost {
			p.page.Missed(3)
		}
	}
	p.page.Event(uint32(time-p.last), payload)
	p.last = time
	p.room -= len(payload) + 8
}

// done returns the pages.
func (p *madePages) done() []byte {
	if p.page != nil {
		p.pages = append(p.pages, p.page.Done()...)
		p.page = nil
	}
	return p.pages
}

// check compares columns of the rows of a table, in their order, with lines; - is NULL.
func check(t *testing.T, table tables.Any, rec *tracec.Recording, columns, want string) {
	t.Helper()
	var got []string
	for _, row := range rows(t, table, rec) {
		var cells []string
		for _, c := range strings.Fields(columns) {
			cell, ok := row[c]
			if !ok {
				t.Fatalf("%s has no column %s", table.Name(), c)
			}
			if cell == "NULL" {
				cell = "-"
			}
			cells = append(cells, cell)
		}
		got = append(got, strings.Join(cells, " "))
	}
	var list []string
	for line := range strings.Lines(want) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	if d := gocmp.Diff(list, got); d != "" {
		t.Error(d)
	}
}
