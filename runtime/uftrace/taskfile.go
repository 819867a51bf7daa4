package uftrace

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// TaskEvent is a line of task.txt or a message of the old binary file task.
type TaskEvent struct {
	Type    string // SESS: a program image begins. TASK: a thread. FORK: a process. DLOP: a library of dlopen
	Time    uint64
	TID     int32 // for SESS and DLOP, the PID
	PID     int32
	PPID    int32  // of FORK
	Session string // of SESS and DLOP
	Name    string // of the program of SESS, of the library of DLOP
	Base    uint64 // address of the library
}

// TaskEvents returns the lines of task.txt, or the messages of the old file task, in the order of
// the file.
func (r *Recording) TaskEvents() []TaskEvent { return r.threads.events }

// readTasks reads the programs of tasks and finds the files of records.
func (r *Recording) readTasks() {
	if text, ok := r.readFile("task.txt"); ok {
		r.parseTaskText(r.wholeLines(text))
	} else if data, ok := r.readFile("task"); ok {
		r.threads.old = true
		r.parseTaskBinary(data)
	} else {
		r.damage.Note("task.txt", 0, 0, fmt.Errorf("%w: sessions and names of threads are unknown", ErrMissing))
	}
	r.buildSessions()
	r.guessImages()
	for i := range r.threads.events {
		r.addTask(&r.threads.events[i])
	}
	r.findFiles()
	for _, t := range r.threads.byTID {
		r.threads.adopt(t)
	}
	for _, t := range r.threads.byTID {
		t.nameAfterProgram()
	}
}

// adopt finds the thread from which a thread has its program.
func (k *taskTable) adopt(t *Task) {
	up := t.PPID
	if up < 0 {
		up = t.PID
	}
	if up != t.TID {
		t.parent = k.byTID[up]
	}
}

func (r *Recording) buildSessions() {
	byID := map[string]*Session{}
	for _, e := range r.threads.events {
		if e.Type == "SESS" {
			s := &Session{ID: e.Session, PID: e.PID, Start: e.Time, Exe: e.Name}
			r.progs.sessions = append(r.progs.sessions, s)
			byID[e.Session] = s
		}
	}
	for _, e := range r.threads.events {
		if e.Type != "DLOP" {
			continue
		}
		if s := byID[e.Session]; s != nil {
			s.Libs = append(s.Libs, Library{Time: e.Time, Base: e.Base,
				Module: &Module{Path: e.Name, Name: baseName(e.Name)}})
		} else {
			r.damage.Note("task.txt", 0, 0, fmt.Errorf("%w: the library %s is of the unknown session %s", ErrCorrupt,
				e.Name, e.Session))
		}
	}
	slices.SortStableFunc(r.progs.sessions, func(a, b *Session) int { return cmp.Compare(a.Start, b.Start) })
	for _, s := range r.progs.sessions {
		r.progs.images[s.PID] = append(r.progs.images[s.PID], s)
		slices.SortStableFunc(s.Libs, func(a, b Library) int { return cmp.Compare(a.Time, b.Time) })
	}
}

// addTask applies a TASK or FORK line by the rules of uftrace.md 1.3.
func (r *Recording) addTask(e *TaskEvent) {
	owner := e.PID
	switch e.Type {
	case "FORK":
		owner = e.PPID
	case "TASK":
	default:
		return
	}
	t := r.threads.byTID[e.TID]
	if t == nil {
		t = &Task{TID: e.TID, PID: e.PID, PPID: -1, Start: e.Time}
		r.threads.byTID[e.TID] = t
	}
	if e.Type == "FORK" {
		t.PPID = e.PPID
	}
	if n := len(t.sessions); n > 0 {
		t.sessions[n-1].to = e.Time
		t.mixed = t.mixed || e.Time < t.sessions[n-1].from
		if r.threads.old && e.Type == "TASK" {
			t.Comm = "task" // uftrace 0.13 and 0.19 use this name for a program after exec when they read the old file
		}
	}
	t.sessions = append(t.sessions, sessionRef{from: e.Time, to: math.MaxUint64,
		session: r.progs.newestSession(owner, e.Time)})
}

// newestSession returns the last program image of a process at a time.
func (p *programTable) newestSession(pid int32, time uint64) *Session {
	list := p.images[pid]
	n, _ := slices.BinarySearchFunc(list, time, func(s *Session, t uint64) int {
		if s.Start <= t {
			return -1
		}
		return 1
	})
	if n == 0 {
		return nil
	}
	return list[n-1]
}

// findFiles makes the list of threads with a file. A thread that called nothing has no file.
func (r *Recording) findFiles() {
	tids := r.info.TIDs
	listed := map[int32]bool{}
	if len(tids) == 0 {
		tids = r.fileTIDs()
	}
	for _, tid := range tids {
		name := recordFile(tid)
		if listed[tid] || !r.files[name] {
			listed[tid] = true
			continue
		}
		listed[tid] = true
		if len(r.config.tids) > 0 && !slices.Contains(r.config.tids, tid) {
			continue
		}
		t := r.threads.byTID[tid]
		if t == nil {
			t = &Task{TID: tid, PID: tid, PPID: -1}
			r.threads.byTID[tid] = t
		}
		t.File = name
		r.threads.list = append(r.threads.list, t)
	}
	for _, tid := range r.fileTIDs() {
		if !listed[tid] {
			r.damage.Note(recordFile(tid), 0, 0, fmt.Errorf("%w: the list of threads in info does not have it; it is left out", ErrCorrupt))
		}
	}
}

// fileTIDs returns the threads that have a file, in ascending order.
func (r *Recording) fileTIDs() []int32 {
	var tids []int32
	for name := range r.files {
		if tid := tidOf(name); tid >= 0 {
			tids = append(tids, tid)
		}
	}
	slices.Sort(tids)
	return tids
}

