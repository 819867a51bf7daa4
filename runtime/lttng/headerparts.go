package lttng

// headerClock is the clock of a sub-buffer.
type headerClock struct {
	scale     uint32
	freq      uint64
	tsc       uint64 // start_tsc; 0 since 2.1
	monotonic uint64
	sec, usec uint64
}

// compactForm is the layout of the first word of a compact event, and of time stamps in it.
type compactForm struct {
	lsb       uint // bits cut from the time stamps of compact events
	bits      uint
	shift     uint
	heartbeat bool
}

// machine is the part of headers up to 2.0 about the processor and its data.
type machine struct {
	arch, floats uint32 // up to 2.0: the processor, and the byte order of floats
	variant      uint32 // up to 2.0, of the processor
	word         int
	alignment    int
}

// missed counts the events that were not written.
type missed struct {
	lost, corrupt uint32
	known         bool // lost and corrupt are known
}
