package gen_test

import (
	"cmp"
	"flag"
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// The flags -drawn=1000 -files=200 -seed=N draw many other templates. 0 means the number for which
// tests have time.
var (
	drawn = flag.Int("drawn", 0, "how many templates to draw")
	files = flag.Int("files", 0, "how many files of templates to draw by trctest")
	seed  = flag.String("seed", "1", "what to draw them from")
)

// hooksOf makes the templates of unit.Templates.
func hooksOf(t testing.TB, source string, args []string) *ir.Unit {
	t.Helper()
	templates, err := unit.Templates(args)
	if err != nil {
		t.Fatal(err)
	}
	u := &ir.Unit{Lang: "trcfmt", Container: "github.com/tracec/tracec/runtime/aix", Entries: true, Sequential: true,
		Source: source, Target: ir.Target{BigEndian: true, WordSize: 8}}
	for _, h := range templates {
		id := fmt.Sprintf("%04X", h.ID)
		u.Events = append(u.Events, &ir.Event{Name: id, Ident: "Hook" + strings.TrimSuffix(id, "0"), Label: h.Label,
			ID: uint32(h.ID), Variants: h.Events[:]})
	}
	return u
}

// Generated templates and interp agree: text, end and values, for drawn programs, for drawn
// templates and for all templates in the repository.
func TestHooksAgreeWithInterp(t *testing.T) {
	ours, err := filepath.Glob("../*/*/testdata/*.trcfmt")
	if err != nil || len(ours) == 0 {
		t.Fatal("no templates", err)
	}
	var checks []func(*testing.T)
	for _, name := range append(ours, "../compiler/trcfmt/builtin.trcfmt",
		"../cmd/internal/bench/templates/busy.trcfmt") {
		full, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		checks = append(checks, agreeOnHooks(t, casesText(t, 30, 200), "files", full))
	}
	checks = append(checks, agreeOnHooks(t, casesText(t, 60, 200), "random", "1", casesText(t, 8, 60)),
		agreeOnHooks(t, "60", "drawn", *seed, strconv.Itoa(cmp.Or(*drawn, needs.Cases(t, 5, 150)))),
		agreeOnHooks(t, "60", "trctest", *seed, strconv.Itoa(cmp.Or(*files, needs.Cases(t, 2, 60)))))
	afterAll(t)
	for _, check := range checks {
		check(t)
	}
}

// agreeOnHooks generates decoders of templates. It returns a function that compares them on n
// records for each environment of every hook.
func agreeOnHooks(t *testing.T, n string, source ...string) (check func(*testing.T)) {
	t.Helper()
	m := newProgram(t)
	m.generate(hooksOf(t, "drawn", source), gen.Options{Package: "hooks", Text: true})
	args := append([]string{"templates", "hooks", n}, source...)
	compare := func(t *testing.T) {
		if source[0] != "random" {
			agree(t, 1, m.start(t), args...)
			return
		}
		for _, bin := range m.starts(t) {
			agree(t, 1, bin, args...)
		}
		m.of(t).cross([]string{"s390x"}, "./hooks")
		m.of(t).vet("./hooks")
	}
	return func(t *testing.T) { t.Run(source[0]+" "+filepath.Base(source[1]), compare) }
}
