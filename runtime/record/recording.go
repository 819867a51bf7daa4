package record

import "time"

// Recording is the interface of the open recordings of all systems.
type Recording interface {
	// Name returns the path or name that the recording was opened under.
	Name() string
	// Machine describes the recorded machine.
	Machine() Machine
	// Damage returns the first 256 places that could not be read so far, by file and offset.
	// Opening finds damage in headers and descriptions. Walking the streams finds damage in the
	// data.
	Damage() []*Damage
	// DamageStats counts all damage so far.
	DamageStats() DamageStats
	// Close closes all files. Results of streams must not be used after it. A stream that is read
	// beyond its buffered data then ends with an error, or with damage, that wraps fs.ErrClosed.
	// The same holds if the body of its loop closes the recording. Do not call Close while other
	// goroutines read: end their walks first, by their context or [ErrStop]. A second Close does
	// nothing.
	Close() error
}

// A Machine describes the machine that made a recording, as far as the recording does. If several
// machines were involved, it describes the machine of the events. In a set of several machines, it
// describes the first one.
type Machine struct {
	BigEndian bool // byte order of Record.Data
	WordSize  int  // size of a C long, in bytes, in the recorded kernel or program: 4 or 8
	CPUs      int  // number of processors; 0 if not recorded
	// Clock is the clock of Record.Time by the system's own name: local, mono, timebase, rtc, tsc.
	// It is empty if not recorded.
	Clock string
	// Ticks reports that Record.Time counts in units of unknown length, or in no time at all:
	// x86-tsc, counter.
	Ticks bool
	// Wall is the Unix time of Record.Time 0, in nanoseconds. It is valid if HasWall is set.
	Wall    int64
	HasWall bool
	// Date is when the recording was made, to the second. It is in UTC, or in the machine's local
	// time if the zone is not recorded. It is zero if not recorded.
	Date time.Time
	// Host, System, Release and Arch are the nodename, sysname, release and machine of uname. Each
	// is empty if not recorded.
	Host, System, Release, Arch string
}

// WallTime returns the wall-clock time of a record. It returns false if the recording has no
// wall-clock time.
func (m *Machine) WallTime(t uint64) (time.Time, bool) {
	if !m.HasWall {
		return time.Time{}, false
	}
	return time.Unix(0, m.Wall+int64(t)).UTC(), true
}
