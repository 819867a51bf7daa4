package gen_test

import (
	"flag"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
)

// With -drawn=1000 -files=200 -seed=N the templates that are drawn are many and others.
var (
	drawn = flag.String("drawn", amount("150", "25"), "how many templates to draw")
	files = flag.String("files", amount("60", "8"), "how many files of templates to draw by trctest")
	seed  = flag.String("seed", "1", "what to draw them from")
)

// amount is how much to draw with the long proofs and without.
func amount(long, short string) string {
	if proofs {
		return long
	}
	return short
}

// hooksOf makes the templates of unit.Templates.
func hooksOf(t testing.TB, source string, args []string) *ir.Unit {
	t.Helper()
	templates, err := unit.Templates(args)
	if err != nil {
		t.Fatal(err)
	}
	u := &ir.Unit{Lang: "trcfmt", Container: "github.com/tracec/tracec/runtime/aix", Entries: true, Sequential: true, Source: source, Target: ir.Target{BigEndian: true, WordSize: 8}}
	for _, h := range templates {
		id := fmt.Sprintf("%04X", h.ID)
		u.Events = append(u.Events, &ir.Event{Name: id, Ident: "Hook" + strings.TrimSuffix(id, "0"), Label: h.Label, ID: uint32(h.ID), Variants: h.Events[:]})
	}
	return u
}

// Generated templates and interp agree: text, end and values, for drawn programs, for drawn templates and for all
// templates in the repository.
func TestHooksAgreeWithInterp(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	ours, err := filepath.Glob("../*/*/testdata/*.trcfmt")
	if err != nil || len(ours) == 0 {
		t.Fatal("no templates", err)
	}
	for _, name := range append(ours, "../compiler/trcfmt/builtin.trcfmt", "../cmd/internal/bench/templates/busy.trcfmt") {
		full, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		agreeOnHooks(t, "200", "files", full)
	}
	agreeOnHooks(t, "200", "random", "1", "60")
	agreeOnHooks(t, "60", "drawn", *seed, *drawn)
	agreeOnHooks(t, "60", "trctest", *seed, *files)
}

func agreeOnHooks(t *testing.T, n string, source ...string) {
	t.Run(source[0]+" "+filepath.Base(source[1]), func(t *testing.T) {
		hooks := hooksOf(t, "drawn", source)
		m := newModule(t)
		m.driver("templates")
		out, err := gen.Generate(hooks, gen.Options{Package: "hooks", Text: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range out {
			m.write("hooks/"+f.Name, f.Content)
		}
		args := append([]string{n}, source...)
		if source[0] != "random" {
			agree(t, m, 1, m.start("templates", nil), args...)
			return
		}
		for _, bin := range m.starts("templates") {
			agree(t, m, 1, bin, args...)
		}
		m.cross([]string{"s390x"}, "./hooks")
		m.vet("./hooks")
	})
}
