package record_test

import (
	"fmt"
	"io"
	"log"

	"github.com/tracec/tracec/runtime/record"
)

// processor is a stream of one batch. In a program, streams come from runtime/ftrace or another
// container.
type processor struct{ records []record.Record }

func (s *processor) Next() (record.Batch[record.None], error) {
	if s.records == nil {
		return record.Batch[record.None]{}, io.EOF
	}
	batch := record.Plain(s.records)
	s.records = nil
	return batch, nil
}

// Two processors in time order.
func ExampleMerge() {
	m := record.Merge([]*processor{
		{[]record.Record{{Time: 10, CPU: 0}, {Time: 40, CPU: 0}}},
		{[]record.Record{{Time: 20, CPU: 1}, {Time: 30, CPU: 1}}},
	}, nil)
	for r := range m.All() {
		fmt.Println(r.Time, r.CPU)
	}
	if err := m.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// 10 0
	// 20 1
	// 30 1
	// 40 0
}
