package own

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/grammar/diag"
)

// Check compiles the package with a newly made decoder instead of the present one. It returns the
// errors in the rest of the package, such as a use of a Decoder that was renamed, or of a struct
// that was removed. Such errors do not prevent generating, because often another generator has yet
// to make a file. A package that had no error before is not compiled again. Directives in test
// files are also warnings.
func (s *Structs) Check(ctx context.Context, decoder []byte) (warnings diag.List, err error) {
	warnings = s.inTests()
	if !s.broken {
		return warnings, nil
	}
	pkg, err := s.load(ctx, decoder)
	if err != nil {
		return nil, err
	}
	for _, e := range pkg.Errors {
		if e.Kind != packages.TypeError || strings.HasPrefix(e.Msg, "could not import ") &&
			strings.HasPrefix(e.Pos, s.file+":") {
			continue // the go command repeats errors of go/types, and reports missing modules itself
		}
		warnings = append(warnings, s.warning(e.Pos, e.Msg))
	}
	return warnings, nil
}

var placeInFile = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(.*):(\d+):(\d+)$`) })

// warning returns a diagnostic for an error of go/types.
func (s *Structs) warning(pos, msg string) diag.Diagnostic {
	at := diag.Position{Filename: s.short(pos)}
	if m := placeInFile().FindStringSubmatch(at.Filename); m != nil {
		at.Filename = m[1]
		at.Line, _ = strconv.Atoi(m[2])
		at.Column, _ = strconv.Atoi(m[3])
	}
	return diag.Diagnostic{Pos: at, Severity: diag.Warning, Code: "into-package",
		Msg: strings.Join(strings.Fields(msg), " ")}
}

// Dir is the absolute directory of the package.
func (s *Structs) Dir() string { return s.dir }

// Events are the events of the structs as the directives name them, sorted.
func (s *Structs) Events() (names []string) {
	for _, x := range s.list {
		names = append(names, x.Event)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Choose makes the generator use only structs of events that match selects. label is another name
// of the event. Label and group may be empty.
func (s *Structs) Choose(match func(group, name, label string) bool) { s.match = match }

// chooses reports whether a struct is selected.
func (s *Structs) chooses(x *Struct, ev *ir.Event) bool {
	if s.match == nil {
		return true
	}
	group := ev.Group
	// the module of a function whose name is in no other module
	if before, _, ok := strings.Cut(x.Event, ":"); group == "" && ok {
		group = before
	}
	return s.match(group, ev.Name, ev.Label)
}
