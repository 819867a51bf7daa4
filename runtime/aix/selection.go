package aix

import (
	"github.com/tracec/tracec/runtime/record"

	"github.com/tracec/tracec/runtime/internal/choice"
)

// selection is the part of the options that a stream observes while it reads.
type selection struct {
	choice *choice.Choice // nil: everything
	until  uint64         // 0: no end
	late   int            // how many records from until on came last
	live   *record.Live   // nil: the recording is not followed
}

// mostLate is how many consecutive entries after a window of time end the stream. A few of them may
// be damage.
const mostLate = 4096

// over reports whether the window of time has ended.
func (s *selection) over() bool { return s.late >= mostLate }

// count takes in the times of records of the last region.
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
