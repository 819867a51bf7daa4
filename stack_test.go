package tracec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tracec/tracec"
)

// TestStacks compares stacks with the output of trace-cmd report: every frame, with its name in the
// recording.
func TestStacks(t *testing.T) {
	for _, name := range []string{"i386-userstack", "amd64-triggers"} {
		lines := saved(t, "testdata/ftrace/"+name+".report.txt.zst")
		var want []string
		for i, l := range lines {
			if !strings.Contains(l, "_stack: ") {
				continue
			}
			at := len(want)
			want = append(want, strings.TrimSpace(strings.TrimPrefix(l[strings.Index(l, "_stack: ")+8:], " ")))
			for _, frame := range lines[i+1:] {
				if !strings.HasPrefix(strings.TrimSpace(frame), "=>") {
					break
				}
				want[at] += strings.TrimSpace(frame)
			}
		}
		n := 0
		var stack []uint64
		for ev := range newReader(t, openFtrace(t, name)).All() {
			if ev.Type.Stack() == tracec.NoStack {
				continue
			}
			if n == len(want) {
				t.Fatalf("%s: more than %d stacks", name, n)
			}
			stack = ev.AppendStack(stack[:0])
			for _, a := range stack {
				text := fmt.Sprintf("=> 0x%x", a)
				if ev.Type.Stack() == tracec.KernelStack {
					text = fmt.Sprintf("(%x)", a)
					if sym, _, ok := ev.Symbol(a); ok {
						text = sym + " " + text
					}
				}
				if !strings.Contains(want[n], text) {
					t.Fatalf("%s: stack %d has %s: %s", name, n, text, want[n])
				}
			}
			if ev.Type.Stack() == tracec.UserStack {
				if zeros := strings.Count(want[n], "=> 0x0"); strings.Count(want[n], "=>")-zeros != len(stack) {
					t.Fatalf("%s: stack %d has %d frames: %s", name, n, len(stack), want[n])
				}
			} else if strings.Count(want[n], "=>") != len(stack) {
				t.Fatalf("%s: stack %d has %d frames: %s", name, n, len(stack), want[n])
			}
			n++
		}
		if n == 0 || n != len(want) {
			t.Errorf("%s: %d stacks, want %d", name, n, len(want))
		}
	}
}

// TestWithStacks: only events that the patterns select have stacks.
func TestWithStacks(t *testing.T) {
	type seen struct {
		name   string
		time   uint64
		number int
	}
	walk := func(opts ...tracec.Option) (list []seen) {
		for ev := range newReader(t, openFtrace(t, "made-kmem"), opts...).All() {
			list = append(list, seen{ev.Type.Name, ev.Time, ev.Type.Number})
		}
		return list
	}
	var want []seen
	last, stacks := "", 0
	for _, e := range walk() { // one processor
		if e.name != "kernel_stack" {
			last = e.name
		}
		if last == "kmalloc" {
			want = append(want, e)
			if e.name != last {
				stacks++
			}
		}
	}
	got := walk(tracec.WithEvents("kmalloc"), tracec.WithStacks())
	if len(got) != len(want) || stacks == 0 || stacks == len(want) {
		t.Fatalf("%d events, want %d, %d of them stacks", len(got), len(want), stacks)
	}
	numbers := map[string]int{}
	for i, e := range got {
		if e.name != want[i].name || e.time != want[i].time {
			t.Errorf("%+v, want %+v", e, want[i])
		}
		numbers[e.name] = e.number
	}
	if len(numbers) != 2 || numbers["kmalloc"]+numbers["kernel_stack"] != 1 {
		t.Errorf("types have the numbers %v", numbers)
	}
	if n := len(walk(tracec.WithEvents("kmalloc"))); n != len(want)-stacks {
		t.Errorf("%d events without stacks, want %d", n, len(want)-stacks)
	}
}
