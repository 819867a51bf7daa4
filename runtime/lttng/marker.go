package lttng

// payloadForm is the layout of a marker's payloads.
type payloadForm struct {
	fixed   int  // size of a payload without strings, otherwise -1
	align   int  // alignment of the payload: its largest integer, but at most the trace's alignment
	compact bool // its first field is in the word of a compact event
	packed  bool // its fields are not aligned
	beats   bool // its payload is the time (lttng.md 5.1)
}

// description is the state of reading a marker's description.
type description struct {
	formatted, identified bool  // a format, an id has been read
	laid                  bool  // both have been read: Fields are known
	broken                error // reason why the fields are unknown
}
