package main

import "bytes"

// The kernel's own text (tracing/trace) has other columns than trace-cmd report:
//
//	comm-pid     (tgid) [cpu] flags time: event: text
//	comm-pid     [cpu] time: event:    text           (ours)
//
// Both are rewritten to "comm-pid [cpu] time: event: text" before they are compared. The key ends
// behind the time, because the kernel names no event for those of its own system
// ("tracing_mark_write: hello") nor for system calls ("sys_write(fd: 1)").

// kernelLayout reads the kernel's text.
type kernelLayout struct{ buf []byte }

func (l *kernelLayout) split(line []byte) ([]byte, header, bool) {
	if len(line) == 0 || line[0] == '#' {
		return nil, header{}, false
	}
	f, ok := cutEvent(line)
	if !ok {
		if bytes.HasPrefix(line, []byte("CPU:")) { // CPU:1 [LOST 12 EVENTS]
			return line, header{starts: true, key: len(line)}, true
		}
		return line, header{}, true
	}
	task := line[:f.task]
	if i := bytes.LastIndex(task, []byte(" (")); i >= 0 && task[len(task)-1] == ')' {
		task = task[:i]
	}
	l.buf = joinEvent(l.buf[:0], task, line, f)
	key := len(l.buf)
	l.buf = append(l.buf, line[f.rest:]...)
	return l.buf, header{starts: true, key: key, event: kernelName(line[f.rest:])}, true
}

// kernelName is the word before the first colon, or "" where the kernel prints none.
func kernelName(text []byte) []byte {
	name, _, ok := bytes.Cut(text, []byte(": "))
	if !ok || bytes.ContainsAny(name, " (<") {
		return nil
	}
	return name
}

// oursLayout reads our report in the kernel's columns.
type oursLayout struct {
	report reportLayout
	buf    []byte
}

func (l *oursLayout) split(line []byte) ([]byte, header, bool) {
	if bytes.HasPrefix(line, []byte("cpus=")) {
		return nil, header{}, false
	}
	f, ok := cutEvent(line)
	if !ok {
		return l.report.split(line)
	}
	l.buf = joinEvent(l.buf[:0], line[:f.task], line, f)
	key := len(l.buf)
	name, text, found := bytes.Cut(line[f.rest:], []byte(":"))
	if !found {
		l.buf = append(l.buf, line[f.rest:]...)
		return l.buf, header{starts: true, key: key}, true
	}
	l.buf = append(append(l.buf, name...), ": "...)
	l.buf = append(l.buf, trimPadding(name, text)...)
	return l.buf, header{starts: true, key: key, event: name}, true
}

// eventColumn is how wide trace-cmd makes "event:" and the space behind it.
const eventColumn = 22

// trimPadding drops the spaces that fill the event column, and no others.
func trimPadding(name, text []byte) []byte {
	pad := max(1, eventColumn-len(name)-1)
	for pad > 0 && len(text) > 0 && text[0] == ' ' {
		text = text[1:]
		pad--
	}
	return text
}

// joinEvent appends "comm-pid [cpu] time: ".
func joinEvent(dst, task, line []byte, f fields) []byte {
	dst = append(dst, bytes.TrimSpace(task)...)
	dst = append(append(dst, ' '), line[f.open:f.end+1]...)
	dst = append(append(dst, ' '), line[f.time:f.rest]...)
	return dst
}
