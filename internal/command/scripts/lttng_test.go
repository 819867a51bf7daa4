package scripts

import (
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tracec/tracec/runtime/lttng"
)

// lttngTrace TEXT DIR makes a trace of LTTng. TEXT has a line for each of
//
//	version 2.6          first; 1.0, 2.0 to 2.6, or seed
//	big / word 64        byte order and bits of a pointer, if not little-endian and 32
//	aligned / heartbeat  if not packed and without
//	cpus N               processors
//	start TICKS          time at the start, wall SECONDS what the wall clock showed then
//	marker CHANNEL NAME FORMAT
//	at TICKS             time of the events from here on, in nanoseconds; +N is later than before
//	cpu N                their processor
//	event NAME VALUES    numbers and quoted strings
//	flush NAME           ends the sub-buffer of the marker's channel
//	lose NAME N          counts N events as lost there
func lttngTrace(ts *testscript.TestScript, neg bool, args []string) {
	t := &markedText{ts: ts, dir: ts.MkAbs(args[1]), marks: map[string]*lttng.Mark{}}
	t.layout = lttng.Layout{WordSize: 4, BlockSize: 4096, CPUs: 1, Freq: 1e9, StartTSC: 1e9, StartSec: 1212449685}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if words := strings.Fields(line); len(words) > 0 && words[0][0] != '#' {
			t.line(words, strings.TrimSpace(line))
		}
	}
	ts.Check(t.writer().Close())
}

type markedText struct {
	ts     *testscript.TestScript
	dir    string
	layout lttng.Layout
	w      *lttng.Writer
	marks  map[string]*lttng.Mark
	now    uint64
	cpu    int
}

var lttngVersions = map[string]lttng.Dialect{
	"1.0": lttng.V10, "2.0": lttng.V20, "2.1": lttng.V21, "2.2": lttng.V22, "2.3": lttng.V23, "2.4": lttng.V24,
	"2.5": lttng.V25, "2.6": lttng.V26, "seed": lttng.Seed,
}

func (t *markedText) writer() *lttng.Writer {
	if t.w == nil {
		var err error
		t.w, err = lttng.NewWriter(lttng.CreateIn(t.dir), t.layout)
		t.ts.Check(err)
		t.now = t.layout.StartTSC
	}
	return t.w
}

func (t *markedText) mark(name string) *lttng.Mark {
	m := t.marks[name]
	if m == nil {
		t.ts.Fatalf("no marker %s", name)
	}
	return m
}

func (t *markedText) line(words []string, line string) {
	ts := t.ts
	switch words[0] {
	case "version":
		t.layout.Dialect = lttngVersions[words[1]]
	case "big":
		t.layout.BigEndian = true
	case "word":
		t.layout.WordSize = atoi(ts, words[1]) / 8
	case "aligned":
		t.layout.Alignment = t.layout.WordSize
	case "heartbeat":
		t.layout.Heartbeat = true
	case "cpus":
		t.layout.CPUs = atoi(ts, words[1])
	case "start":
		t.layout.StartTSC = uint64(atoi(ts, words[1]))
	case "wall":
		t.layout.StartSec = uint64(atoi(ts, words[1]))
	case "marker":
		m, err := t.writer().Marker(words[1], words[2], strings.Join(words[3:], " "))
		ts.Check(err)
		t.marks[words[2]] = m
	case "at":
		t.writer()
		before := t.now
		if !strings.HasPrefix(words[1], "+") {
			before = 0
		}
		t.now = before + uint64(atoi(ts, strings.TrimPrefix(words[1], "+")))
	case "cpu":
		t.cpu = atoi(ts, words[1])
	case "event":
		_, values, _ := strings.Cut(strings.TrimPrefix(line, "event"), words[1])
		ts.Check(t.w.Event(t.cpu, t.mark(words[1]), t.now, t.values(values)...))
	case "flush":
		ts.Check(t.w.Flush(t.cpu, t.mark(words[1])))
	case "lose":
		ts.Check(t.w.Lose(t.cpu, t.mark(words[1]), uint32(atoi(ts, words[2]))))
	default:
		ts.Fatalf("%q is not a line of a trace", line)
	}
}

func (t *markedText) values(text string) (values []any) {
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		if quoted, err := strconv.QuotedPrefix(text); err == nil {
			s, err := strconv.Unquote(quoted)
			t.ts.Check(err)
			values, text = append(values, s), text[len(quoted):]
			continue
		}
		word, rest, _ := strings.Cut(text, " ")
		v, err := strconv.ParseInt(word, 0, 64)
		t.ts.Check(err)
		values, text = append(values, v), rest
	}
	return values
}
