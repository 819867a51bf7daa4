package facts

import "github.com/tracec/tracec/runtime/record"

// An Info is the output of tracec info: the metadata of a recording, and results of reading all its
// events.
type Info struct {
	Recording
	Counts
	Kind        string   `json:"kind"`
	ByteOrder   string   `json:"byte_order"`     // big or little
	Word        int      `json:"word,omitempty"` // bytes of a long
	Compression string   `json:"compression,omitempty"`
	Clock       string   `json:"clock,omitempty"`
	Kernel      string   `json:"kernel,omitempty"`
	Machine     string   `json:"machine,omitempty"` // architecture of the recorded machine
	Host        string   `json:"host,omitempty"`
	Recorder    string   `json:"recorder,omitempty"`
	Described   int64    `json:"described,omitempty"` // number of described events
	Options     []Option `json:"options"`
	Buffers     []Buffer `json:"buffers"`
	CPUs        []Stream `json:"cpus"` // parts that are read sequentially: CPUs, threads, or files

	// Text is the same in the text format of the system.
	Text []byte `json:"-"`
}

// Option is an option of a trace.dat.
type Option struct {
	ID     uint16 `json:"id"`
	Name   string `json:"name,omitempty"`
	Bytes  int    `json:"bytes"`
	Offset int64  `json:"offset"`
}

// Buffer is a buffer of ftrace.
type Buffer struct {
	Name     string `json:"name,omitempty"` // name of the instance
	Clock    string `json:"clock,omitempty"`
	PageSize int    `json:"page_size,omitempty"`
	Text     int64  `json:"text_bytes,omitempty"` // text of a latency tracer, instead of events
}

// Stream is one part of a recording.
type Stream struct {
	Buffer string `json:"buffer,omitempty"` // buffer of an instance
	File   string `json:"file,omitempty"`
	CPU    *int64 `json:"cpu,omitempty"`
	TID    *int64 `json:"tid,omitempty"`
	Events int64  `json:"events"`
	Span
	Bytes       *int64 `json:"bytes,omitempty"`
	Offset      *int64 `json:"offset,omitempty"`
	Calls       *int64 `json:"calls,omitempty"` // calls among Events
	Returns     *int64 `json:"returns,omitempty"`
	Lost        int64  `json:"lost"`
	LostUnknown bool   `json:"lost_unknown,omitempty"`
	Gaps        int64  `json:"gaps"`
}

// NewInfo returns an Info with the metadata of a recording.
func NewInfo(kind string, rec record.Recording) *Info {
	m := rec.Machine()
	i := &Info{
		Kind: kind, ByteOrder: "little", Word: m.WordSize, Clock: m.Clock, Machine: m.Arch, Host: m.Host,
		Options: []Option{}, Buffers: []Buffer{}, CPUs: []Stream{},
	}
	if m.BigEndian {
		i.ByteOrder = "big"
	}
	return i
}

// Add adds a part.
func (i *Info) Add(s Stream) {
	i.Counts.Add(Counts{Span: s.Span, Count: s.Events, Lost: s.Lost, LostUnknown: s.LostUnknown, Gaps: s.Gaps})
	i.CPUs = append(i.CPUs, s)
}
