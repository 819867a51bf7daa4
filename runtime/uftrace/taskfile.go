package uftrace

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// sessionLine is SESS: a program image begins.
type sessionLine struct {
	time uint64
	pid  int32
	sid  string
	exe  string
}

// taskLine is TASK or FORK.
type taskLine struct {
	time     uint64
	pid, tid int32 // of a fork: the parent and the new process
	fork     bool
}

// libraryLine is DLOP.
type libraryLine struct {
	time, base uint64
	sid, name  string
}

// taskFile is what task.txt or the binary file task say, in the order of the file.
type taskFile struct {
	sessions  []sessionLine
	tasks     []taskLine
	libraries []libraryLine
}

// readTasks reads who ran what and finds the files of records.
func (r *Recording) readTasks() {
	var tf taskFile
	if text, ok := r.readFile("task.txt"); ok {
		r.parseTaskText(text, &tf)
	} else if data, ok := r.readFile("task"); ok {
		r.parseTaskBinary(data, &tf)
	} else {
		r.damage.add("task.txt", 0, 0, fmt.Errorf("%w: sessions and names of threads are unknown", ErrMissing))
	}
	r.buildSessions(&tf)
	for _, l := range tf.tasks {
		r.addTask(l)
	}
	r.findFiles()
	for _, t := range r.byTID {
		t.nameAfterProgram()
	}
}

func (r *Recording) buildSessions(tf *taskFile) {
	byID := map[string]*Session{}
	for _, l := range tf.sessions {
		s := &Session{ID: l.sid, PID: l.pid, Start: l.time, Exe: l.exe}
		r.sessions = append(r.sessions, s)
		byID[l.sid] = s
	}
	for _, l := range tf.libraries {
		if s := byID[l.sid]; s != nil {
			s.Libs = append(s.Libs, Library{Time: l.time, Base: l.base, Module: &Module{Path: l.name, Name: baseName(l.name)}})
		} else {
			r.damage.add("task.txt", 0, 0, fmt.Errorf("%w: the library %s is of the unknown session %s", ErrCorrupt, l.name, l.sid))
		}
	}
	sort.SliceStable(r.sessions, func(i, j int) bool { return r.sessions[i].Start < r.sessions[j].Start })
	for _, s := range r.sessions {
		sort.SliceStable(s.Libs, func(i, j int) bool { return s.Libs[i].Time < s.Libs[j].Time })
	}
}

// addTask applies a TASK or FORK line by the rules of uftrace.md 1.3.
func (r *Recording) addTask(l taskLine) {
	t := r.byTID[l.tid]
	owner := l.pid
	if t == nil {
		t = &Task{TID: l.tid, PID: l.pid, PPID: -1, Start: l.time, recording: r}
		r.byTID[l.tid] = t
	}
	if l.fork {
		t.PID, t.PPID = l.tid, l.pid
	}
	if n := len(t.sessions); n > 0 {
		t.sessions[n-1].to = l.time
	}
	t.sessions = append(t.sessions, sessionRef{from: l.time, to: math.MaxUint64, session: r.newestSession(owner, l.time)})
}

// newestSession is the last program image of a process at a time.
func (r *Recording) newestSession(pid int32, time uint64) *Session {
	for _, s := range slices.Backward(r.sessions) {
		if s.PID == pid && s.Start <= time {
			return s
		}
	}
	return nil
}

// findFiles makes the list of threads with a file. A thread that called nothing has none.
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
		t := r.byTID[tid]
		if t == nil {
			t = &Task{TID: tid, PID: tid, PPID: -1, recording: r}
			r.byTID[tid] = t
		}
		t.File = name
		r.tasks = append(r.tasks, t)
	}
	for _, tid := range r.fileTIDs() {
		if !listed[tid] {
			r.damage.add(recordFile(tid), 0, 0, fmt.Errorf("%w: the list of threads in info does not have it; it is left out", ErrCorrupt))
		}
	}
}

