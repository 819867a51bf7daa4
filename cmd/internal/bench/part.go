package main

import (
	"bytes"
	"errors"
	"io"
)

// part is a part of BENCHMARKS.md.
type part struct {
	flag  string
	what  string
	title string // the start of its text
	kept  bool   // measured only on request, as root, or by hand
	write func(o options, w io.Writer) error
}

// parts are the parts of the page in order.
var parts = []part{
	{"trace", "a trace of ftrace", traceTitle, false, measuring(options.allTrace, writeReport)},
	{"aix", "the AIX stream", hooksTitle, false, measuring(options.allHooks, writeHooks)},
	{"uftrace", "the recordings of uftrace", callsTitle, false, measuring(options.allCalls, writeCalls)},
	{"lttng-only", "the trace of LTTng", markersTitle, false, measuring(options.allMarkers, writeMarkers)},
	{"ctf", "the trace in the Common Trace Format", ctfTitle, false, measuring(options.allCTF, writeCTF)},
	{"perf", "the recording of perf", perfTitle, false, measuring(options.allPerf, writePerf)},
	{"memory", "memory", memoryTitle, false, measuring(options.memory, writeMemory)},
	{"parallel", "several numbers of workers", speedupsTitle, false, measuring(options.speedups, writeSpeedups)},
	{"exports", "exports", exportsTitle, false, measuring(options.exports, writeExports)},
	{title: "\n## Derived tables\n", kept: true}, // measured by hand
	{"live", "readers of the running kernel, which needs root,", liveTitle, true, measuring(options.live, writeLive)},
}

// measuring joins the two functions of a part: measure returns results, and write prints them.
func measuring[T any](
	measure func(options) (T, error), write func(io.Writer, options, machine, T),
) func(options, io.Writer) error {
	return func(o options, w io.Writer) error {
		found, err := measure(o)
		if err == nil {
			write(w, o, describeMachine(), found)
		}
		return err
	}
}

// page measures the selected part, or all parts. It returns the page old with the new parts.
func (o options) page(old []byte) ([]byte, error) {
	if o.only != nil {
		var text bytes.Buffer
		err := o.only.write(o, &text)
		if err == nil && text.Len() == 0 {
			err = errors.New("what is to be measured is not there")
		}
		return replacePart(old, o.only.title, text.Bytes()), err
	}
	var page bytes.Buffer
	for _, p := range parts {
		if p.kept {
			page.Write(partOf(old, p.title))
		} else if err := p.write(o, &page); err != nil {
			return nil, err
		}
	}
	return page.Bytes(), nil
}

// replacePart replaces the part with a title, or appends it. A part extends to the next title.
func replacePart(page []byte, title string, part []byte) []byte {
	before, rest, found := bytes.Cut(page, []byte(title))
	if !found {
		return append(page, part...)
	}
	return append(append(bytes.Clone(before), part...), rest[len(untilTitle(rest)):]...)
}

// partOf returns the part with a title, or nil.
func partOf(page []byte, title string) []byte {
	_, rest, found := bytes.Cut(page, []byte(title))
	if !found {
		return nil
	}
	return append([]byte(title), untilTitle(rest)...)
}

// untilTitle returns the text before the next title.
func untilTitle(text []byte) []byte {
	if i := bytes.Index(text, []byte("\n## ")); i >= 0 {
		return text[:i]
	}
	return text
}
