// Package view serves a page that shows a recording as a picture. The page is served on a loopback
// address and loads nothing from the network.
//
// [New] takes a function that opens the recording, since the texts of single events are read on
// demand. [Server.Listen] opens the port. [Server.Serve] answers until its context ends. The
// address contains a random token.
//
//	s := view.New(open, view.Options{Title: "trace.dat"})
//	err := s.Listen()
//	fmt.Println(s.URL())
//	err = s.Serve(ctx)
//
// One pass over the timeline of the recording builds an index: the items of each track, a few bytes
// for each span and instant, and summaries of every 64 of them. The page requests windows of time
// at a resolution. It gets at most as many spans and summaries as there are pixels, even during the
// pass. Summaries are exact: the number of spans, the time that they cover, and the longest of
// them. Texts and fields of an event are read from the recording on demand.
//
// A second pass, over the events of the scheduler alone, adds a lane with the states of each
// thread: the rows of [tables.ThreadState]. The cause of states, such as the thread that woke them,
// is stored once for equal causes, at most 524,288 times. Later states lack the thread that woke
// them. A state whose begin or end is unknown is shown at its known time, without a length.
//
// The page lists events by number, and searches their texts and fields. The index has the time of
// every 1,024th event. For large recordings the distance is larger, with at most 16,384 times. An
// answer reads the recording from such a time on. In a damaged recording whose times step back,
// numbers may be off by some events.
//
// Sums of derived tables are computed on request: a [tables.Walk] reads the range. So are flame
// graphs of the samples of perf, with the periods of an event in the range, of all threads or of
// one. They have at most 1,048,576 frames before narrow ones are dropped.
//
// # Memory
//
// Items need about 6 bytes each, with states 8, and the summaries another 2. Items beyond
// [Options.Memory] are in a temporary file. Tracks, depths, losses and the size of answers are
// bounded. The page shows how many were left out.
//
// # Safety
//
// The server listens on a loopback address only. It answers GET and HEAD under a path that begins
// with a random token, for requests to localhost or a loopback address. It does not allow the page
// to load anything from elsewhere, and changes nothing.
package view
