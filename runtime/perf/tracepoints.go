package perf

import "github.com/tracec/tracec/runtime/record"

// Tracepoints begins to read the records of tracepoints, and no others, in time order. Their data
// is the payload of the format with the number Record.ID, so that decoders for ftrace read them.
func (r *Recording) Tracepoints(opts record.Options) *record.Merger[record.None] {
	streams := r.Streams(opts)
	only := make([]tracepoints, len(streams))
	for i, s := range streams {
		only[i] = tracepoints{s}
	}
	return record.Merge[record.None](only, func() {
		for _, s := range streams {
			s.Close()
		}
	})
}

// tracepoints are the records of tracepoints in a stream.
type tracepoints struct{ stream *Stream }

// Next implements record.Stream.
func (t tracepoints) Next() (record.Batch[record.None], error) {
	for {
		b, err := t.stream.Next()
		list := b.Records[:0]
		for i := range b.Records {
			if b.Records[i].ID < attrBase {
				list = append(list, b.Records[i])
			}
		}
		if len(list) > 0 || err != nil {
			return record.Plain(list), err
		}
	}
}
