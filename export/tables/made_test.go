package tables_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/internal/testkit/tracefile"
)

// kinds are the events of made recordings. Each field has 8 bytes.
var kinds = []struct{ system, name, fields string }{
	{"raw_syscalls", "sys_enter", "long id; unsigned long args[6]"},
	{"raw_syscalls", "sys_exit", "long id; long ret"},
	{"syscalls", "sys_enter_read", "long __syscall_nr; unsigned int fd; char * buf; size_t count"},
	{"syscalls", "sys_exit_read", "long __syscall_nr; long ret"},
	{"syscalls", "sys_enter_newfstat", "long __syscall_nr; unsigned int fd; struct stat * statbuf"},
	{"syscalls", "sys_exit_newfstat", "long __syscall_nr; long ret"},
	{"syscalls", "sys_enter_rt_sigreturn", "long __syscall_nr"},
	{"syscalls", "sys_exit_rt_sigreturn", "long __syscall_nr; long ret"},
	{"syscalls", "sys_enter_semget", "long nr; long id"},
	{"sched", "sched_process_exit", "long pid"},
	{"sched", "sched_process_fork", "long pid; long child_pid"},
	{"sched", "sched_process_exec", "long pid; long old_pid"},
	{"sched", "sched_process_free", "long pid"},
}

const firstKind = 300

// made returns a recording of x86_64 with an event in each line: time, thread, name and values of
// fields. A thread may have @ and a processor, and a name may have ! for lost events before it. Only
// the systems that occur are described.
func made(t testing.TB, text string) *tracec.Recording {
	t.Helper()
	m := tracefile.Machine{Word: 8}
	f := tracefile.File{Machine: m, Version: 6, PageSize: 4096, CPUs: 2, Ftrace: []string{tracefile.Format("print", 5)}}
	f.Options = []tracefile.Option{{ID: 5, Payload: []byte("Linux host 6.12 x86_64\x00")}} // UNAME
	ids, used := map[string]uint16{}, map[string]bool{}
	for i, k := range kinds {
		ids[k.name] = uint16(firstKind + i)
	}
	cpus := make([]stream, 2)
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		task, cpu, _ := strings.Cut(words[1], "@")
		name, lost := strings.CutPrefix(words[2], "!")
		id, ok := ids[name]
		if !ok {
			t.Fatal(line)
		}
		used[kinds[id-firstKind].system] = true
		b := m.Payload(id, int32(number(t, task)))
		for _, v := range words[3:] {
			n, err := strconv.ParseInt(v, 0, 64)
			if err != nil {
				t.Fatal(err)
			}
			b = binary.LittleEndian.AppendUint64(b, uint64(n))
		}
		if name == "sys_enter" { // arguments that the line leaves out are 0
			b = append(b, make([]byte, 64-len(b))...)
		}
		s := &cpus[0]
		if cpu == "1" {
			s = &cpus[1]
		}
		s.add(m, uint64(number(t, words[0])), b, lost)
	}
	for i, k := range kinds {
		if used[k.system] {
			f.Systems = append(f.Systems, tracefile.System{Name: k.system, Formats: []string{format(k.name, firstKind+i, k.fields)}})
		}
	}
	top := tracefile.Buffer{Clock: "[local]"}
	for i := range cpus {
		top.CPUs = append(top.CPUs, tracefile.CPU{ID: i, Pages: cpus[i].done()})
	}
	f.Buffers = []tracefile.Buffer{top}
	rec, err := tracec.OpenReader(t.Context(), bytes.NewReader(f.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

// stream is the events of a processor.
type stream struct {
	pages []byte
	page  *tracefile.Page
	size  int // of the events in the page
	last  uint64
}

func (s *stream) add(m tracefile.Machine, time uint64, payload []byte, lost bool) {
	if s.page == nil || lost || s.size+len(payload)+4 > 4000 || time-s.last >= 1<<27 {
		s.pages, s.size = s.done(), 0
		s.page, s.last = m.NewPage(4096, time), time
		if lost {
			s.page.Missed(1)
		}
	}
	s.page.Event(uint32(time-s.last), payload)
	s.size, s.last = s.size+len(payload)+4, time
}

func (s *stream) done() []byte {
	if s.page == nil {
		return s.pages
	}
	return append(s.pages, s.page.Done()...)
}

// format returns the format of an event whose fields have 8 bytes, or as many for each element.
func format(name string, id int, fields string) string {
	head, _, _ := strings.Cut(tracefile.Format(name, id), "\tfield:int value")
	offset := 8
	for f := range strings.SplitSeq(fields, "; ") {
		size, signed := 8, 1
		if strings.HasSuffix(f, "[6]") {
			size = 48
		}
		if strings.HasPrefix(f, "unsigned") || strings.Contains(f, "*") {
			signed = 0
		}
		head += fmt.Sprintf("\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n", f, offset, size, signed)
		offset += size
	}
	return head + "\nprint fmt: \"\"\n"
}
