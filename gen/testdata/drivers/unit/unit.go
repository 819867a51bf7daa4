// Package unit makes the units from which tests of gen generate code, in the tests and in the
// programs that they build.
package unit

import (
	"archive/tar"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/tracec/tracec/compiler/ftrace"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/internal/testkit/irtest"
	"github.com/tracec/tracec/runtime/bind"
	reader "github.com/tracec/tracec/runtime/ftrace"
)

// Load makes a unit for the target args[0], such as le64:
//
//	le64 random SEED N
//	le64 formats events-all.tar.zst N    every Nth event
//	le64 recording FILE N                every Nth event
func Load(args []string) (*ir.Unit, error) {
	target := ir.Target{BigEndian: strings.HasPrefix(args[0], "be"), WordSize: 8}
	if strings.HasSuffix(args[0], "32") {
		target.WordSize = 4
	}
	if args[1] == "formats" {
		u, err := formats(args[2], target)
		if err != nil {
			return nil, err
		}
		return u, every(u, args[3])
	}
	if args[1] == "recording" {
		u, err := recording(args[2], target)
		if err != nil {
			return nil, err
		}
		return u, every(u, args[3])
	}
	seed, err1 := strconv.Atoi(args[2])
	n, err2 := strconv.Atoi(args[3])
	if err := errors.Join(err1, err2); err != nil {
		return nil, err
	}
	return irtest.Unit(target, n).Example(seed), nil
}

// every keeps every nth event of u.
func every(u *ir.Unit, nth string) error {
	n, err := strconv.Atoi(nth)
	if err != nil {
		return err
	}
	kept := u.Events[:0]
	for i, ev := range u.Events {
		if i%n == 0 {
			kept = append(kept, ev)
		}
	}
	u.Events = kept
	return nil
}

func formats(name string, target ir.Target) (*ir.Unit, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := zstd.NewReader(f)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	var sources []ftrace.Source
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if path.Base(h.Name) != "format" {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		sources = append(sources, ftrace.Source{System: path.Base(path.Dir(path.Dir(h.Name))), Name: h.Name, Text: text})
	}
	u, _ := ftrace.Compile(path.Base(path.Dir(name)), sources, target)
	if len(u.Events) == 0 {
		return nil, fmt.Errorf("%s: no formats", name)
	}
	return u, nil
}

// recording lowers the formats in a recording, including the formats of its dynamic events.
func recording(name string, target ir.Target) (*ir.Unit, error) {
	rec, err := reader.Open(name)
	if err != nil {
		return nil, err
	}
	defer rec.Close()
	var sources []ftrace.Source
	for _, f := range rec.Formats() {
		sources = append(sources, ftrace.Source{System: f.System, Name: f.Name, Text: []byte(f.Text)})
	}
	u, _ := ftrace.Compile(path.Base(name), sources, target)
	return u, nil
}

// Describe describes the records of u like a recording, with the positions in u as ids.
func Describe(u *ir.Unit) bind.Source {
	events := make([]bind.Event, len(u.Events))
	for i, ev := range u.Events {
		events[i] = bind.Event{Group: ev.Group, Name: ev.Name, ID: uint32(i), BigEndian: u.Target.BigEndian, Size: ev.Size}
		for _, f := range ev.Fields {
			events[i].Fields = append(events[i].Fields, bind.Field{
				Name: f.Name, Offset: f.Offset, Size: f.Size, Kind: bind.Kind(f.Kind), Elem: f.Elem,
				Signed: f.Signed, Rel: f.Rel, Text: f.Text,
			})
		}
	}
	return bind.Sources(events)
}
