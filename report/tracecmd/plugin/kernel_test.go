package plugin

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// TestKernel prints records of the kernel's tracers and compares with the kernel's own text of the
// same buffer, without the sizes of symbols, which a recording does not have. (No text of the
// wakeup tracer was saved. Texts of its other buffers have this form.)
func TestKernel(t *testing.T) {
	files, err := filepath.Glob("testdata/kernel/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			c := loadCase(t, file)
			handlers := kernelHandlers(t, c, file)
			var got []string
			for i := range c.records {
				got = append(got, escaper.Replace(string(handlers[c.records[i].ID](nil, &c.records[i]))))
			}
			if diff := cmp.Diff(c.texts[0].want, got); diff != "" {
				t.Errorf("texts differ (-want +got):\n%s", diff)
			}
			dst := make([]byte, 0, 1<<12)
			if n := testing.AllocsPerRun(5, func() {
				for i := range c.records {
					dst = handlers[c.records[i].ID](dst[:0], &c.records[i])
				}
			}); n != 0 {
				t.Errorf("%v allocations a run, want none", n)
			}
			for i := range c.records { // cut records: no panic
				r := c.records[i]
				for n := range r.Data {
					cut := r
					cut.Data = r.Data[:n:n]
					handlers[r.ID](nil, &cut)
				}
			}
		})
	}
}

// kernelHandlers makes the handlers of a case, with its symbols and names of tasks.
func kernelHandlers(t *testing.T, c *referenceCase, file string) map[uint32]Handler {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	names := map[int32]string{}
	var table functions
	for _, f := range txtar.Parse(data).Files {
		for line := range strings.Lines(string(f.Data)) {
			var addr uint64
			var pid int32
			var name string
			switch f.Name {
			case "symbols":
				fmt.Sscanf(line, "%x %s", &addr, &name)
				table = append(table, function{addr, name})
			case "comms":
				fmt.Sscan(line, &pid, &name)
				names[pid] = name
			}
		}
	}
	env := &render.Env{BigEndian: c.target.BigEndian, WordSize: c.target.WordSize, Symbols: table}
	machine := interp.NewMachine(env)
	ctx := &Context{
		Target: c.target, Env: env,
		Comm: func(pid int32) string { return names[pid] },
		Plain: func(ev *ir.Event) Handler {
			prog, err := interp.Compile(ev, c.target)
			if err != nil {
				t.Fatal(err)
			}
			return func(dst []byte, r *record.Record) []byte { return machine.AppendText(dst, prog, r.Data) }
		},
	}
	handlers := map[uint32]Handler{}
	for id, ev := range c.events {
		if handlers[id] = NewKernel(ev, ctx); handlers[id] == nil {
			t.Fatalf("no handler for %s:%s", ev.Group, ev.Name)
		}
	}
	return handlers
}

// functions are kernel symbols. A symbol ends at most a page after its start.
type functions []function

type function struct {
	addr uint64
	name string
}

func (s functions) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	offset = 1 << 12
	for _, f := range s {
		if f.addr <= addr && addr-f.addr < offset {
			name, offset, ok = f.name, addr-f.addr, true
		}
	}
	return name, offset, ok
}

// TestKernelStackMarker: ftrace's own code in a stack (FTRACE_TRAMPOLINE_MARKER) has the name that
// the kernel gives it. trace-cmd 3.1.6 prints the number, `=> 7fffffff`, in the recordings
// function-func-stack.
func TestKernelStackMarker(t *testing.T) {
	ev := &ir.Event{Group: "ftrace", Name: "kernel_stack",
		Fields: []*ir.Field{{Name: "caller", Kind: ir.Tail, Offset: 16}}}
	data := make([]byte, 24)
	copy(data[16:], "\xff\xff\xff\x7f\x00\x00\x00\x00")
	r := &record.Record{Data: data}
	for _, tt := range []struct {
		h    Handler
		want string
	}{
		{NewKernel(ev, &Context{}), "<stack trace>\n => [FTRACE TRAMPOLINE]"},
		{New(ev, &Context{}), "<stack trace >\n=> [FTRACE TRAMPOLINE]"},
		{New(ev, &Context{Reference: true}), "<stack trace >\n=> 7fffffff"},
	} {
		if got := string(tt.h(nil, r)); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// TestDurations compares with the kernel's text of function_graph in raw-function_graph and
// graph-args, and with trace-cmd 3.1.6.
func TestDurations(t *testing.T) {
	kernel, reference := &Context{}, &Context{Reference: true}
	for _, tt := range []struct {
		ns                uint64
		kernel, reference string
	}{
		{891, "  0.891 us   ", "  0.891 us   "},
		{480161, "! 480.161 us ", "! 480.161 us "},
		{1388486, "# 1388.486 us ", "# 1388.486 us "},
		{21656977, "* 21656.97 us ", "# 21656.977 us "},
		{224099245, "@ 224099.2 us ", "# 224099.245 us "},
		{1000000001, "$ 1000000 us ", "$ 1000000 us "},
	} {
		if got := string(kernel.putDuration(nil, tt.ns)); got != tt.kernel {
			t.Errorf("%d ns: %q, the kernel has %q", tt.ns, got, tt.kernel)
		}
		if got := string(reference.putDuration(nil, tt.ns)); got != tt.reference {
			t.Errorf("%d ns: %q, trace-cmd has %q", tt.ns, got, tt.reference)
		}
	}
}

// TestJiffies: only trace-cmd's own command line shows jiffies as milliseconds. Elsewhere the text
// follows the print fmt.
func TestJiffies(t *testing.T) {
	c := loadCase(t, "testdata/jbd2.txtar")
	for _, ev := range c.events {
		ctx := c.context(t, "")
		ctx.Reference = false
		if New(ev, ctx) != nil {
			t.Errorf("%s has the plugin's text", ev.Name)
		}
	}
}
