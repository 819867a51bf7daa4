package plugin

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	compiler "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/needs"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// TestRecordings compares each line of a plugin with the reference text, for every recording that
// has one, CPU by CPU. Texts to which a plugin only adds a prefix (kmem) are compared up to the
// prefix.
func TestRecordings(t *testing.T) {
	recordings := needs.Shared(t, "ftrace")
	files, _ := filepath.Glob(recordings + "/*/*.report.txt.zst")
	if len(files) == 0 {
		t.Fatal("no texts of recordings in ", recordings)
	}
	for _, text := range needs.Some(t, files, 12) {
		data := strings.TrimSuffix(text, ".report.txt.zst")
		if _, err := os.Stat(data); err != nil { // split.1 has no suffix
			data += ".dat"
		}
		name, _ := filepath.Rel(recordings, data)
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			compareRecording(t, data, text)
		})
	}
}

func compareRecording(t *testing.T, data, text string) {
	rec, err := ftrace.Open(data)
	if err != nil {
		t.Fatal(err)
	}
	defer rec.Close()
	ours := printRecording(t, rec)
	want := readReference(t, text, ours.names)
	c := comparison{t: t}
	for key, mine := range ours.lines {
		c.stream(key, mine, want[key])
	}
	for key := range want {
		if ours.lines[key] == nil {
			t.Errorf("%v: no plugin lines, the reference has %d", key, len(want[key]))
		}
	}
	if c.extra != c.stolen {
		t.Errorf("%d function returns that the reference does not show, but it gave %d to other CPUs", c.extra,
			c.stolen)
	}
	t.Logf("%d lines, %d listed differences, %d returns stolen", c.lines, c.listed, c.stolen)
}

// comparison counts the lines of one recording.
type comparison struct {
	t             *testing.T
	lines, listed int
	// stolen counts entries that the reference merged with the return of the same function on
	// another CPU (the idle threads have one pid). extra counts the returns that are therefore
	// missing there.
	stolen, extra int
}

func (c *comparison) stream(key stream, mine, theirs []line) {
	bad := 0
	for len(mine) > 0 && len(theirs) > 0 && bad < 3 {
		m, w := mine[0], theirs[0]
		mine, theirs = mine[1:], theirs[1:]
		c.lines++
		switch {
		case m.matches(w):
		case m.event == w.event && known(m, w.text):
			c.listed++
		case stolenLeaf(m, w):
			c.stolen++
		case m.event == "funcgraph_exit" && len(mine) > 0 && mine[0].matches(w):
			c.extra++
			mine = mine[1:]
		default:
			bad++
			c.t.Errorf("%v:\n got %s %q\nwant %s %q", key, m.event, m.text, w.event, w.text)
		}
	}
	if len(mine) != 0 || len(theirs) != 0 {
		c.t.Errorf("%v: %d plugin lines and %d of the reference are left", key, len(mine), len(theirs))
	}
}

// stolenLeaf reports whether an entry is a leaf in the reference, but not in our text.
func stolenLeaf(m, w line) bool {
	if m.event != "funcgraph_entry" || w.event != m.event {
		return false
	}
	name, open := strings.CutSuffix(m.text, " {")
	leaf, ok := strings.CutSuffix(w.text, ";")
	_, a, _ := strings.Cut(name, "|")
	_, b, _ := strings.Cut(leaf, "|")
	return open && ok && a == b
}

