package gen_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/gen/testdata/drivers/unit"
	"github.com/tracec/tracec/internal/testkit/needs"
)

// TestStem checks that outputs of all languages with different stems form one package that
// compiles. The same holds for two outputs of one language.
func TestStem(t *testing.T) {
	m := newModule(t)
	write := func(u *ir.Unit, base, stem string) {
		t.Helper()
		files, err := gen.Generate(u, gen.Options{Package: "all", Base: base, Text: true, Stem: stem})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range files {
			if strings.Contains(string(f.Content), "// Package all ") {
				t.Errorf("%s has a package comment", f.Name)
			}
			types := regexp.MustCompile(`, Type: "([^"]*)`).FindAllStringSubmatch(string(f.Content), -1)
			for _, m := range types { // the table has the names as they are declared
				if !strings.HasPrefix(m[1], strings.ToUpper(stem[:1])+stem[1:]) {
					t.Errorf("%s: the type %s has no stem", f.Name, m[1])
				}
			}
			m.write("all/"+f.Name, f.Content)
		}
	}
	u, err := unit.Load([]string{"le64", "recording", "../testdata/ftrace/amd64-extract.dat", "1"})
	if err != nil {
		t.Fatal(err)
	}
	u.Events = slices.DeleteFunc(u.Events, func(ev *ir.Event) bool {
		return ev.Group != "sched" || !strings.HasPrefix(ev.Name, "sched_sw")
	})
	write(u, "sched", "Sched")
	write(u, "again", "again")
	write(hooksOf(t, "hooks", []string{"files", "testdata/hooks/hooks.trcfmt"}), "hooks", "Shop")
	calls := functions("", function("", "open", "open", payload(t, arg(1, 4)), payload(t, arg(1, 8))))
	write(calls, "calls", "App")
	write(&ir.Unit{Lang: "lttng", Container: "github.com/tracec/tracec/runtime/lttng", Entries: true, Sequential: true,
		Target: target64, Events: []*ir.Event{marker("fs", "open", payload(t, arg(1, 4)))}}, "markers", "Kernel")
	m.write("all/doc.go", []byte("package all\n\nvar (\n\t_, _ = SchedBind(nil, SchedSchedSwitchEvent)\n\t_ SchedDecoder\n\t_ = SchedPackage\n\t_ AgainSchedSwitch\n\t_ ShopUserEvent\n\t_ AppOpenArgs\n\t_ = AppOpenReturnEvent\n\t_ KernelFSOpen\n)\n"))
	m.build(nil, "./all")
	if needs.LongProofs(t) { // this compiles the standard library once more
		m.build(nil, "-tags", "purego", "./all")
	}
	m.vet("./all")
	for _, bad := range []string{"9", "a b", "_x"} {
		if _, err := gen.Generate(calls, gen.Options{Package: "all", Stem: bad}); err == nil {
			t.Errorf("the stem %q", bad)
		}
	}
}
