package scripts

import (
	"bytes"
	"encoding/hex"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/tracec/tracec/runtime/aix"
)

// aixTrace TEXT OUT makes a recording of AIX. TEXT has a line for each of
//
//	kernel 64            word size of the system, the first line; else 32
//	log BUFFERS SIZE MODE  a log file in place of a stream; MODE (an aix.Mode) may be left out
//	begin                ends its initial conditions
//	app 32               word size of the programs from here on, else that of the system
//	clock MUL DIV TYPE   scale of the stamps
//	at TICKS             time of the hooks from here on; +N is later than before
//	tid N / cpu N        thread and processor
//	hook HHHHSSSS W...   hook id of 16 bits and subhook, 0 to 5 data words: numbers
//	gen HHHHSSSS W DATA  a generic hook: data word, and a quoted string or hexadecimal digits
//	raw HEX              bytes as they are
func aixTrace(ts *testscript.TestScript, neg bool, args []string) {
	var out bytes.Buffer
	t := &traceText{ts: ts, out: &out}
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if words := strings.Fields(line); len(words) > 0 && words[0][0] != '#' {
			t.line(words, strings.TrimSpace(line))
		}
	}
	t.writer()
	if t.log != nil {
		ts.Check(t.log.Close())
	}
	ts.Check(t.w.Flush())
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), out.Bytes(), 0o666))
}

type traceText struct {
	ts   *testscript.TestScript
	out  io.Writer
	opts aix.LogOptions
	w    *aix.Writer
	log  *aix.LogWriter
}

func (t *traceText) writer() *aix.Writer {
	if t.w == nil {
		t.w = aix.NewWriter(t.out, t.opts.WriterOptions)
		t.w.CPU = -1
	}
	return t.w
}

func (t *traceText) number(s string) uint64 {
	v, err := strconv.ParseUint(s, 0, 64)
	t.ts.Check(err)
	return v
}

func (t *traceText) line(words []string, line string) {
	switch words[0] {
	case "kernel":
		t.opts.Kernel64 = words[1] == "64"
	case "log":
		t.opts.Buffers, t.opts.BufferSize = int(t.number(words[1])), int(t.number(words[2]))
		if len(words) > 3 {
			t.opts.Mode = aix.Mode(t.number(words[3]))
		}
		t.log = aix.NewLogWriter(t.out, t.opts)
		t.w = &t.log.Writer
		t.w.CPU = -1
	case "begin":
		t.log.Begin()
	case "app":
		t.writer().App64 = words[1] == "64"
	case "clock":
		t.writer().Clock(aix.Clock{Mul: t.number(words[1]), Div: t.number(words[2]), Type: t.number(words[3])})
	case "at":
		w := t.writer()
		if later, ok := strings.CutPrefix(words[1], "+"); ok {
			w.Now += t.number(later)
		} else {
			w.Now = t.number(words[1])
		}
	case "tid":
		t.writer().TID = t.number(words[1])
	case "cpu":
		t.writer().CPU = int(t.number(words[1]))
	case "hook":
		t.hook(words)
	case "gen":
		t.generic(words, line)
	case "raw":
		ts := t.ts
		b, err := hex.DecodeString(strings.Join(words[1:], ""))
		ts.Check(err)
		ts.Check(t.writer().Flush())
		_, err = t.out.Write(b)
		ts.Check(err)
	default:
		t.ts.Fatalf("%q is not a line of a trace", line)
	}
}

func (t *traceText) hookWord(s string) uint32 {
	v, err := strconv.ParseUint(s, 16, 32)
	t.ts.Check(err)
	return uint32(v)
}

func (t *traceText) hook(words []string) {
	w, hook := t.writer(), t.hookWord(words[1])
	var d [5]uint64
	for i, s := range words[2:] {
		d[i] = t.number(s)
	}
	switch len(words) - 2 {
	case 0:
		w.TRCHKL0T(hook)
	case 1:
		w.TRCHKL1T(hook, d[0])
	case 2:
		w.TRCHKL2T(hook, d[0], d[1])
	case 3:
		w.TRCHKL3T(hook, d[0], d[1], d[2])
	case 4:
		w.TRCHKL4T(hook, d[0], d[1], d[2], d[3])
	case 5:
		w.TRCHKL5T(hook, d[0], d[1], d[2], d[3], d[4])
	}
}

func (t *traceText) generic(words []string, line string) {
	var data []byte
	if _, quoted, ok := strings.Cut(line, ` "`); ok {
		text, err := strconv.Unquote(`"` + quoted)
		t.ts.Check(err)
		data = []byte(text)
	} else if len(words) > 3 {
		b, err := hex.DecodeString(words[3])
		t.ts.Check(err)
		data = b
	}
	t.writer().TRCGENT(t.hookWord(words[1]), t.number(words[2]), data)
}
