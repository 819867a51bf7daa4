package unit

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/trcfmt"
	"github.com/tracec/tracec/grammar/diag"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/internal/testkit/trctest"
)

// Template is a hook, in all environments.
type Template struct {
	ID     uint16
	Label  string
	Events [4]*ir.Event
}

// Templates makes AIX templates:
//
//	random SEED N    drawn programs, in place of lowered ones, and drawn layouts of values that follow one another
//	drawn SEED N     drawn texts of templates, lowered
//	trctest SEED N   n files that package trctest draws
//	files FILE...    the templates of the files
//	mutants DIR      the templates of damaged files, each once; texts that do not parse are left out
//
// Templates that cannot be structs have no values. Templates with more values than a struct may
// have are left out, as in tracec gen, because the Go compiler would take gigabytes for one.
func Templates(args []string) ([]Template, error) {
	if args[0] == "files" {
		return files(args[1:])
	}
	if args[0] == "mutants" {
		return mutants(args[1])
	}
	seed, err1 := strconv.Atoi(args[1])
	n, err2 := strconv.Atoi(args[2])
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if args[0] == "drawn" {
		return lowered("drawn.trcfmt", []byte(drawn(uint64(seed), n)))
	}
	if args[0] == "trctest" {
		return tested(seed, n)
	}
	out, values := make([]Template, n), make([][]*ir.Field, n)
	for i := range values {
		draw := irtest.Values()
		if i%3 == 0 {
			draw = irtest.Sequential()
		}
		values[i] = draw.Example(seed + i)
	}
	for env := range 4 {
		target := ir.Target{BigEndian: true, WordSize: 4 + 4*(env/2)}
		for i := range n {
			var ev *ir.Event
			if i%3 == 0 {
				ev = irtest.SequentialEvent(values[i], target)
			} else {
				ev = irtest.StreamEventOf(target, values[i]).Example(seed + n*env + i)
			}
			ev.ID = uint32(i + 1)
			ev.Variant, ev.WordSize = trcfmt.Envs[env].Constant(), target.WordSize
			ev.Decode = compiler.ValuesOnly(ev.Text)
			out[i].ID, out[i].Label, out[i].Events[env] = uint16(i+1), "DRAWN", ev
		}
	}
	return out, nil
}

func files(names []string) ([]Template, error) {
	var out []Template
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		some, err := lowered(name, text)
		if err != nil {
			return nil, err
		}
		out = append(out, some...)
	}
	return out, nil
}

// tested compiles files that all have the same hooks, and numbers their templates.
func tested(seed, n int) ([]Template, error) {
	var out []Template
	for i := range n {
		some, err := lowered("drawn.trcfmt", []byte(trctest.File().Example(seed+i)))
		if err != nil {
			return nil, err
		}
		for _, t := range some {
			out = numbered(out, t)
		}
	}
	return out, nil
}

// numbered appends a template with a unique id.
func numbered(list []Template, t Template) []Template {
	t.ID = uint16(len(list) + 1)
	for _, ev := range t.Events {
		ev.ID = uint32(t.ID)
	}
	return append(list, t)
}

// mutants compiles damaged files. Most of their templates also occur in other files.
func mutants(dir string) ([]Template, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		return nil, err
	}
	var out []Template
	seen := map[string]bool{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		f, _ := grammar.Parse(name, text)
		some, err := compiled(name, f)
		if err != nil {
			return nil, err
		}
		for _, t := range some {
			var b bytes.Buffer
			for _, ev := range t.Events {
				id := ev.ID
				ev.ID = 0
				if err := ev.Dump(&b); err != nil {
					return nil, err
				}
				ev.ID = id
			}
			if key := b.String(); !seen[key] && len(out) < math.MaxUint16 {
				seen[key] = true
				out = numbered(out, t)
			}
		}
	}
	return out, nil
}

// lowered compiles the templates of one file. All must succeed.
func lowered(name string, text []byte) ([]Template, error) {
	f, errs := grammar.Parse(name, text)
	for _, e := range errs.Worst(diag.Error) {
		return nil, e
	}
	return compiled(name, f)
}

func compiled(name string, f *grammar.File) ([]Template, error) {
	result, _ := trcfmt.Compile(name, trcfmt.Options{}, f)
	var out []Template
	for _, t := range result.Templates {
		if slices.ContainsFunc(t.Clashes, func(d diag.Diagnostic) bool { return d.Code == "too-many-fields" }) {
			continue
		}
		for _, ev := range t.Events {
			if len(t.Clashes) > 0 { // gen makes no struct from these
				ev.Fields, ev.Decode = ev.Fields[:1:1], nil
			}
			if err := ir.CheckEvent(ev); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Stanza.Hook.Text, err)
			}
		}
		out = append(out, Template{t.Hook, t.Label, t.Events})
	}
	return out, nil
}
