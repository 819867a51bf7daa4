package perf

import (
	"cmp"
	"strconv"
)

// clocks describes the clock of times.
type clocks struct {
	id      int32
	chosen  bool  // selected by clockid; otherwise it is the kernel's own clock
	hasWall bool  // wall is known
	wall    int64 // ns to add for the time since 1970
}

// name returns the clock's name as in clock_gettime(2), without CLOCK_.
func (c *clocks) name() string {
	if !c.chosen {
		return "perf"
	}
	return cmp.Or(clockName(c.id), "clockid "+strconv.Itoa(int(c.id)))
}

// clockName returns the name of a clock, or "" for a clock that perf does not know.
func clockName(id int32) string {
	switch id {
	case 0:
		return "realtime"
	case 1:
		return "monotonic"
	case 4:
		return "monotonic_raw"
	case 7:
		return "boottime"
	case 11:
		return "tai"
	}
	return ""
}
