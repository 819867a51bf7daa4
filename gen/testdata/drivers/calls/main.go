// Package calls compares generated decoders of uftrace's functions with compiler/interp: their text
// and the values in their structs, for the contents of recordings and for random payloads.
//
//	calls N NAME=DIR...    with N random payloads for each side of every function
package calls

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/compiler/uftrace/recorded"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	n, err := strconv.Atoi(args[0])
	if err != nil {
		panic(err)
	}
	for _, arg := range args[1:] {
		name, dir, _ := strings.Cut(arg, "=")
		rec, err := uftrace.Open(dir)
		if err != nil {
			panic(err)
		}
		d, err := decoders.Of[uftrace.Entry](name).Bind(rec)
		if err != nil {
			panic(err)
		}
		c := &comparison{d: d, target: ir.Target{BigEndian: rec.Info().BigEndian, WordSize: rec.Info().WordSize}}
		c.programs(rec)
		c.recorded(rec)
		c.random(rec, n)
		fmt.Printf("%s: %d texts, %d events differ\n", name, c.texts, c.bad)
	}
}

type comparison struct {
	d          *bind.Decoder[uftrace.Entry]
	target     ir.Target
	sides      map[[2]int32]*side // by symbol and kind
	texts, bad int
}

// side is the call or the return of a function, compiled by the interpreter.
type side struct {
	event        *ir.Event
	text, values *interp.Program
}

// programs compiles every function for the interpreter.
func (c *comparison) programs(rec *uftrace.Recording) {
	c.sides = map[[2]int32]*side{}
	builtin := compiler.ParseEnums(rec.Info().EnumAuto)
	for _, s := range rec.Symbols() {
		for kind, specs := range [][]uftrace.Spec{s.Args, s.Results} {
			if len(specs) == 0 {
				continue
			}
			f := compiler.Function{Module: s.Module.Name, Name: s.Simple, Exit: kind == 1, Values: recorded.Values(specs)}
			own := compiler.Enums{}
			for name, text := range s.Module.Enums {
				own[name] = compiler.ParseEnums(text)[name]
			}
			ev, err := compiler.Compile(f, compiler.Options{Enums: []compiler.Enums{own, builtin}})
			if err != nil {
				panic(err)
			}
			only := *ev
			only.Text = ev.Decode
			c.sides[[2]int32{s.Index, int32(kind)}] = &side{ev, c.compile(ev), c.compile(&only)}
		}
	}
}

func (c *comparison) compile(ev *ir.Event) *interp.Program {
	p, err := interp.CompileValues(ev, c.target)
	if err != nil {
		panic(err)
	}
	return p
}

// recorded compares all records.
func (c *comparison) recorded(rec *uftrace.Recording) {
	for _, s := range rec.Streams(record.Options{}) {
		for {
			batch, err := s.Next()
			if err != nil {
				break
			}
			for i := range batch.Records {
				c.one(&batch.Records[i], &batch.Entries[i], true)
			}
		}
	}
}

// random compares drawn payloads: complete ones with strings of any length, cut ones, and noise.
func (c *comparison) random(rec *uftrace.Recording, n int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for _, s := range rec.Symbols() {
		for kind, specs := range [][]uftrace.Spec{s.Args, s.Results} {
			for range n {
				if c.sides[[2]int32{s.Index, int32(kind)}] == nil {
					break
				}
				data := c.payload(rng, specs)
				switch rng.IntN(4) {
				case 0:
					data = data[:rng.IntN(len(data)+1)]
				case 1:
					for range 1 + rng.IntN(3) {
						if len(data) > 0 {
							data[rng.IntN(len(data))] = byte(rng.Uint32())
						}
					}
				}
				c.one(&record.Record{ID: s.ID(uftrace.Kind(kind)), Data: data}, &uftrace.Entry{Kind: uftrace.Kind(kind), Sym: s, More: true}, false)
			}
		}
	}
}

func (c *comparison) payload(rng *rand.Rand, specs []uftrace.Spec) (data []byte) {
	for _, s := range specs {
		n := s.Size
		if s.Format == 's' || s.Format == 'S' {
			length := rng.IntN(20)
			if hi := byte(0); c.target.BigEndian {
				data = append(data, hi, byte(length))
			} else {
				data = append(data, byte(length), hi)
			}
			n = length
		}
		for range n {
			data = append(data, byte(rng.Uint32()>>rng.IntN(8)))
		}
		for len(data)%4 != 0 {
			data = append(data, 0xaa)
		}
	}
	return data
}

// one compares one record. Functions of modules without records are not compiled.
func (c *comparison) one(r *record.Record, x *uftrace.Entry, must bool) {
	if x.Kind > uftrace.Leave || x.Sym == nil {
		return
	}
	s := c.sides[[2]int32{x.Sym.Index, int32(x.Kind)}]
	if s == nil {
		return
	}
	if _, ok := c.d.AppendText(nil, r, x, &render.Env{}); !ok && !must {
		return
	}
	c.texts++
	if !c.agrees(s, r, x) {
		c.bad++
	}
}

func (c *comparison) agrees(s *side, r *record.Record, x *uftrace.Entry) bool {
	env := func() *render.Env {
		return &render.Env{BigEndian: c.target.BigEndian, WordSize: c.target.WordSize, Outcome: &render.Outcome{}}
	}
	reference, world := env(), env()
	m := interp.NewMachine(reference)
	want := m.AppendText([]byte("before "), s.text, r.Data)
	got, ok := c.d.AppendText([]byte("before "), r, x, world)
	if !ok || !bytes.Equal(got, want) || *reference.Outcome != *world.Outcome {
		fmt.Printf("%s ok=%v\n got %q %v\nwant %q %v\ndata %x\n", s.event.Name, ok, got, *world.Outcome, want, *reference.Outcome, r.Data)
		return false
	}
	kept := irtest.NewKept(s.event)
	end := env()
	m = interp.NewMachine(end)
	m.Keep = kept.Keep
	m.AppendText(nil, s.values, r.Data)
	short := end.Outcome.Reason == render.ExitShort
	e, ok := decoders.Decode(c.d, r, x)
	if !ok || e.IsValid() == short || c.d.Event(r).Exit != s.event.Exit {
		fmt.Printf("%s: decoded %v, short %v, want %v\ndata %x\n", s.event.Name, ok, !e.IsValid(), short, r.Data)
		return false
	}
	wide := slices.ContainsFunc(s.event.Values(), func(f *ir.Field) bool { return strings.Contains(f.CType, "/f80") }) // need math/big
	if n := decoders.Allocations(func() { got, _ = c.d.AppendText(got[:0], r, x, world) }); n != 0 && !wide {
		fmt.Printf("%s: %v allocations\n", s.event.Name, n)
		return false
	}
	if short {
		return true
	}
	if why := kept.Differs(e); why != "" {
		fmt.Printf("%s: %s\ndata %x\n", s.event.Name, why, r.Data)
		return false
	}
	return true
}
