package plugin

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// TestReference prints synthetic records and compares the texts with trace-cmd 3.1.6. A case is a
// file in testdata: the machine, the formats, the records (CPU, time, bytes) and a text section per
// set of -O options. A line of text starts with two blanks. `-` is the reference where ours, the
// `+` below it, is right (testdata/differences.md has the reasons). PLAIN means the event's own
// print fmt.
func TestReference(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := loadCase(t, file)
			for _, text := range c.texts {
				t.Run(text.options, func(t *testing.T) {
					got := c.print(t, text.options)
					if diff := cmp.Diff(text.want, got); diff != "" {
						t.Errorf("texts differ (-want +got):\n%s", diff)
					}
				})
			}
		})
	}
}

// TestTruncated cuts every record of every case at every byte: no handler may panic or read on.
func TestTruncated(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		c := loadCase(t, file)
		handlers := c.handlers(t, c.context(t, "tailprint depth parent"))
		for _, r := range c.records {
			full := r.Data
			for n := range full {
				r.Data = full[:n:n]
				if h := handlers[r.ID]; h != nil {
					dst := h([]byte("prefix"), &r)
					if !bytes.HasPrefix(dst, []byte("prefix")) {
						t.Fatalf("%s: event %d cut to %d bytes: prefix lost: %q", file, r.ID, n, dst)
					}
				}
			}
		}
	}
}

func TestAllocations(t *testing.T) {
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, file := range files {
		c := loadCase(t, file)
		ctx := c.context(t, "parent offset tailprint depth")
		handlers := c.handlers(t, ctx)
		dst := make([]byte, 0, 1<<16)
		next := 0
		ctx.Peek = func() *record.Record {
			if next < len(c.records) {
				return &c.records[next]
			}
			return nil
		}
		run := func() {
			for i := range c.records {
				next = i + 1
				if h := handlers[c.records[i].ID]; h != nil {
					dst = h(dst[:0], &c.records[i])
				}
			}
		}
		if n := testing.AllocsPerRun(5, run); n != 0 {
			t.Errorf("%s: %v allocations a run, want none", file, n)
		}
	}
}

// referenceCase is one file of testdata.
type referenceCase struct {
	target  ir.Target
	events  map[uint32]*ir.Event
	records []record.Record
	texts   []referenceText
}

type referenceText struct {
	options string
	want    []string
}

func loadCase(t testing.TB, file string) *referenceCase {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	c := &referenceCase{events: make(map[uint32]*ir.Event)}
	for _, f := range txtar.Parse(data).Files {
		switch name, rest, _ := strings.Cut(f.Name, " "); {
		case name == "target":
			var order string
			fmt.Sscan(string(f.Data), &order, &c.target.WordSize)
			c.target.BigEndian = order == "big"
		case name == "records":
			c.records = parseRecords(t, string(f.Data), c.target)
		case name == "text":
			c.texts = append(c.texts, referenceText{rest, parseText(string(f.Data))})
		case strings.HasPrefix(name, "format/"):
			parts := strings.Split(name, "/")
			ev, diags := ftrace.CompileEvent(parts[1], name, f.Data, c.target)
			if ev == nil {
				t.Fatalf("%s: %v", name, diags)
			}
			c.events[ev.ID] = ev
		}
	}
	return c
}

func parseRecords(t testing.TB, text string, target ir.Target) (out []record.Record) {
	t.Helper()
	for line := range strings.Lines(text) {
		var r record.Record
		var data string
		if _, err := fmt.Sscan(line, &r.CPU, &r.Time, &data); err != nil {
			t.Fatalf("record %q: %v", line, err)
		}
		b, err := hex.DecodeString(data)
		if err != nil {
			t.Fatal(err)
		}
		r.Data = b
		r.ID = uint32(word(b[:2], target.BigEndian))
		r.Task = int32(word(b[4:8], target.BigEndian))
		out = append(out, r)
	}
	return out
}

func parseText(text string) (want []string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if !strings.HasPrefix(line, "- ") {
			want = append(want, line[2:])
		}
	}
	return want
}

// context makes the Context of one run. The name of the text section sets the options.
func (c *referenceCase) context(t testing.TB, options string) *Context {
	t.Helper()
	opts := &Options{}
	for _, o := range strings.Fields(options) {
		if err := opts.Set(o); err != nil {
			t.Fatal(err)
		}
	}
	return &Context{
		Reference: true,
		Target:    c.target,
		Env:       &render.Env{BigEndian: c.target.BigEndian, WordSize: c.target.WordSize, Symbols: testSymbols},
		Plain:     plainText,
		Event:     func(id uint32) *ir.Event { return c.events[id] },
		Options:   opts,
	}
}

func plainText(*ir.Event) Handler {
	return func(dst []byte, _ *record.Record) []byte { return append(dst, "PLAIN"...) }
}

func (c *referenceCase) handlers(t testing.TB, ctx *Context) map[uint32]Handler {
	t.Helper()
	out := make(map[uint32]Handler)
	for id, ev := range c.events {
		if out[id] = New(ev, ctx); out[id] == nil {
			t.Errorf("no handler for %s:%s", ev.Group, ev.Name)
		}
	}
	return out
}

// print runs the handlers over the records as a report does: in time order, with one record of
// look-ahead in the same CPU.
func (c *referenceCase) print(t *testing.T, options string) (got []string) {
	t.Helper()
	ctx := c.context(t, options)
	handlers := c.handlers(t, ctx)
	rs := append([]record.Record(nil), c.records...)
	sort.SliceStable(rs, func(i, j int) bool { return rs[i].Time < rs[j].Time })
	consumed := make([]bool, len(rs))
	now := 0
	peek := func() int {
		for i := now + 1; i < len(rs); i++ {
			if rs[i].CPU == rs[now].CPU {
				return i
			}
		}
		return -1
	}
	ctx.Peek = func() *record.Record {
		if i := peek(); i >= 0 {
			return &rs[i]
		}
		return nil
	}
	ctx.Consume = func() { consumed[peek()] = true }
	for now = range rs {
		h := handlers[rs[now].ID]
		if consumed[now] || h == nil {
			continue
		}
		got = append(got, escaper.Replace(string(h(nil, &rs[now]))))
	}
	return got
}

var escaper = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`)

// symbols is the kallsyms of the synthetic recordings.
type symbols []struct {
	addr uint64
	name string
}

func (s symbols) Symbol(addr uint64) (string, uint64, bool) {
	i := sort.Search(len(s), func(i int) bool { return s[i].addr > addr }) - 1
	// The last symbol has no end: only its very address is inside.
	if i < 0 || i == len(s)-1 && s[i].addr != addr {
		return "", 0, false
	}
	return s[i].name, addr - s[i].addr, true
}

var testSymbols = symbols{
	{0xffffffff81000000, "_stext"}, {0xffffffff81000100, "foo"}, {0xffffffff81000200, "bar"},
	{0xffffffff81000300, "mod_fn"},
	{0xffffffff81010000, "a"}, {0xffffffff81010100, "b"}, {0xffffffff81010200, "c"}, {0xffffffff81010300, "d"},
	{0xffffffff81010400, "e"},
	{0xffffffff81010500, "f"}, {0xffffffff81010600, "g"}, {0xffffffff81010700, "h"}, {0xffffffff81010800, "i"},
	{0xffffffff81010900, "j"},
	{0xffffffff81100000, "end"},
}
