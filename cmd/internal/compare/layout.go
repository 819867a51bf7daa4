package main

import "bytes"

// reportLayout is the layout of trace-cmd report:
//
//	[buffer: ]comm-pid   [cpu] time: event:   text
//
// The key extends to the end of the event's name. Lines that trace-cmd prints between events
// ("cpus=2", "CPU:1 [4930 EVENTS DROPPED]") are separate blocks.
type reportLayout struct{}

func (reportLayout) split(line []byte) ([]byte, header, bool) {
	if f, ok := cutEvent(line); ok {
		name, _, found := bytes.Cut(line[f.rest:], []byte(":"))
		if !found || len(name) == 0 || bytes.IndexByte(name, ' ') >= 0 {
			return line, header{starts: true, key: f.rest}, true
		}
		return line, header{starts: true, key: f.rest + len(name) + 1, event: name}, true
	}
	for _, p := range [...]string{"CPU:", "cpus=", "version = ", "trace-cmd version"} {
		if bytes.HasPrefix(line, []byte(p)) {
			return line, header{starts: true, key: len(line)}, true
		}
	}
	return line, header{}, true
}

// fields holds the offsets of an event line's columns.
type fields struct {
	task      int // end of comm-pid
	open, end int // the CPU's brackets: line[open] is '[', line[end] is ']'
	time      int // start of the digits of the time
	rest      int // after "time: "
}

// cutEvent finds the columns of an event line. The comm is free text, so it takes the first
// "[digits]" followed by a time. Flags may be between them (kernel text, trace-cmd report -l).
func cutEvent(line []byte) (fields, bool) {
	for at := 0; at < len(line); {
		open := bytes.IndexByte(line[at:], '[')
		if open < 0 {
			return fields{}, false
		}
		open += at
		at = open + 1
		end := at
		for end < len(line) && isDigit(line[end]) {
			end++
		}
		if end-at < 3 || end >= len(line) || line[end] != ']' {
			continue
		}
		if f, ok := cutTime(line, open, end); ok {
			return f, true
		}
	}
	return fields{}, false
}

func cutTime(line []byte, open, end int) (fields, bool) {
	f := fields{open: open, end: end}
	at := skipSpaces(line, end+1)
	if hasFlags(line[at:]) {
		for at < len(line) && line[at] != ' ' {
			at++
		}
		at = skipSpaces(line, at)
	}
	f.time = at
	for at < len(line) && (isDigit(line[at]) || line[at] == '.') {
		at++
	}
	if at == f.time || at+1 >= len(line) || line[at] != ':' || line[at+1] != ' ' {
		return f, false
	}
	f.rest = skipSpaces(line, at+1)
	f.task = open
	for f.task > 0 && line[f.task-1] == ' ' {
		f.task--
	}
	return f, f.task > 0
}

// hasFlags distinguishes the kernel's five flag characters ("d.h2.", "0dNh1") from a time.
func hasFlags(s []byte) bool {
	for i, c := range s {
		if c == ' ' {
			return i > 0 && i <= 8
		}
		if c == ':' {
			return false
		}
	}
	return false
}

func skipSpaces(s []byte, at int) int {
	for at < len(s) && s[at] == ' ' {
		at++
	}
	return at
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
