// Package export holds the code that all exports share. Exports write the events of a recording for
// analysis tools. Each format has its own package, whose Write takes a tracec.Reader with a
// selection of the recording:
//
//	r, err := tracec.NewReader(rec, tracec.WithEvents("sched:*"), tracec.WithThreads())
//	err = ndjson.Write(w, r, ndjson.Options{})
//
// Writers stream: their memory does not grow with the recording, except for names, and for stacks
// in profiles. They end with the context of the reader's options. The recording's Damage then holds
// the unreadable parts.
package export
