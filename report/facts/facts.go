// Package facts defines the JSON output of commands about recordings: one object, which begins with
// the same keys for all commands.
//
// Within a version of the schema, keys may be added but not renamed. Missing facts have no key:
// there are no null values and no null lists. Times are integers, in nanoseconds where the key ends
// with _ns. Times of clocks without a unit of time end with _ticks.
package facts

import (
	"encoding/json"
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// A Document is the output of a command. R embeds Recording.
type Document[R any] struct {
	Schema     string `json:"schema"` // tracec-NAME/NUMBER
	Tracec     string `json:"tracec"` // version of tracec
	Limited    bool   `json:"limited,omitempty"`
	Recordings []R    `json:"recordings"`
}

// Schema returns the schema of the output of a command.
func Schema(command string) string { return "tracec-" + command + "/1" }

// Write writes a document.
func Write(w io.Writer, document any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(document)
}

// A Recording holds the facts that all commands print about a recording.
type Recording struct {
	File   string   `json:"file"`
	Format string   `json:"format,omitempty"` // the name of its report.System: ftrace, aix, uftrace, lttng
	Damage []Damage `json:"damage"`           // the first damaged places
	// DamagePlaces also counts damage beyond the list in Damage.
	DamagePlaces int64 `json:"damage_places"`
	Skipped      int64 `json:"skipped_bytes"`
}

// Damage is a place that could not be read.
type Damage struct {
	File    string `json:"file,omitempty"` // if the recording has several files
	Part    string `json:"part,omitempty"`
	Offset  int64  `json:"offset"`
	Message string `json:"message"`
	Skipped int64  `json:"skipped"`
}

// Of returns the facts about a recording, after reading it.
func Of(file, format string, rec record.Recording) Recording {
	stats := rec.DamageStats()
	r := Recording{File: file, Format: format, Damage: []Damage{}, DamagePlaces: stats.Count, Skipped: stats.Skipped}
	for _, d := range rec.Damage() {
		x := Damage{Part: d.Part, Offset: d.Offset, Message: d.Err.Error(), Skipped: d.Skipped}
		if d.Want != "" {
			x.Message += ": expected " + d.Want
		}
		if d.File != file {
			x.File = d.File
		}
		r.Damage = append(r.Damage, x)
	}
	return r
}

// Counts holds the numbers of events and of lost events.
type Counts struct {
	Span
	Count       int64 `json:"count"`
	Lost        int64 `json:"lost"`
	LostUnknown bool  `json:"lost_unknown"` // the size of some gaps is unknown
	Gaps        int64 `json:"gaps"`
}

// A Span holds the times of the first and the last event. It is absent without events.
type Span struct {
	BeginNS    *uint64 `json:"begin_ns,omitempty"`
	EndNS      *uint64 `json:"end_ns,omitempty"`
	BeginTicks *uint64 `json:"begin_ticks,omitempty"`
	EndTicks   *uint64 `json:"end_ticks,omitempty"`
}

// SpanOf returns a span.
func SpanOf(begin, end uint64, ticks bool) Span {
	if ticks {
		return Span{BeginTicks: &begin, EndTicks: &end}
	}
	return Span{BeginNS: &begin, EndNS: &end}
}

// Cover extends the span to include another.
func (s *Span) Cover(o Span) {
	s.BeginNS, s.EndNS = least(s.BeginNS, o.BeginNS), most(s.EndNS, o.EndNS)
	s.BeginTicks, s.EndTicks = least(s.BeginTicks, o.BeginTicks), most(s.EndTicks, o.EndTicks)
}

func least(a, b *uint64) *uint64 {
	if a == nil || b != nil && *b < *a {
		return b
	}
	return a
}

func most(a, b *uint64) *uint64 {
	if a == nil || b != nil && *b > *a {
		return b
	}
	return a
}

// Add adds the counts of a part.
func (c *Counts) Add(o Counts) {
	c.Cover(o.Span)
	c.Count += o.Count
	c.Lost += o.Lost
	c.LostUnknown = c.LostUnknown || o.LostUnknown
	c.Gaps += o.Gaps
}

// Number returns a pointer to a number. A nil pointer means that the number is absent.
func Number[N int | int32 | int64 | uint16 | uint32](n N) *int64 {
	v := int64(n)
	return &v
}
