package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/ftrace"
)

// The kernel's own text (tracing/trace) has other columns than tracec report -N:
//
//	comm-pid     (tgid) [cpu] flags time: event: text
//	comm-pid     [cpu] flags time: event:    text           (ours)
//
// Both are rewritten to "comm-pid [cpu] flags time: event: text" before they are compared. The key
// ends after the time. The kernel prints no event name for events of its own system
// ("tracing_mark_write: hello") and for system calls ("sys_write(fd: 1)").

// kernelTextSuffix is the suffix of the kernel's own text next to a recording.
const kernelTextSuffix = ".kernel-trace.txt.zst"

// kernelHead holds the information in the comments at the start of a kernel's text.
type kernelHead struct {
	tracer      string // "nop", "function_graph"
	latency     bool   // the latency format
	proc        bool   // function_graph with a column of tasks
	messages    bool   // trace_printk without columns (option printk-msg-only)
	first       string // the first line that is not a comment; "" if the buffer was empty
	recordsText bool   // the recording itself contains text
}

func readKernelHead(open func() (io.ReadCloser, error)) (h kernelHead, err error) {
	r, err := open()
	if err != nil {
		return h, err
	}
	defer r.Close()
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, maxBlock)
	for scan.Scan() {
		line := scan.Text()
		if !strings.HasPrefix(line, "#") {
			if h.first == "" {
				h.first = line
			}
			_, columns := cutEvent(scan.Bytes())
			h.messages = h.messages || h.tracer == "function" && !columns && line != "" && line[0] != ' '
			continue
		}
		if t, ok := strings.CutPrefix(line, "# tracer: "); ok {
			h.tracer = t
		}
		h.latency = h.latency || strings.Contains(line, " latency trace v")
		if strings.Contains(line, "DURATION") {
			h.proc = strings.Contains(line, "TASK/PID")
		}
	}
	return h, scan.Err()
}

// isGraph reports whether a packed text is from the function_graph tracer.
func isGraph(path string) (bool, error) {
	head, err := readKernelHead(func() (io.ReadCloser, error) { return openZstd(path) })
	return head.tracer == "function_graph", err
}

// layouts returns the layouts of the kernel's text and of ours for the same events.
func (h kernelHead) layouts() (ref, ours layout) {
	switch {
	case h.recordsText:
		return textLayout{}, textLayout{}
	case h.latency:
		return new(kernelLatency), new(oursLatency)
	case strings.HasPrefix(h.tracer, "blk") && len(h.first) > 0 && isDigit(h.first[0]):
		return new(kernelBlkClassic), new(oursBlkClassic)
	case h.tracer == "mmiotrace":
		return kernelMMIO{}, oursMMIO{}
	}
	return new(kernelLayout), &oursLayout{messages: h.messages}
}

// kernelPasses compares a recording with the kernel's own text.
func (j job) kernelPasses(fn func(pass) error) error {
	open := func() (io.ReadCloser, error) { return openZstd(j.reference) }
	head, err := readKernelHead(open)
	if err != nil {
		return fmt.Errorf("%s: %w", j.reference, err)
	}
	if head.first == "" {
		return nil // saved after the buffer had been read
	}
	if head.recordsText, err = holdsText(j.input); err != nil {
		return err
	}
	p := pass{ref: open, args: with(j.mode.args, j.input)}
	if head.tracer != "function_graph" {
		p.refLayout, p.ourLayout = head.layouts()
		return fn(p)
	}
	cpus, err := graphCPUs(open)
	if err != nil {
		return err
	}
	return p.graph(head, cpus, fn)
}

// holdsText reports whether a recording has the kernel's text instead of buffers.
func holdsText(path string) (bool, error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return false, err
	}
	defer rec.Close()
	return slices.ContainsFunc(rec.Buffers(), func(b *ftrace.Buffer) bool { return b.Text() != nil }), nil
}

// textLayout is for text that is copied unchanged. Every line is a block. "cpus=" is only in ours.
type textLayout struct{}

func (textLayout) split(line []byte) ([]byte, header, bool) {
	return line, header{starts: true, key: len(line)}, !bytes.HasPrefix(line, []byte("cpus="))
}

// kernelLayout reads the kernel's text.
type kernelLayout struct {
	withoutFlags bool
	buf          []byte
}

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
	l.buf = joinEvent(l.buf[:0], withoutTGID(line[:f.task]), line, f, !l.withoutFlags)
	key := len(l.buf)
	l.buf = append(l.buf, line[f.rest:]...)
	return l.buf, header{starts: true, key: key, event: kernelName(line[f.rest:])}, true
}

