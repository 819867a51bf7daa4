// Package export holds what all exports have in common. Exports write the events of a recording for
// the tools in which people analyse: each format has a package below, whose Write takes a
// dynamic.Reader, which knows what of the recording is wanted:
//
//	r, err := dynamic.NewReader(rec, dynamic.WithEvents("sched:*"), dynamic.WithThreads())
//	err = ndjson.Write(w, r, ndjson.Options{})
//
// Writers stream: their memory does not grow with the recording, except by names, and profiles by
// stacks. They end with the context of the reader's options. What of a recording could not be read
// is in its Damage afterwards.
package export
