package report

import (
	"github.com/tracec/tracec"
	"github.com/tracec/tracec/runtime/record"
)

// Matcher returns the matcher for Options.Filters, or nil without filters. The error is a
// *UsageError for bad filters, and for events and fields that the recording cannot have.
func (o *Options) Matcher(rec record.Recording, more ...tracec.Option) (*tracec.Matcher, error) {
	if len(o.Filters) == 0 {
		return nil, nil
	}
	m, err := tracec.NewMatcher(rec, append(more, tracec.WithFilter(o.Filters...))...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return m, nil
}
