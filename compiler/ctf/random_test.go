package ctf_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	compiler "github.com/tracec/tracec/compiler/ctf"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/programs"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

func texts(t *testing.T, dir string) string {
	rec, err := ctf.Open(dir)
	if err != nil {
		return err.Error()
	}
	defer rec.Close()
	var out bytes.Buffer
	p := programs.NewPrinter(&render.Env{WordSize: 8})
	progs := map[uint32]*programs.Program{}
	m := rec.Merge(record.Options{})
	for r, x := range m.All() {
		prog := progs[r.ID]
		if prog == nil {
			ev, err := compiler.Compile(x.Event, false, compiler.Default)
			if err != nil {
				t.Log(dir, x.Event.Name.Name, err)
			}
			prog = programs.NewProgram(ev, ir.Target{WordSize: 8}, err, nil)
			progs[r.ID] = prog
		}
		fmt.Fprintf(&out, "%020d %s: ", x.Cycles, x.Event.Name.Name)
		out.Write(p.Append(nil, prog, r.Data))
		if p.Outcome.Reason != 0 {
			fmt.Fprintf(&out, " SHORT %v of %d", p.Outcome, len(r.Data))
		}
		out.WriteByte('\n')
	}
	if err := m.Err(); err != nil {
		fmt.Fprintln(&out, err)
	}
	for _, d := range rec.Damage() {
		fmt.Fprintln(&out, d)
	}
	return out.String()
}

func TestRandom(t *testing.T) {
	dirs, _ := filepath.Glob("/tmp/ctf/random/random/random/*")
	good, bad := 0, 0
	for _, d := range dirs {
		want, err := os.ReadFile(filepath.Join("/tmp/ctf/random/random.text/random.text", filepath.Base(d), "expected.txt"))
		if err != nil {
			t.Log(err)
			continue
		}
		got := texts(t, d)
		got, want = sorted(got), []byte(sorted(string(want)))
		if got == string(want) {
			good++
			continue
		}
		if bad++; bad > 12 {
			continue
		}
		g, w := strings.Split(got, "\n"), strings.Split(string(want), "\n")
		for i := range w {
			if i >= len(g) || g[i] != w[i] {
				x := "<end>"
				if i < len(g) {
					x = g[i]
				}
				t.Logf("%s:%d\ngot  %.500s\nwant %.500s", filepath.Base(d), i, x, w[i])
				break
			}
		}
	}
	t.Log(good, bad)
}

func sorted(s string) string {
	l := strings.Split(s, "\n")
	slices.Sort(l)
	return strings.Join(l, "\n")
}