// fileTIDs are the threads that have a file, ascending.
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
func (r *Recording) parseTaskText(text []byte, tf *taskFile) {
	off := int64(0)
	for len(text) > 0 {
		line, rest, _ := bytes.Cut(text, []byte("\n"))
		if len(bytes.TrimSpace(line)) > 0 && line[0] != '#' && !tf.line(string(line)) {
			r.damage.add("task.txt", off, int64(len(line)), fmt.Errorf("%w: a line that is none of SESS, TASK, FORK, DLOP", ErrCorrupt))
		}
		off += int64(len(text) - len(rest))
		text = rest
	}
}

// line reads one line; false when it makes no sense.
func (tf *taskFile) line(line string) bool {
	kind, rest, _ := strings.Cut(line, " ")
	time, ok := parseTime(field(rest, "timestamp="))
	if !ok {
		return false
	}
	pid, okPID := parseID(field(rest, "pid="))
	tid, okTID := parseID(field(rest, "tid="))
	sid := field(rest, "sid=")
	if len(sid) > 16 {
		sid = sid[:16]
	}
	switch kind {
	case "SESS":
		if !okPID { // tid= in older data
			pid, okPID = tid, okTID
		}
		tf.sessions = append(tf.sessions, sessionLine{time, pid, sid, quoted(rest, "exename=")})
		return okPID && sid != ""
	case "TASK":
		if okPID && okTID {
			tf.tasks = append(tf.tasks, taskLine{time: time, pid: pid, tid: tid})
		}
		return okPID && okTID
	case "FORK":
		ppid, ok := parseID(field(rest, "ppid="))
		if ok && okPID {
			tf.tasks = append(tf.tasks, taskLine{time: time, pid: ppid, tid: pid, fork: true})
		}
		return ok && okPID
	case "DLOP":
		base, err := strconv.ParseUint(strings.TrimPrefix(field(rest, "base="), "0x"), 16, 64)
		tf.libraries = append(tf.libraries, libraryLine{time, base, sid, quoted(rest, "libname=")})
		return err == nil && sid != ""
	}
	return false
}

// field is the value of key= in a line, "" without it. Keys stand at the start of a word: pid= is not ppid=.
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

// quoted is the value of key="..." at the end of a line. Programs may have blanks and quotes in their names.
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

// parseTime reads SECONDS.NANOSECONDS: two integers, so that 0.5 is 5 ns (uftrace.md 1.3).
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
func (r *Recording) parseTaskBinary(data []byte, tf *taskFile) {
	var order binary.ByteOrder = binary.LittleEndian
	if r.info.BigEndian {
		order = binary.BigEndian
	}
	for off := 0; off < len(data); {
		msg := data[off:]
		if len(msg) < 8 {
			r.damage.add("task", int64(off), int64(len(msg)), ErrTruncated)
			return
		}
		kind, size := order.Uint16(msg[2:]), int64(order.Uint32(msg[4:]))
		if order.Uint16(msg) != taskMagic || size > int64(len(msg)-8) {
			r.damage.add("task", int64(off), int64(len(msg)), fmt.Errorf("%w: no message of a task", ErrCorrupt))
			return
		}
		if !tf.message(kind, msg[8:8+size], order) {
			r.damage.add("task", int64(off), size+8, fmt.Errorf("%w: a message of type %d with %d bytes", ErrCorrupt, kind, size))
		}
		off += 8 + int(size)
	}
}

func (tf *taskFile) message(kind uint16, body []byte, order binary.ByteOrder) bool {
	if len(body) < 16 {
		return false
	}
	time, pid, tid := order.Uint64(body), int32(order.Uint32(body[8:])), int32(order.Uint32(body[12:]))
	switch kind {
	case taskStart, taskFork:
		tf.tasks = append(tf.tasks, taskLine{time: time, pid: pid, tid: tid, fork: kind == taskFork})
		return true
	case taskSession:
		if len(body) < 40 {
			return false
		}
		n := int64(order.Uint32(body[36:]))
		if n > int64(len(body)-40) {
			return false
		}
		tf.sessions = append(tf.sessions, sessionLine{time, pid, string(body[16:32]), string(body[40 : 40+n])})
		return true
	}
	return false
}
