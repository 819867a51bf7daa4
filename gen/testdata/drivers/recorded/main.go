// Package recorded runs generated decoders on recordings. It compares their results with the values
// that compiler/interp reads by the recording's own description.
//
//	recorded text NAME FILE...     texts of decoders that were generated from the formats of the same kernel
//	recorded values NAME FILE...   members, elements and strings of decoders from any kernel
package recorded

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	lower "github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/gen/testdata/drivers/decoders"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// Main runs the driver with the arguments of a command line, without its name.
func Main(args []string) {
	for _, file := range args[2:] {
		rec, err := ftrace.Open(file)
		if err != nil {
			panic(err)
		}
		c := &comparison{file: filepath.Join(filepath.Base(filepath.Dir(file)), filepath.Base(file)), events: own(rec)}
		switch args[0] {
		case "text":
			c.texts(rec, decoders.Of[record.None](args[1]))
		case "values":
			c.values(rec, decoders.Of[record.None](args[1]))
		}
		fmt.Printf("%s: %d texts, %d events differ (%d of %d events unknown)\n", c.file, c.compared, len(c.bad), c.missing, c.wanted)
		rec.Close()
	}
}

type comparison struct {
	file                      string
	events                    map[uint32]*event // by id
	compared, missing, wanted int
	bad                       map[string]bool
}

// event holds the recording's description of its own records.
type event struct {
	*ir.Event
	target  ir.Target
	program *interp.Program
	readers map[*ir.Field]*interp.Reader
}

func own(rec *ftrace.Recording) map[uint32]*event {
	target := ir.Target{BigEndian: rec.Info().ByteOrder == binary.BigEndian, WordSize: rec.Info().WordSize}
	events := map[uint32]*event{}
	for _, f := range rec.Formats() {
		ev, _ := lower.CompileEvent(f.System, f.Name, []byte(f.Text), target)
		if ev == nil {
			continue
		}
		p, err := interp.Compile(ev, target)
		if err != nil {
			panic(err)
		}
		e := &event{Event: ev, target: target, program: p, readers: map[*ir.Field]*interp.Reader{}}
		for _, f := range ev.Fields {
			e.readers[f] = interp.NewReader(f, target)
		}
		events[ev.ID] = e
	}
	return events
}

// differs reports one difference for each event.
func (c *comparison) differs(e *event, format string, args ...any) {
	name := e.Group + ":" + e.Name
	if c.bad == nil {
		c.bad = map[string]bool{}
	}
	if !c.bad[name] && len(c.bad) < 20 {
		fmt.Printf("%s: %s: %s\n", c.file, name, fmt.Sprintf(format, args...))
	}
	c.bad[name] = true
}

// each calls fn for the records of events that the recording describes.
func (c *comparison) each(rec *ftrace.Recording, fn func(*event, *record.Record)) {
	for _, s := range rec.Streams(ftrace.StreamOptions{}) {
		for {
			batch, err := s.Next()
			for i := range batch.Records {
				if e := c.events[batch.Records[i].ID]; e != nil {
					fn(e, &batch.Records[i])
				}
			}
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				panic(err)
			}
		}
	}
}

func (c *comparison) texts(rec *ftrace.Recording, g *decoders.Generated[record.None]) {
	d, err := g.Bind(rec, bind.Unfit(func(string, error) {}))
	if err != nil {
		panic(err)
	}
	env := &render.Env{BigEndian: rec.Info().ByteOrder == binary.BigEndian, WordSize: rec.Info().WordSize}
	m := interp.NewMachine(env)
	var got, want []byte
	unknown := map[uint32]bool{}
	c.each(rec, func(e *event, r *record.Record) {
		var ok bool
		if got, ok = d.AppendText(got[:0], r, nil, env); !ok {
			unknown[r.ID] = true
			return
		}
		want = m.AppendText(want[:0], e.program, r.Data)
		c.compared++
		if !bytes.Equal(got, want) {
			c.differs(e, "\n got %q\nwant %q", got, want)
		}
	})
	c.missing, c.wanted = len(unknown), len(c.events)
}
