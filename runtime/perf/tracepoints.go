package perf

import "github.com/tracec/tracec/runtime/record"

// Tracepoints begins to read only the records of tracepoints, in time order. Record.Data is the
// payload of the format with the number Record.ID, so decoders for ftrace can read them.
func (r *Recording) Tracepoints(opts record.Options) *record.Merger[record.None] {
	return mergeAs[record.None](r.Streams(opts), onlyTracepoints)
}

// tracepoints are the records of tracepoints in a stream.
type tracepoints struct{ stream *Stream }

func onlyTracepoints(s *Stream) tracepoints { return tracepoints{s} }

// Unwrap returns the stream, which may grow.
func (t tracepoints) Unwrap() any { return t.stream }

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
