package lttng

// payloadForm is the layout of a marker's payloads.
type payloadForm struct {
	fixed   int  // bytes of a payload without strings, else -1
	align   int  // of the payload: its largest integer, at most the trace's alignment
	compact bool // its first field is in the word of a compact event
	packed  bool // its fields are not aligned
	beats   bool // its payload is the time (lttng.md 5.1)
}

// description is what of a marker's description has been read.
type description struct {
	formatted, identified bool  // there was a format, an id
	laid                  bool  // both: Fields are known
	broken                error // why the fields are not known
}
