package lttng

// decoder is the layout of events in the current sub-buffer, and the state that decoding an event
// changes.
type decoder struct {
	head            *header // header of the sub-buffer, with the layout of its events
	own             header  // target of head after the first sub-buffer
	table           *table
	parse           func(*Stream, *event) status
	open            bool // the sub-buffer was never closed
	tsc             uint64
	event           event  // the current event
	packed, swapped bool   // 2.0 to 2.6; big-endian
	scratch         []byte // payloads that need the data bits of a compact event
}
