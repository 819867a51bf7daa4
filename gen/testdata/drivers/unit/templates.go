package unit

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"github.com/tracec/tracec/compiler"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/ir/irtest"
	"github.com/tracec/tracec/compiler/trcfmt"
	grammar "github.com/tracec/tracec/grammar/trcfmt"
)

// Template is what gen.Hook is.
type Template struct {
	ID     uint16
	Label  string
	Events [4]*ir.Event
}

// Templates makes AIX templates:
//
//	random SEED N    drawn programs, in place of lowered ones
//	drawn SEED N     drawn texts of templates, lowered
//	files FILE...    those of files, save those that cannot be structs
func Templates(args []string) ([]Template, error) {
	if args[0] == "files" {
		return files(args[1:])
	}
	seed, err1 := strconv.Atoi(args[1])
	n, err2 := strconv.Atoi(args[2])
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	if args[0] == "drawn" {
		return lowered("drawn.trcfmt", []byte(drawn(uint64(seed), n)))
	}
	out := make([]Template, n)
	for env := range 4 {
		target := ir.Target{BigEndian: true, WordSize: 4 + 4*(env/2)}
		for i := range n {
			ev := irtest.StreamEvent(target).Example(seed + n*env + i)
			ev.ID = uint32(i + 1)
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

// lowered compiles the templates of one file. Some cannot be structs (Clashes); none may fail otherwise.
func lowered(name string, text []byte) ([]Template, error) {
	f, errs := grammar.Parse(name, text)
	for _, e := range errs.Only(grammar.Failure) {
		return nil, e
	}
	result, _ := trcfmt.Compile(name, trcfmt.Options{}, f)
	var out []Template
	for _, t := range result.Templates {
		if len(t.Clashes) > 0 {
			continue
		}
		for _, ev := range t.Events {
			if err := ir.CheckEvent(ev); err != nil {
				return nil, fmt.Errorf("%s: %w", t.Stanza.Hook.Text, err)
			}
		}
		out = append(out, Template{t.Hook, t.Label, t.Events})
	}
	return out, nil
}