// known reports whether testdata/differences.md explains the difference.
func known(l line, theirs string) bool {
	switch l.event {
	case "sched_switch":
		// Letters of states whose bits have changed since.
		m, n := stateOf.FindStringSubmatch(l.text), stateOf.FindStringSubmatch(theirs)
		return m != nil && n != nil && m[1] == n[1] && m[3] == n[3] && renamed.Replace(n[2]) == m[2]
	case "sched_wakeup", "sched_wakeup_new":
		return strings.Replace(theirs, "4294967295", "-1", 1) == l.text
	case "function":
		// Names of one address: the reference uses one name for the function and another for the
		// caller of the next function, which loses the indentation. The kernel prints the first
		// name, as we do.
		return strings.TrimLeft(l.text, " ") == strings.TrimLeft(theirs, " ") || syscallAlias(l.text, theirs)
	case "funcgraph_entry", "func_repeats":
		return syscallAlias(l.text, theirs)
	case BlkTrace:
		// The reference prints the pid or the action.
		return onlyNumber.MatchString(theirs) && blkText.MatchString(l.text)
	case "tlb_flush":
		// Reasons that the plugin of trace-cmd does not know.
		return named.MatchString(l.text) && named.ReplaceAllString(l.text, "$1$2") == theirs
	case "hrtimer_start", "hrtimer_expire_entry":
		return wrongOffset.ReplaceAllString(theirs, "/") == goodOffset.ReplaceAllString(l.text, "/")
	}
	return false
}

// syscallAlias reports whether two lines differ in the names of one system call only.
func syscallAlias(a, b string) bool {
	return a != b && aliases.ReplaceAllString(a, "") == aliases.ReplaceAllString(b, "")
}

var (
	onlyNumber  = regexp.MustCompile(`^-?\d+$`)
	blkText     = regexp.MustCompile(`^\d+,\d+ +[A-Z]+ +[FDWRNASM]+ (\d+ (\+ \d+ )?)?\[.*\]( \d+)?$`)
	aliases     = regexp.MustCompile(`__(?:do|x64|ia32)_sys_`)
	stateOf     = regexp.MustCompile(`^(.*\] )(\S+)( ==> .*)$`)
	named       = regexp.MustCompile(`( reason=)(?:remote (?:ipi|IPI) send|remote wrong CPU)( \([4-9]\))$`)
	renamed     = strings.NewReplacer("Z", "X", "X", "Z", "x", "P", "W", "I")
	wrongOffset = regexp.MustCompile(`/0xf{8,}[0-9a-f]+`)
	goodOffset  = regexp.MustCompile(`/0x[0-9a-f]+`)
)

// stream names one CPU of one buffer.
type stream struct {
	buffer string
	cpu    int32
}

// line is a line of a plugin's output.
type line struct {
	event, text string
	prefix      bool // text is the start of the line
}

func (l line) matches(m line) bool {
	if l.prefix {
		return l.event == m.event && strings.HasPrefix(m.text, l.text)
	}
	return l.event == m.event && l.text == m.text
}

type printed struct {
	lines map[stream][]line
	names map[string]bool // of the events that plugins print
}