// parseTaskText reads task.txt.
func (r *Recording) parseTaskText(text []byte) {
	text = r.take("task.txt", text, taskBytes)
	off := r.taskRead
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(bytes.TrimSpace(line)) > 0 && line[0] != '#' {
			if e, ok := parseTaskLine(string(line)); ok {
				r.threads.events = append(r.threads.events, e)
			} else {
				r.damage.Note("task.txt", off, int64(len(line)),
					fmt.Errorf("%w: unknown line (want SESS, TASK, FORK or DLOP)", ErrCorrupt))
			}
		}
		off += int64(len(text) - len(rest))
		text = rest
	}
	r.taskRead = off
}

// parseTaskLine reads one line. It returns false for an invalid line.
func parseTaskLine(line string) (e TaskEvent, ok bool) {
	kind, rest, _ := strings.Cut(line, " ")
	time, okTime := parseTime(field(rest, "timestamp="))
	pid, okPID := parseID(field(rest, "pid="))
	tid, okTID := parseID(field(rest, "tid="))
	sid := field(rest, "sid=")
	e = TaskEvent{Type: kind, Time: time, PID: pid, TID: tid, PPID: -1, Session: sid[:min(len(sid), 16)]}
	if !okTID {
		e.TID = pid
	}
	switch kind {
	case "SESS":
		if !okPID { // tid= in older data
			e.PID, okPID = tid, okTID
		}
		e.Name = quoted(rest, "exename=")
		ok = okPID && sid != ""
	case "TASK":
		ok = okPID && okTID
	case "FORK":
		e.PPID, ok = parseID(field(rest, "ppid="))
		ok = ok && okPID
	case "DLOP":
		var err error
		e.Base, err = strconv.ParseUint(strings.TrimPrefix(field(rest, "base="), "0x"), 16, 64)
		e.Name = quoted(rest, "libname=")
		ok = err == nil && sid != ""
	}
	return e, ok && okTime
}

// field returns the value of key= in a line, or "". Keys are at the start of a word: pid= does not
// match ppid=.
func field(line, key string) string {
	for {
		i := strings.Index(line, key)
		if i < 0 {
			return ""
		}
		if i == 0 || line[i-1] == ' ' {
			value, _, _ := strings.Cut(line[i+len(key):], " ")
			return value
		}
		line = line[i+len(key):]
	}
}

// quoted returns the value of key="..." at the end of a line. Names of programs may contain blanks
// and quotes.
func quoted(line, key string) string {
	_, value, ok := strings.Cut(line, key+`"`)
	if !ok {
		return ""
	}
	return strings.TrimSuffix(strings.TrimRight(value, " \r"), `"`)
}

func parseID(s string) (int32, bool) {
	n, err := strconv.ParseInt(s, 10, 32)
	return int32(n), err == nil
}

// parseTime reads SECONDS.NANOSECONDS. These are two integers, so 0.5 is 5 ns (uftrace.md 1.3).
func parseTime(s string) (uint64, bool) {
	sec, ns, _ := strings.Cut(s, ".")
	a, err := strconv.ParseUint(sec, 10, 34)
	if err != nil {
		return 0, false
	}
	b, err := strconv.ParseUint(ns, 10, 62)
	if err != nil && ns != "" {
		return 0, false
	}
	return a*1e9 + b, true
}

// The messages of the old binary file.
const (
	taskMagic   = 0xface
	taskStart   = 3
	taskFork    = 6
	taskSession = 7
)

// parseTaskBinary reads the file task of recorders before v0.6.
func (r *Recording) parseTaskBinary(data []byte) {
	var order binary.ByteOrder = binary.LittleEndian
	if r.info.BigEndian {
		order = binary.BigEndian
	}
	for off := 0; off < len(data); {
		msg := data[off:]
		if len(msg) < 8 {
			r.damage.Note("task", int64(off), int64(len(msg)), ErrTruncated)
			return
		}
		kind, size := order.Uint16(msg[2:]), int64(order.Uint32(msg[4:]))
		if order.Uint16(msg) != taskMagic || size > int64(len(msg)-8) {
			r.damage.Note("task", int64(off), int64(len(msg)), fmt.Errorf("%w: no message of a task", ErrCorrupt))
			return
		}
		if err := r.memory.Take(taskBytes); err != nil {
			r.damage.Note("task", int64(off), int64(len(msg)), err)
			return
		}
		if e, ok := parseTaskMessage(kind, msg[8:8+size], order); ok {
			r.threads.events = append(r.threads.events, e)
		} else {
			r.damage.Note("task", int64(off), size+8,
				fmt.Errorf("%w: a message of type %d with %d bytes", ErrCorrupt, kind, size))
		}
		off += 8 + int(size)
	}
}

func parseTaskMessage(kind uint16, body []byte, order binary.ByteOrder) (e TaskEvent, ok bool) {
	if len(body) < 16 {
		return e, false
	}
	e = TaskEvent{Time: order.Uint64(body), PID: int32(order.Uint32(body[8:])), TID: int32(order.Uint32(body[12:])),
		PPID: -1}
	switch kind {
	case taskStart:
		e.Type = "TASK"
	case taskFork: // the first number is the parent
		e.Type, e.PPID, e.PID = "FORK", e.PID, e.TID
	case taskSession:
		if len(body) < 40 {
			return e, false
		}
		n := int64(order.Uint32(body[36:]))
		if n > int64(len(body)-40) {
			return e, false
		}
		e.Type, e.Session, e.Name = "SESS", string(body[16:32]), string(body[40:40+n])
	default:
		return e, false
	}
	return e, true
}
