package markers

import (
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

// InTimeOrder dispatches all events of rec in time order. A file that cannot be read any further is left out from then on;
// the errors are joined.
func (b *Binding) InTimeOrder(rec *lttng.Recording) error {
	return rec.Merge(record.Options{}).EachRun(b.Batch)
}

// InStreamOrder dispatches the events of one file after the other, which is faster. A file that cannot be read any further is left; the
// errors are joined.
func (b *Binding) InStreamOrder(rec *lttng.Recording) error {
	return record.InStreamOrder(rec.Streams(record.Options{}), b.Batch)
}
