package gen

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/internal/name"
)

// Options are the options of Generate.
type Options struct {
	// Package is the name of the generated package. In a split output it is the name of the root
	// package.
	Package string
	// Base is the name of the main file without .go. If empty, it is Package.
	Base string
	// Text also generates the text of events.
	Text bool
	// Version is the version of tracec, for the first line of every file.
	Version string
	// Stem is a prefix for all names that the files declare at package level, so that two outputs
	// fit into one package: SchedBind.
	Stem string
	// Shared reports that the package also has files that are not generated. One of them then has
	// the package comment.
	Shared bool
	// Split writes one package for each group, in sub-directories, and a root package whose Bind
	// binds them all.
	Split bool
	// ImportPath is the import path of the output directory. Only Split needs it.
	ImportPath string
}

// File is one generated file. Name is relative to the output directory, with slashes.
type File struct {
	Name    string
	Content []byte
}

// Generate writes the Go code of all events of u. It does not change u. The same input gives the
// same bytes, in any order of events.
//
// An error names the event that cannot be generated and the reason. No files are returned then.
func Generate(u *ir.Unit, opts Options) ([]File, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if err := ir.Check(u); err != nil {
		return nil, fmt.Errorf("gen: %w", err)
	}
	if len(u.Events) == 0 {
		return nil, errors.New("gen: no events to generate")
	}
	system, err := systemOf(u)
	if err != nil {
		return nil, err
	}
	if u.Sequential {
		if opts.Split {
			return nil, fmt.Errorf("gen: events of %s make one package: leave out the split", u.Lang)
		}
		p, err := planPayloads(u, system, opts)
		if err != nil {
			return nil, err
		}
		p.addStem(opts.Stem)
		return opts.write(p.files(opts), u.Source)
	}
	events, err := sorted(u.Events)
	if err != nil {
		return nil, err
	}
	if opts.Split {
		return generateSplit(u, system, events, opts)
	}
	p, err := plan(opts.Package, u.Target, system, events, false)
	if err != nil {
		return nil, err
	}
	p.useText(opts.Text)
	p.addStem(opts.Stem)
	return opts.write(p.files(opts, opts.Base), u.Source)
}

var baseName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_]*$`) })

func (o *Options) check() error {
	if o.Base == "" {
		o.Base = o.Package
	}
	switch {
	case !token.IsIdentifier(o.Package) || o.Package == "_":
		return fmt.Errorf("gen: %q cannot be the name of a Go package", o.Package)
	case !baseName().MatchString(o.Base):
		return fmt.Errorf("gen: %q cannot be the name of a Go file: want letters, digits and _", o.Base)
	case constrained(o.Base):
		return fmt.Errorf("gen: the go command builds %s.go only for tests or for one kind of machine: use another name, such as %s_gen.go", o.Base, o.Base)
	case o.Stem != "" && (!token.IsIdentifier(o.Stem) || !unicode.IsLetter(rune(o.Stem[0]))):
		return fmt.Errorf("gen: %q cannot begin a Go name", o.Stem)
	case o.Stem != "" && o.Split:
		return errors.New("gen: a split output is many packages: leave out the stem")
	case o.Split && o.ImportPath == "":
		return errors.New("gen: a split output needs the import path of its directory")
	}
	return nil
}

// constrained reports whether the go command derives a build constraint from the file name.
func constrained(base string) bool {
	return strings.HasSuffix(base, "_test") || len(name.Tags(base)) > 0
}

// sorted returns the events, folded, sorted by name. It rejects events that no recording could
// bind.
func sorted(events []*ir.Event) ([]*ir.Event, error) {
	out := make([]*ir.Event, len(events))
	for i, e := range events {
		folded := *e
		compiler.Fold(&folded)
		out[i] = &folded
	}
	slices.SortStableFunc(out, func(a, b *ir.Event) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	for i, e := range out[1:] {
		if e.Group == out[i].Group && e.Name == out[i].Name {
			return nil, fmt.Errorf("gen: event %s is described twice (ids %d and %d): leave one out",
				eventLabel(e.Group, e.Name), out[i].ID, e.ID)
		}
	}
	return out, nil
}

// plan names and lays out the events of one package.
func plan(name string, target ir.Target, s system, events []*ir.Event, split bool) (*pkg, error) {
	names := eventNames(events, split)
	taken := make(map[string]int, len(names))
	for i, n := range names {
		if j, ok := taken[n]; ok || decoderReserved[n] {
			return nil, fmt.Errorf("gen: events %s and %s both become the Go name %s: leave one out",
				eventLabel(events[i].Group, events[i].Name), eventLabel(events[j].Group, events[j].Name), n)
		}
		taken[n] = i
	}
	p, err := newPackage(name, target, events, names)
	if err != nil {
		return nil, fmt.Errorf("gen: %w", err)
	}
	p.system = s
	return p, nil
}
