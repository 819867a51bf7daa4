package report

import (
	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/runtime/record"
)

// Matcher returns the matcher for Options.Filters, or nil without filters. The error is a
// *UsageError for bad filters, and for events and fields that the recording cannot have.
func (o *Options) Matcher(rec record.Recording, more ...dynamic.Option) (*dynamic.Matcher, error) {
	if len(o.Filters) == 0 {
		return nil, nil
	}
	m, err := dynamic.NewMatcher(rec, append(more, dynamic.WithFilter(o.Filters...))...)
	if err != nil {
		return nil, &UsageError{Err: err}
	}
	return m, nil
}
