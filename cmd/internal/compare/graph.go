package main

import "bytes"

// The function_graph tracer has its own text in the kernel, and trace-cmd's plugin draws the same
// picture after its usual columns:
//
//	 0) + 13.640 us   |      schedule();                            kernel
//	    sh-301   [001]    53.182548: funcgraph_entry:      + 13.640 us  |  schedule();    ours
//
// Both become "1)| schedule();| + 13.640 us": the same event on the same CPU with the same
// duration, mark and nesting. The key omits the duration and the kernel's text after a closing
// brace.

// kernelGraph reads the kernel's text of one CPU, or of all if cpu is empty. It skips the banners
// that announce a task switch.
type kernelGraph struct {
	head kernelHead
	cpu  string
	buf  []byte
}

// graphCPU finds the processor of a line. The line may begin with a time whose last digit is
// truncated instead of rounded: " 39.559017 | 1)".
func graphCPU(line []byte) (string, bool) {
	cpu, _, ok := bytes.Cut(line, []byte(")"))
	if i := bytes.IndexByte(cpu, '|'); i >= 0 {
		cpu = cpu[i+1:]
	}
	cpu = bytes.TrimSpace(cpu)
	return string(cpu), ok && len(cpu) > 0 && isDigit(cpu[0])
}

func (l *kernelGraph) split(line []byte) ([]byte, header, bool) {
	cpu, ok := graphCPU(line)
	if !ok || l.cpu != "" && l.cpu != cpu {
		return nil, header{}, false
	}
	_, rest, _ := bytes.Cut(line, []byte(")"))
	var task []byte
	if l.head.proc {
		task, rest, _ = bytes.Cut(rest, []byte("|"))
	}
	mark, call, ok := bytes.Cut(rest, []byte("|"))
	if !ok {
		return nil, header{}, false // "sh-149  =>  <idle>-0"
	}
	l.buf = joinTask(l.buf[:0], task)
	var head header
	l.buf, head = joinGraph(l.buf, []byte(cpu), mark, call)
	return l.buf, head, true
}

// joinTask appends "comm-pid ", with the name cut to the 7 bytes that the tracer prints.
func joinTask(dst, task []byte) []byte {
	task = bytes.TrimSpace(task)
	dash := bytes.LastIndexByte(task, '-')
	if dash < 0 {
		return dst
	}
	dst = append(dst, bytes.TrimSpace(task[:min(dash, 7)])...)
	return append(append(dst, task[dash:]...), ' ')
}

// oursGraph reads our report of the same events.
type oursGraph struct {
	head kernelHead
	buf  []byte
}

func (l *oursGraph) split(line []byte) ([]byte, header, bool) {
	f, ok := cutEvent(line)
	if !ok {
		return line, header{starts: true, key: len(line)}, !bytes.HasPrefix(line, []byte("cpus="))
	}
	l.buf = l.buf[:0]
	if l.head.proc {
		l.buf = joinTask(l.buf, line[:f.task])
	}
	name, text, _ := bytes.Cut(line[f.rest:], []byte(":"))
	cpu := bytes.TrimLeft(line[f.open+1:f.end-1], "0") // the last digit always remains
	cpu = line[f.end-1-len(cpu) : f.end]
	mark, call, _ := bytes.Cut(text, []byte("|"))
	if !bytes.HasPrefix(name, graphEvent) {
		call, text = nil, trimPadding(name, text)
		if printed[string(name)] {
			text = message(text)
		}
		if !unnamed[string(name)] {
			call = append(append(call, name...), ": "...)
		}
		mark, call = nil, append(append([]byte("/* "), append(call, text...)...), " */"...)
	}
	var head header
	l.buf, head = joinGraph(l.buf, cpu, mark, call)
	return l.buf, head, true
}

// joinGraph appends "0)| schedule();| + 13.640 us": the key, then the parts that may differ. Other
// events are comments at the depth of their callers, which our line does not show.
func joinGraph(dst, cpu, mark, call []byte) ([]byte, header) {
	dst = append(append(dst, cpu...), ")|"...)
	if comment := bytes.TrimSpace(call); bytes.HasPrefix(comment, []byte("/*")) {
		dst = append(dst, comment...)
		return dst, header{starts: true, key: len(dst), event: graphEvent}
	}
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

// graphEvent is the event name for rules, because an entry and its exit can be one line.
var graphEvent = []byte("funcgraph")
