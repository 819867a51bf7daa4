package main

import (
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tracec/tracec/cmd/internal/bench/ust"
	"github.com/tracec/tracec/internal/testkit/ctftest/repeat"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// Names that the table of CTF refers to.
const (
	ctfWalk      = "CTF walk, time order"
	ctfTyped     = "CTF typed, time order"
	ctfReport    = "tracec babeltrace2"
	ctfReference = "babeltrace2"
)

// ctfSample is the trace to repeat.
const ctfSample = "testdata/ctf/lttng/lttng-2.13.ust-channels.tar.zst"

// ctfSize is the size of the repeated trace in bytes.
const ctfSize = 74 << 20

// ctfMeasurements are the measurements of the trace in the Common Trace Format.
var ctfMeasurements = []measurement{
	{ctfWalk, "every event in time order, its time, kind and payload found", walkCTF},
	{ctfTyped, "the 11 kinds of events of the program (94 of 100), of which one field is read", decodeCTF},
}

func walkCTF(path string) (int64, error) {
	rec, err := ctf.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitMerged(rec.Merge(record.Options{}))
}

// decodeCTF decodes the events of the program.
func decodeCTF(path string) (int64, error) {
	return typedCTF(path, inTime[*ctf.Recording, ctf.Entry]((*sums).ust))
}

// decodeCTFBeside is decodeCTF on several goroutines.
func decodeCTFBeside(path string, p bind.Slicing) (int64, error) {
	return typedCTF(path, beside[*ctf.Recording, ctf.Entry](p, (*sums).ust))
}

func typedCTF(path string, run func(*ctf.Recording, *ust.Decoder, *sums) error) (int64, error) {
	return typed(func() (*ctf.Recording, error) { return ctf.Open(path) },
		func(rec *ctf.Recording) (*ust.Decoder, error) { return ust.Bind(rec) }, run)
}

// ust adds the events of a loop.
func (s *sums) ust(events iter.Seq2[*record.Record, any]) {
	for _, e := range events {
		s.events++
		switch v := e.(type) {
		case *ust.ZooPut:
			s.sum += uint64(v.Key)
		case *ust.ZooGet:
			s.sum += uint64(v.Key)
		case *ust.ZooInts:
			s.sum += v.U64
		case *ust.ZooKeywords:
			s.sum += uint64(v.Event)
		case *ust.ZooSequences:
			s.sum += v.S64Length
		case *ust.ZooTexts:
			s.sum += uint64(v.After)
		}
	}
}

// ctfTrace returns the repeated trace. If it is missing, it makes it.
func (o options) ctfTrace() (string, error) {
	trace := filepath.Join(o.dir, "ctf-74M")
	if exists(trace) {
		return trace, nil
	}
	return trace, o.repeatCTF(trace, ctfSize)
}

// allCTF makes the trace unless it exists, and measures it.
func (o options) allCTF() ([]result, error) {
	trace, err := o.ctfTrace()
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	rows := append(measured("", ctfMeasurements, ctfSize, self, trace),
		row{ctfReport, "the text of every event, to /dev/null", ctfSize, []string{o.tracec(), "babeltrace2", trace}})
	if _, err := exec.LookPath(ctfReference); err == nil {
		rows = append(rows, row{ctfReference, "the reference, same trace", ctfSize, []string{ctfReference, trace}})
	}
	return o.inTurn(rows), nil
}

// repeatCTF unpacks the sample and repeats the file with most of its events, to size bytes.
func (o options) repeatCTF(trace string, size int) error {
	part := trace + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.MkdirAll(part, 0o755); err != nil {
		return err
	}
	if err := command("tar", "--zstd", "-xf", ctfSample, "-C", part); err != nil {
		return err
	}
	err := filepath.WalkDir(part, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
			return err
		case strings.HasSuffix(path, ".idx"):
			return os.Remove(path)
		case d.Name() != "many_1": // the others have few events
			return nil
		}
		once, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, repeat.Packets(once, size), 0o644)
	})
	if err != nil {
		return err
	}
	return os.Rename(part, trace)
}

const ctfTitle = "\n## Common Trace Format\n"

// writeCTF prints the table of the trace in the Common Trace Format.
func writeCTF(w io.Writer, o options, m machine, list []result) {
	if len(list) == 0 {
		return
	}
	events := countEvents(list)
	fmt.Fprintf(w, ctfTitle+"\nThe packets of `%s` repeated with later times:\n"+
		"%d MB, %.2f M events. The same machine, %s, %s, best of %d runs.\n"+
		"`go run ./cmd/internal/bench -ctf -runs %d` writes this part alone.\n\n",
		ctfSample, ctfSize/1_000_000, float64(events)/1e6, m.golang, m.date, o.runs, o.runs)
	writeRows(w, list, events)
	fmt.Fprintln(w)
	writeRatio(w, goodResults(list), ctfReport, ctfReference)
}
