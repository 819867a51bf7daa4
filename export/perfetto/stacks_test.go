package perfetto_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestStacks: kernel stacks have the functions at their addresses, outermost first.
func TestStacks(t *testing.T) {
	names, err := filepath.Glob("../../testdata/ftrace/*.dat")
	if err != nil {
		t.Fatal(err)
	}
	more, err := filepath.Glob(filepath.Join(needs.SharedData(t), "ftrace/*/*stack*.dat"))
	if err != nil {
		t.Fatal(err)
	}
	stacks := 0
	for _, name := range append(names, more...) {
		rec := open(t, name)
		got := decodeStacks(t, export(t, rec))
		for ev := range newReader(t, rec).All() {
			if ev.Type.System != "ftrace" || ev.Type.Name != "kernel_stack" {
				continue
			}
			caller, _ := ev.Field("caller")
			want := []string{}
			for i := range caller.Len() {
				if addr := caller.Elem(i).Uint(); addr != 0 {
					name, _, ok := ev.Symbol(addr)
					if !ok {
						name = fmt.Sprintf("%#x", addr)
					}
					want = append([]string{name}, want...)
				}
			}
			if len(want) == 0 {
				continue
			}
			if len(got) == 0 || got[0].time != ev.Time || got[0].tid != int64(ev.Task) ||
				strings.Join(got[0].functions, " ") != strings.Join(want, " ") {
				t.Fatalf("%s: %+v, want %s", name, got, want)
			}
			got = got[1:]
			stacks++
		}
		if len(got) > 0 {
			t.Errorf("%s: %d stacks more", name, len(got))
		}
	}
	if stacks == 0 {
		t.Error("no recording of stacks")
	}
}

// stack is a decoded stack.
type stack struct {
	time      uint64
	tid       int64
	functions []string
}

func decodeStacks(t *testing.T, b []byte) (list []stack) {
	functions, frames, callstacks := map[uint64]string{}, map[uint64]string{}, map[uint64][]string{}
	for _, packet := range decode(t, b)[1] {
		p := decode(t, packet.data)
		if p.num(13)&1 != 0 && p.num(10) > 1<<20 {
			clear(functions)
			clear(frames)
			clear(callstacks)
		}
		in := p.sub(t, 12)
		for _, v := range in[5] {
			m := decode(t, v.data)
			functions[m.num(1)] = m.text(2)
		}
		for _, v := range in[6] {
			m := decode(t, v.data)
			frames[m.num(1)] = functions[m.num(2)]
		}
		for _, v := range in[7] {
			m := decode(t, v.data)
			for _, frame := range m[2] {
				callstacks[m.num(1)] = append(callstacks[m.num(1)], frames[frame.num])
			}
		}
		if ev := p.sub(t, 11); ev != nil {
			list = append(list, stack{p.num(8), int64(ev.sub(t, 4).num(4)), callstacks[ev.num(56)]})
		}
	}
	return list
}
