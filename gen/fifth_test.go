package gen_test

import (
	"go/scanner"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/lttng"
	"github.com/tracec/tracec/gen"
	"github.com/tracec/tracec/runtime/lttng"
)

// TestFifthSystem: a container that neither gen nor runtime/bind knows has decoders like the
// others. It uses the descriptions of another system, because a payload is only a payload.
func TestFifthSystem(t *testing.T) {
	u := &ir.Unit{Lang: "pigeon", Container: "generated/fifth/pigeon", Entries: true, Sequential: true,
		Target: target64}
	for name, format := range map[string]string{"status": "code %d", "arrival": "loft %s at %llu"} {
		fields, err := lttng.ParseFormat(format, lttng.Types{Int: 4, Long: 8, Pointer: 8, SizeT: 8})
		if err != nil {
			t.Fatal(err)
		}
		ev, err := compiler.Compile(&lttng.Marker{Name: name, Format: format, Fields: fields}, compiler.Rules{})
		if err != nil {
			t.Fatal(err)
		}
		u.Events = append(u.Events, ev)
	}
	m := newModule(t)
	m.generate(u, gen.Options{Package: "app", Text: true})
	m.driver("fifth")
	m.driver("fifth/pigeon")
	m.driver("fifth/pigeon/layout")
	out := m.must(nil, m.start("fifth", nil))
	want := `1 status -1 true { code = -1 }
2 arrival east 256 true { loft = "east", at = 256 }
3 other false 
4 short true 
{Other:1 Short:1} <nil>
2 arrival east 256
{Other:3 Short:0}
`
	if d := cmp.Diff(want, out); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	m.vet("./app")
}

// TestGenKnowsNoSystem: no file of gen or of runtime/bind names a system in its code.
func TestGenKnowsNoSystem(t *testing.T) {
	for _, pattern := range []string{"*.go", "../runtime/bind/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(files, err)
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			checkNames(t, name, text)
		}
	}
}

// checkNames reports identifiers, strings and imports that contain the name of a system.
func checkNames(t *testing.T, name string, text []byte) {
	if strings.HasSuffix(name, "_test.go") {
		return
	}
	var s scanner.Scanner
	set := token.NewFileSet()
	s.Init(set.AddFile(name, -1, len(text)), text, nil, 0) // comments are left out
	for {
		pos, tok, lit := s.Scan()
		if tok == token.EOF {
			return
		}
		if strings.Contains(lit, "netbsd") { // the list of operating systems has AIX
			continue
		}
		for _, system := range []string{"ftrace", "aix", "trcfmt", "uftrace", "lttng"} {
			if strings.Contains(strings.ToLower(lit), system) {
				t.Errorf("%s: %s", set.Position(pos), lit)
			}
		}
	}
}
