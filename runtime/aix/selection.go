package aix

import (
	"github.com/tracec/tracec/runtime/record"

	"github.com/tracec/tracec/runtime/internal/choice"
)

// selection is the part of the options that a stream observes while it reads.
type selection struct {
	choice *choice.Choice // nil selects all
	until  uint64         // 0 for no end
	late   int            // number of consecutive last records at until or later
	live   *record.Live   // nil if the recording is not followed
}

// mostLate is the number of consecutive entries after a time window that ends the stream. A few of
// them may be damage.
const mostLate = 4096

// over reports whether the time window has ended.
func (s *selection) over() bool { return s.late >= mostLate }

// count counts late records of the last region.
func (s *selection) count(records []record.Record) {
	if s.until == 0 {
		return
	}
	for i := range records {
		if s.late++; records[i].Time < s.until {
			s.late = 0
		}
	}
}
