package record

import "time"

// Recording is what open recordings of all systems have in common.
type Recording interface {
	// Name returns the path or name that the recording was opened under.
	Name() string
	// Machine returns what recorded.
	Machine() Machine
	// Damage returns what could not be read so far, by file and offset, the first 256 places. Opening finds what is wrong with
	// headers and descriptions, walking the streams what is wrong with the data.
	Damage() []*Damage
	// DamageStats counts all that could not be read so far.
	DamageStats() DamageStats
	// Close closes all files. What streams returned must not be used any more; a stream that is asked for more than it
	// has read ends with an error, or with damage, that wraps fs.ErrClosed, also where the body of its loop closed the recording.
	// Close is not for one goroutine while others read: end their walks first, by their context or [ErrStop]. To close
	// again does nothing.
	Close() error
}

// Machine is what a recording says of the machine that recorded it, or of that of the events where several did. Of a set of several
// machines it is the first.
type Machine struct {
	BigEndian bool // byte order of Record.Data
	WordSize  int  // bytes of a C long of what recorded, the kernel or a program: 4 or 8
	CPUs      int  // processors, 0 when the recording does not say
	// Clock is the clock of Record.Time, as the system calls it: local, mono, timebase, rtc, tsc. It is empty when the recording does not say.
	Clock string
	// Ticks says that Record.Time counts in units whose length is not recorded, or that are no time at all: x86-tsc, counter.
	Ticks bool
	// Wall is what added to Record.Time makes nanoseconds since 1970 UTC, when HasWall says that the recording knows.
	Wall    int64
	HasWall bool
	// Date is when the recording was made, to the second, in UTC or in the time of the machine when its zone is not recorded. It is zero when the
	// recording does not say.
	Date time.Time
	// Host, System, Release and Arch are what uname calls nodename, sysname, release and machine: each is empty when the recording does not
	// say.
	Host, System, Release, Arch string
}

// WallTime returns the time of a record by the clock on the wall. It returns false when the recording does not say.
func (m *Machine) WallTime(t uint64) (time.Time, bool) {
	if !m.HasWall {
		return time.Time{}, false
	}
	return time.Unix(0, m.Wall+int64(t)).UTC(), true
}