func withoutTGID(task []byte) []byte {
	if i := bytes.LastIndex(task, []byte(" (")); i >= 0 && task[len(task)-1] == ')' {
		return task[:i]
	}
	return task
}

// kernelName returns the word before the first colon, or "" for events that the kernel does not
// name.
func kernelName(text []byte) []byte {
	name, _, ok := bytes.Cut(text, []byte(": "))
	if !ok || bytes.ContainsAny(name, " (<") {
		return nil
	}
	return name
}

// unnamed are the events that the kernel prints without their name.
var unnamed = map[string]bool{
	"function": true, "func_repeats": true, "kernel_stack": true, "user_stack": true, "raw_data": true,
	"print": true, "bprint": true, "bputs": true, "wakeup": true, "context_switch": true,
	"hwlat": true, "osnoise": true, "timerlat": true, "blktrace": true,
}

// oursLayout rewrites our report to the kernel's columns.
type oursLayout struct {
	report   reportLayout
	messages bool // as in kernelHead
	buf      []byte
}

func (l *oursLayout) split(line []byte) ([]byte, header, bool) {
	if bytes.HasPrefix(line, []byte("cpus=")) {
		return nil, header{}, false
	}
	f, ok := cutEvent(line)
	if !ok {
		return l.report.split(line)
	}
	l.buf = joinEvent(l.buf[:0], line[:f.task], line, f, true)
	key := len(l.buf)
	name, text, found := bytes.Cut(line[f.rest:], []byte(":"))
	if !found {
		l.buf = append(l.buf, line[f.rest:]...)
		return l.buf, header{starts: true, key: key}, true
	}
	text = trimPadding(name, text)
	if l.messages && printed[string(name)] {
		text = message(text)
		return text, header{}, len(text) > 0 // as in the kernel's text, empty lines do not count
	}
	if !unnamed[string(name)] {
		l.buf = append(append(l.buf, name...), ": "...)
	}
	l.buf = append(l.buf, text...)
	return l.buf, header{starts: true, key: key, event: name}, true
}

// printed are the events of trace_printk.
var printed = map[string]bool{"print": true, "bprint": true, "bputs": true}

// message returns the text of such an event without the function that printed it.
func message(text []byte) []byte {
	_, text, _ = bytes.Cut(text, []byte(": "))
	return text
}

// eventColumn is the width of "event:" and the following blank in trace-cmd.
const eventColumn = 22

// trimPadding removes only the blanks that fill the event column.
func trimPadding(name, text []byte) []byte {
	pad := max(1, eventColumn-len(name)-1)
	for pad > 0 && len(text) > 0 && text[0] == ' ' {
		text = text[1:]
		pad--
	}
	return text
}

// joinEvent appends "comm-pid [cpu] flags time: ".
func joinEvent(dst, task, line []byte, f fields, withFlags bool) []byte {
	dst = append(dst, bytes.TrimSpace(task)...)
	dst = append(append(dst, ' '), line[f.open:f.end+1]...)
	if flags := bytes.TrimSpace(line[f.end+1 : f.time]); withFlags && len(flags) > 0 {
		dst = append(append(dst, ' '), flags...)
	}
	dst = append(append(dst, ' '), line[f.time:f.rest]...)
	return dst
}

// graphCPUs lists the processors in a text of the function_graph tracer.
func graphCPUs(open func() (io.ReadCloser, error)) (cpus []string, err error) {
	r, err := open()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	scan := bufio.NewScanner(r)
	scan.Buffer(nil, maxBlock)
	for scan.Scan() {
		if cpu, ok := graphCPU(scan.Bytes()); ok && !slices.Contains(cpus, cpu) {
			cpus = append(cpus, cpu)
		}
	}
	slices.SortFunc(cpus, func(a, b string) int { x, _ := strconv.Atoi(a); y, _ := strconv.Atoi(b); return x - y })
	return cpus, scan.Err()
}

// graph compares CPU by CPU. The kernel makes one line of a call and its return if no event of the
// same CPU is between them. trace-cmd (and tracec) do so if no event of any CPU is between them.
func (p pass) graph(head kernelHead, cpus []string, fn func(pass) error) error {
	args := p.args
	for _, cpu := range cpus {
		p.args = with(args, "--cpu", cpu)
		p.refLayout, p.ourLayout = &kernelGraph{head: head, cpu: cpu}, &oursGraph{head: head}
		if err := fn(p); err != nil {
			return err
		}
	}
	return nil
}

// openFile opens an uncompressed text.
func openFile(name string) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return os.Open(name) }
}
