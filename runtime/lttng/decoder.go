package lttng

// decoder is the layout of events in the current sub-buffer, and the state that decoding an event
// changes.
type decoder struct {
	head            *header // of the sub-buffer: how its events are laid out
	own             header  // target of head once there is a sub-buffer
	table           *table
	parse           func(*Stream, *event) status
	open            bool // it was never closed
	tsc             uint64
	event           event  // at work
	packed, swapped bool   // 2.0 to 2.6; big-endian
	scratch         []byte // payloads that need the data bits of a compact event
}
