package scripted

import (
	"bytes"
	"encoding/binary"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/runtime/aix"
)

// HookTemplates are templates for the hooks in scripts for OpenHooks. AIX's own templates differ,
// since the data of these hooks are not published.
const HookTemplates = `# Made up: the data of these hooks of AIX are not published.
100 1.0 L=INT "FLIH" "type=" W1 A8
101 1.0 L=SVC "SVC" "svc=" W1 A8
102 1.0 L=INT "SLIH" "handler=" $D1%XW
103 1.0 L=INT "SLIH RETURN"
104 1.0 L=SVC "SYSCRET" "ret=" $D1%DW "errno=" $D2%E4
106 1.0 "DISPATCH" "tid=" $D1%U "pid=" $D2%U "kproc=" $D3%U "process=" W4 A8
10C 1.0 "DISPATCH IDLE" "tid=" $D1%U
200 1.0 "RESUME"
`

// OpenHooks opens a 64-bit recording of AIX made from lines of text, and returns the option for its
// templates:
//
//	0 100 7 106 9 4 0 ksh
//
// A line has the processor (-1 for none), the time in nanoseconds, the thread of the event, the
// hook, and values in the order of the template, as numbers or texts of 8 letters.
func OpenHooks(t testing.TB, templates, script string) (*tracec.Recording, tracec.Option) {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHooks(&b, script); err != nil {
		t.Fatal(err)
	}
	rec, err := tracec.OpenReader(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	file, wrong := grammar.Parse("hooks.trcfmt", []byte(templates))
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	compiled, wrong := trcfmt.Compile("hooks.trcfmt", trcfmt.Options{}, file)
	if len(wrong) > 0 {
		t.Fatal(wrong)
	}
	return rec, tracec.WithHooks(compiled)
}

// WriteHooks writes the recording of OpenHooks.
func WriteHooks(out io.Writer, script string) error {
	w := aix.NewWriter(out, aix.WriterOptions{Kernel64: true})
	w.Clock(aix.Clock{Mul: 1, Div: 1, Type: aix.ClockTimeBase})
	for line := range strings.Lines(script) {
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		var head [3]int64
		for i := range head {
			n, err := strconv.ParseInt(words[i], 10, 64)
			if err != nil {
				return err
			}
			head[i] = n
		}
		id, err := strconv.ParseUint(words[3], 16, 12)
		if err != nil {
			return err
		}
		w.CPU, w.Now, w.TID = int(head[0]), uint64(head[1]), uint64(head[2])
		var d [5]uint64
		for i, text := range words[4:] {
			d[i] = hookWord(text)
		}
		w.TRCHKL5T(uint32(id)<<20, d[0], d[1], d[2], d[3], d[4])
	}
	return w.Flush()
}

// hookWord returns a data word with a number, or with a text.
func hookWord(text string) uint64 {
	if n, err := strconv.ParseInt(text, 0, 64); err == nil {
		return uint64(n)
	}
	var b [8]byte
	copy(b[:], text)
	return binary.BigEndian.Uint64(b[:])
}
