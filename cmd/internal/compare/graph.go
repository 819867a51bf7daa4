package main

import "bytes"

// The function_graph tracer has a text of its own in the kernel, and trace-cmd's plugin draws the
// same picture behind its usual columns:
//
//	 0) + 13.640 us   |      schedule();                            kernel
//	    sh-301   [001]    53.182548: funcgraph_entry:      + 13.640 us  |  schedule();    ours
//
// Both become "1)|      schedule();| + 13.640 us": the same event on the same CPU with the same
// duration, mark and nesting. The key leaves out the duration and what the kernel says behind a
// closing brace.

// kernelGraph reads the kernel's text of one CPU, or of all when cpu is empty. The banners that announce a
// task switch are no events.
type kernelGraph struct {
	cpu string
	buf []byte
}

func (l *kernelGraph) split(line []byte) ([]byte, header, bool) {
	cpu, rest, ok := bytes.Cut(line, []byte(")"))
	cpu = bytes.TrimSpace(cpu)
	if !ok || len(cpu) == 0 || !isDigit(cpu[0]) || l.cpu != "" && l.cpu != string(cpu) {
		return nil, header{}, false
	}
	mark, call, ok := bytes.Cut(rest, []byte("|"))
	if !ok {
		return nil, header{}, false // "sh-149  =>  <idle>-0"
	}
	var head header
	l.buf, head = joinGraph(l.buf[:0], cpu, mark, call)
	return l.buf, head, true
}

// oursGraph reads our report of the same snapshot.
type oursGraph struct{ buf []byte }

func (l *oursGraph) split(line []byte) ([]byte, header, bool) {
	f, ok := cutEvent(line)
	if !ok {
		return line, header{starts: true, key: len(line)}, !bytes.HasPrefix(line, []byte("cpus="))
	}
	name, text, _ := bytes.Cut(line[f.rest:], []byte(":"))
	mark, call, ok := bytes.Cut(text, []byte("|"))
	if !ok {
		return line, header{starts: true, key: f.rest, event: name}, true
	}
	cpu := bytes.TrimLeft(line[f.open+1:f.end-1], "0") // the last digit always counts
	cpu = line[f.end-1-len(cpu) : f.end]
	var head header
	l.buf, head = joinGraph(l.buf[:0], cpu, mark, call)
	return l.buf, head, true
}

// joinGraph appends "0)|  schedule();| + 13.640 us": the key in front, what may differ behind it.
func joinGraph(dst, cpu, mark, call []byte) ([]byte, header) {
	dst = append(append(dst, cpu...), ")|"...)
	body, _, _ := bytes.Cut(call, []byte(" /*"))
	body = bytes.TrimRight(body, " ")
	dst = append(dst, body...)
	head := header{starts: true, key: len(dst), event: graphEvent}
	dst = append(append(dst, bytes.TrimRight(call[len(body):], " ")...), '|')
	for _, word := range bytes.Fields(mark) {
		dst = append(append(dst, ' '), word...)
	}
	return dst, head
}

// graphEvent is the event that rules name, because an entry and its exit can be one line.
var graphEvent = []byte("funcgraph")
