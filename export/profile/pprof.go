package profile

import (
	"compress/gzip"
	"io"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/tracec/tracec/export/columns"
)

// The numbers of the fields of profile.proto (github.com/google/pprof/proto/profile.proto).
// Messages are written immediately, one after the other. The package
// github.com/google/pprof/profile keeps all of them in memory, which takes several hundred bytes
// for each stack.
const (
	profileSampleType  = 1
	profileSample      = 2
	profileMapping     = 3
	profileLocation    = 4
	profileFunction    = 5
	profileString      = 6
	profileTime        = 9
	profileDuration    = 10
	profilePeriodType  = 11
	profilePeriod      = 12
	profileComment     = 13
	profileDefaultType = 14

	valueType, valueUnit = 1, 2

	sampleLocation, sampleValue, sampleLabel = 1, 2, 3

	labelKey, labelString, labelNumber = 1, 2, 3

	mappingID, mappingFile, mappingFunctions, mappingFiles, mappingLines = 1, 5, 7, 8, 9

	locationID, locationMapping, locationLine = 1, 2, 4

	lineFunction, lineLine = 1, 2

	// Without a system name, field 3, pprof does not parse names that look like C++.
	functionID, functionName, functionFile, functionStart = 1, 2, 4, 5
)

// message is a protobuf message under construction.
type message []byte

// number appends a number, unless it is 0.
func (m *message) number(field protowire.Number, v int64) {
	if v != 0 {
		*m = protowire.AppendVarint(protowire.AppendTag(*m, field, protowire.VarintType), uint64(v))
	}
}

func (m *message) bytes(field protowire.Number, b []byte) {
	*m = protowire.AppendBytes(protowire.AppendTag(*m, field, protowire.BytesType), b)
}

// pprofWriter writes a profile for pprof.
type pprofWriter struct {
	*Profile
	w        io.Writer
	err      error
	out, sub message
	packed   []byte
	strings  map[string]int64
	list     []string
	mappings map[string]int64
	known    map[frame]int64 // functions, by frames without their line
	places   []place
	at       []int32 // by stack: index in places
}

const flushSize = 64 << 10

// flush writes the buffer if it holds at least least bytes.
func (p *pprofWriter) flush(least int) {
	if len(p.out) >= least && p.err == nil {
		_, p.err = p.w.Write(p.out)
		p.out = p.out[:0]
	}
}

// text returns the place of a string in the table.
func (p *pprofWriter) text(s string) int64 {
	i, ok := p.strings[s]
	if !ok {
		i = int64(len(p.list))
		p.strings[s] = i
		p.list = append(p.list, s)
	}
	return i
}

// writePprof writes the profile as pprof reads it. The same recording gives the same bytes.
func (p *Profile) writePprof(w io.Writer) error {
	z := gzip.NewWriter(w)
	x := &pprofWriter{Profile: p, w: z, strings: map[string]int64{"": 0}, list: []string{""},
		mappings: map[string]int64{}, known: map[frame]int64{}}
	x.head()
	x.samples()
	x.locations()
	for _, s := range x.list {
		x.sub = columns.AppendValid(x.sub[:0], s)
		x.out.bytes(profileString, x.sub)
		x.flush(flushSize)
	}
	x.flush(0)
	if x.err != nil {
		return x.err
	}
	return z.Close()
}

// head writes the kinds of values and their origin.
func (p *pprofWriter) head() {
	for _, k := range p.kinds {
		p.sub = p.sub[:0]
		p.sub.number(valueType, p.text(k.name))
		p.sub.number(valueUnit, p.text(k.unit))
		p.out.bytes(profileSampleType, p.sub)
	}
	p.out.bytes(profilePeriodType, p.sub) // the last kind
	p.out.number(profilePeriod, 1)
	p.out.number(profileTime, p.wall)
	if !p.ticks {
		p.out.number(profileDuration, int64(p.end-min(p.start, p.end)))
	}
	p.out.number(profileComment, p.text(p.opts.Name))
	p.out.number(profileDefaultType, p.text(p.kinds[p.shown].name))
}

// samples writes the stacks.
func (p *pprofWriter) samples() {
	labels := make([]message, len(p.threads))
	for i := range p.threads {
		labels[i] = p.labels(&p.threads[i])
	}
	p.locate()
	nodes, roots, threads := p.tree.nodes, p.tree.roots(), p.byRoot()
	for i := range nodes {
		n := &nodes[i]
		if n.parent < 0 || n.count == 0 && n.value == 0 {
			continue
		}
		p.sub, p.packed = p.sub[:0], p.packed[:0]
		inside := false
		for at := int32(i); nodes[at].parent >= 0; at = nodes[at].parent {
			if !inside {
				p.packed = protowire.AppendVarint(p.packed, uint64(p.at[at])+1)
				p.places[p.at[at]].used = true
			}
			inside = p.tree.frames[nodes[at].frame].within
		}
		p.sub.bytes(sampleLocation, p.packed)
		p.packed = protowire.AppendVarint(p.packed[:0], uint64(n.count))
		at := threads[roots[i]]
		for k := range p.kinds[1:] {
			v := int64(0)
			if k+1 == p.threads[at].kind {
				v = n.value
			}
			p.packed = protowire.AppendVarint(p.packed, uint64(v))
		}
		p.sub.bytes(sampleValue, p.packed)
		p.sub = append(p.sub, labels[at]...)
		p.out.bytes(profileSample, p.sub)
		p.flush(flushSize)
	}
}

// labels returns the labels of the stacks of a thread.
func (p *pprofWriter) labels(th *thread) message {
	var m message
	text := func(key, s string) {
		p.sub = p.sub[:0]
		p.sub.number(labelKey, p.text(key))
		p.sub.number(labelString, p.text(s))
		m.bytes(sampleLabel, p.sub)
	}
	number := func(key string, n int32) {
		p.sub = p.sub[:0]
		p.sub.number(labelKey, p.text(key))
		p.sub.number(labelNumber, int64(n))
		m.bytes(sampleLabel, p.sub)
	}
	text("thread", th.name)
	if th.hasPD {
		text("process", th.process)
		number("pid", th.pid)
	}
	if th.hasID {
		number("tid", th.tid)
	}
	return m
}

// fieldUnit returns the unit of a field, which its name determines, in the words of pprof and
// speedscope.
func fieldUnit(name string) string {
	if strings.Contains(name, "bytes") {
		return "bytes"
	}
	return "count"
}

func (p *Profile) timeUnit() string {
	if p.ticks {
		return "ticks"
	}
	return "nanoseconds"
}
