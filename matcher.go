package tracec

import (
	"github.com/tracec/tracec/runtime/record"
)

// A Matcher reports whether WithEvents and WithFilter select a record. It serves callers that read
// records themselves, with generated Decoders or as reports do. It is for one goroutine.
type Matcher struct {
	// Comm returns the name of the thread of a record, or an empty string if it is unknown. If Comm
	// is nil, the Matcher follows names by the records that Match receives. For ftrace that is
	// enough. For other systems Match must receive all records, in the order of time.
	Comm func(*record.Record) string

	reader   *Reader
	subjects *subjects
}

// NewMatcher returns a Matcher for the records of rec. Its errors are the errors of [NewReader].
func NewMatcher(rec record.Recording, opts ...Option) (*Matcher, error) {
	r, err := NewReader(rec, opts...)
	if err != nil {
		return nil, err
	}
	return &Matcher{reader: r, subjects: newSubjects(r.source)}, nil
}

// Match reports whether a record is selected. entry is as in [Event.Entry].
func (m *Matcher) Match(r *record.Record, entry any) bool {
	t := m.reader.source.typeFor(r, entry)
	if t.choice != yielded && !t.chosenBy(&m.reader.chosen) {
		return false
	}
	if t.filter == nil {
		return true
	}
	comm := ""
	if t.filter.Comm {
		comm = m.comm(r, entry)
	}
	return m.subjects.pass(r, t, comm)
}

func (m *Matcher) comm(r *record.Record, entry any) string {
	if m.Comm != nil {
		return m.Comm(r)
	}
	return m.reader.source.commOf(r, entry)
}

// IDs returns all Record.ID that may be selected, for record.Options.IDs. Nil means all.
func (m *Matcher) IDs() []uint32 {
	ids, _ := m.reader.ids()
	return ids
}

// AsksComm reports whether a filter needs the names of threads.
func (m *Matcher) AsksComm() bool { return asksComm(m.reader.chosen.filters) }

// AsksTask reports whether a filter needs the ids of threads, in Record.Task of the records that
// Match receives.
func (m *Matcher) AsksTask() bool { return asks(m.reader.chosen.filters, "common_pid") }
