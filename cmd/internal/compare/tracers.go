package main

import (
	"bytes"
	"fmt"
	"strconv"
)

// Some tracers have their own text in the kernel, with other columns. Our line has the same values.

// kernelLatency reads the latency format. It cuts names to 8 bytes and counts microseconds from the
// start of the buffer, with marks for long delays:
//
//	kworker/-17        0d..2. 91196us+: sched_stat_runtime: …
//
// Order, processors, flags and texts are compared, but not times.
type kernelLatency struct{ buf []byte }

func (l *kernelLatency) split(line []byte) ([]byte, header, bool) {
	if len(line) == 0 || line[0] == '#' {
		return nil, header{}, false
	}
	mark := bytes.Index(line, []byte("us"))
	colon := bytes.Index(line, []byte(": "))
	words := bytes.Fields(line[:max(mark, 0)])
	if mark < 0 || colon < mark || colon > mark+3 || len(words) < 3 {
		return line, header{}, true
	}
	n := len(words)
	cpu, flags := splitCPU(words[n-2])
	l.buf = fmt.Appendf(l.buf[:0], "%s [%03s] %s: ", bytes.Join(words[:n-2], []byte(" ")), cpu, flags)
	key := len(l.buf)
	text := line[colon+2:]
	l.buf = append(l.buf, text...)
	return l.buf, header{starts: true, key: key, event: kernelName(text)}, true
}

// splitCPU splits "0d..2." into its parts.
func splitCPU(s []byte) (cpu, flags []byte) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// oursLatency rewrites our report -N to these columns.
type oursLatency struct {
	ours oursLayout
	buf  []byte
}

func (l *oursLatency) split(line []byte) ([]byte, header, bool) {
	f, ok := cutEvent(line)
	text, head, keep := l.ours.split(line)
	if !ok || !keep {
		return text, head, keep
	}
	task := bytes.TrimSpace(line[:f.task])
	dash := bytes.LastIndexByte(task, '-')
	name := bytes.TrimSpace(task[:min(dash, 8)])
	flags := bytes.TrimSpace(line[f.end+1 : f.time])
	l.buf = fmt.Appendf(l.buf[:0], "%s%s %s %s: ", name, task[dash:], line[f.open:f.end+1], flags)
	key := len(l.buf)
	l.buf = append(l.buf, text[head.key:]...)
	return l.buf, header{starts: true, key: key, event: head.event}, true
}

// kernelBlkClassic reads the blk tracer's text with blk_classic:
//
//	254,48   1    52.689684895   231  Q  WS 17922 + 480 [dd]
type kernelBlkClassic struct{ buf []byte }

func (l *kernelBlkClassic) split(line []byte) ([]byte, header, bool) {
	words := bytes.Fields(line)
	if len(words) < 6 || line[0] == '#' {
		return nil, header{}, false
	}
	sec, ns, _ := bytes.Cut(words[2], []byte("."))
	s, _ := strconv.ParseUint(string(sec), 10, 64)
	n, err := strconv.ParseUint(string(ns), 10, 64)
	if err != nil || len(ns) != 9 {
		return line, header{starts: true, key: len(line)}, true
	}
	us := s*1e6 + (n+500)/1000
	l.buf = joinBlk(l.buf[:0], words[0], words[1], fmt.Appendf(nil, "%d.%06d", us/1e6, us%1e6), words[3], words[4:])
	return l.buf, header{starts: true, key: len(l.buf), event: []byte("blktrace")}, true
}

// oursBlkClassic rewrites our report -N to these columns.
type oursBlkClassic struct{ buf []byte }

func (l *oursBlkClassic) split(line []byte) ([]byte, header, bool) {
	f, ok := cutEvent(line)
	text, found := bytes.CutPrefix(line[min(f.rest, len(line)):], []byte("blktrace: "))
	words := bytes.Fields(text)
	if !ok || !found || len(words) == 0 {
		return line, header{starts: true, key: len(line)}, !bytes.HasPrefix(line, []byte("cpus="))
	}
	cpu := bytes.TrimLeft(line[f.open+1:f.end-1], "0")
	cpu = line[f.end-1-len(cpu) : f.end]
	task := line[:f.task]
	l.buf = joinBlk(l.buf[:0], words[0], cpu, bytes.TrimRight(line[f.time:f.rest], ": "),
		bytes.TrimSpace(task[bytes.LastIndexByte(task, '-')+1:]), words[1:])
	return l.buf, header{starts: true, key: len(l.buf), event: []byte("blktrace")}, true
}

func joinBlk(dst, dev, cpu, time, pid []byte, rest [][]byte) []byte {
	return fmt.Appendf(dst, "%s %s %s %s %s", dev, cpu, time, pid, bytes.Join(rest, []byte(" ")))
}

// kernelMMIO reads the text of mmiotrace, which has neither task nor processor: "R 4 83.966590 1
// 0xfebc0008 0x1 0x0 0". It skips lines about the PCI devices of the machine, which are not in the
// buffer.
type kernelMMIO struct{}

func (kernelMMIO) split(line []byte) ([]byte, header, bool) {
	word, _, _ := bytes.Cut(line, []byte(" "))
	switch string(word) {
	case "VERSION", "PCIDEV", "":
		return nil, header{}, false
	}
	return line, header{starts: true, key: len(line), event: []byte("mmiotrace")}, line[0] != '#'
}

// oursMMIO is the text of our report -N.
type oursMMIO struct{}

func (oursMMIO) split(line []byte) ([]byte, header, bool) {
	f, ok := cutEvent(line)
	if !ok {
		return line, header{starts: true, key: len(line)}, !bytes.HasPrefix(line, []byte("cpus="))
	}
	name, text, _ := bytes.Cut(line[f.rest:], []byte(":"))
	text = trimPadding(name, text)
	if printed[string(name)] {
		text = fmt.Appendf(nil, "MARK %s %s", bytes.TrimRight(line[f.time:f.rest], ": "), message(text))
	}
	return text, header{starts: true, key: len(text), event: []byte("mmiotrace")}, true
}