func printRecording(t *testing.T, rec *ftrace.Recording) printed {
	info := rec.Info()
	target := ir.Target{BigEndian: info.ByteOrder.String() == "BigEndian", WordSize: info.WordSize}
	events, others := make(map[uint32]*ir.Event), make(map[uint32]*ir.Event)
	out := printed{make(map[stream][]line), make(map[string]bool)}
	named := map[string]int{}
	for _, f := range rec.Formats() {
		named[f.Name]++
	}
	for _, f := range rec.Formats() {
		// If two events have one name (one of a module's own tracepoint), the text does not
		// identify the event.
		if makers[f.System+":"+f.Name] == nil || named[f.Name] > 1 {
			others[uint32(f.ID)] = &ir.Event{Group: f.System, Name: f.Name, ID: uint32(f.ID)}
			continue
		}
		ev, diags := compiler.CompileEvent(f.System, f.Name, []byte(f.Text), target)
		if ev == nil {
			t.Fatalf("%s: %v", f.Name, diags)
		}
		events[uint32(f.ID)] = ev
	}
	ctx := &Context{
		Reference: true,
		Target:    target,
		Env: &render.Env{BigEndian: target.BigEndian, WordSize: target.WordSize,
			Symbols: kallsyms{rec.Symbols()}},
		Plain: func(*ir.Event) Handler { return func(dst []byte, _ *record.Record) []byte { return dst } },
		Event: func(id uint32) *ir.Event {
			if ev := events[id]; ev != nil {
				return ev
			}
			return others[id]
		},
		Comm: rec.Comm,
	}
	handlers := make(map[uint32]Handler)
	for id, ev := range events {
		if h := New(ev, ctx); h != nil {
			handlers[id] = h
			out.names[ev.Name] = true
		}
	}
	var streams []record.Stream[record.None]
	var buffers []string // by stream
	for _, b := range rec.Buffers() {
		for _, s := range b.Streams(ftrace.StreamOptions{}) {
			streams, buffers = append(streams, s), append(buffers, b.Name)
		}
	}
	rs := readAll(t, streams)
	now := 0
	consumed := make([]bool, len(rs)+1)
	ctx.Peek = func() *record.Record {
		if now+1 < len(rs) {
			return &rs[now+1]
		}
		return nil
	}
	ctx.Consume = func() { consumed[now+1] = true }
	for now = range rs {
		r := &rs[now]
		if before := events[r.ID-1]; events[r.ID] == nil && before != nil && before.Name == "user_stack" {
			ev := &ir.Event{Group: "ftrace", Name: BlkTrace, ID: r.ID}
			events[r.ID], handlers[r.ID] = ev, New(ev, ctx)
			out.names[ev.Name] = true
		}
		h := handlers[r.ID]
		if h == nil || consumed[now] {
			continue
		}
		ev := events[r.ID]
		key := stream{buffers[r.Stream], r.CPU}
		out.lines[key] = append(out.lines[key], line{ev.Name, string(h(nil, r)), ev.Group == "kmem"})
	}
	return out
}

// readAll returns copies of all records in time order.
func readAll(t *testing.T, streams []record.Stream[record.None]) (rs []record.Record) {
	t.Helper()
	m := record.Merge(streams, nil)
	for r := range m.All() {
		c := *r
		c.Data = append([]byte(nil), r.Data...)
		rs = append(rs, c)
	}
	if err := m.Err(); err != nil && err != io.EOF {
		t.Fatal(err)
	}
	return rs
}

// kallsyms is the table of a recording.
type kallsyms struct{ s *ftrace.Symbols }

func (k kallsyms) Symbol(addr uint64) (string, uint64, bool) {
	name, start, _, _, ok := k.s.Lookup(addr)
	return name, addr - start, ok
}

// referenceLine is `[buffer: ]comm-pid [cpu] time: event: text`; text begins in a fixed column.
var referenceLine = regexp.MustCompile(`^(?:(\S+): +)?.{16,}?-\d+ +\[(\d+)\] *[\d.]+: ((\S+): *.*)$`)

var lostEvents = regexp.MustCompile(`^CPU:\d+ \[.*EVENTS DROPPED\]$`)

// readReference returns the lines of the events named in names.
func readReference(t *testing.T, file string, names map[string]bool) map[stream][]line {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := zstd.NewReader(f, zstd.WithDecoderMaxWindow(1<<26), zstd.WithDecoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	out := make(map[stream][]line)
	var last *line
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		m := referenceLine.FindStringSubmatch(lines.Text())
		if m == nil {
			if last != nil && !lostEvents.MatchString(lines.Text()) {
				last.text += "\n" + lines.Text()
			}
			continue
		}
		last = nil
		if !names[m[4]] {
			continue
		}
		key := stream{buffer: m[1]}
		fmt.Sscan(strings.TrimLeft(m[2][:len(m[2])-1], "0")+m[2][len(m[2])-1:], &key.cpu)
		text := m[3]
		if n := len(m[4]) + 2; n < 22 {
			text = text[min(22, len(text)):]
		} else {
			text = text[min(n, len(text)):]
		}
		out[key] = append(out[key], line{event: m[4], text: text})
		last = &out[key][len(out[key])-1]
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}
