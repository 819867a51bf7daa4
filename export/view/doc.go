// Package view serves a page that shows a recording as a picture. The page is
// served on a loopback address and loads nothing from the network.
//
// [New] takes a function that opens the recording, since the page asks for the
// texts of single events again. [Server.Listen] opens the port, [Server.Serve]
// answers until its context ends. The address contains a random token.
//
//	s := view.New(open, view.Options{Title: "trace.dat"})
//	err := s.Listen()
//	fmt.Println(s.URL())
//	err = s.Serve(ctx)
//
// One pass over the timeline of the recording builds an index: what happens on each track, a few
// bytes for each span and instant, and summaries of every 64 of them. The page asks for windows of
// time at a resolution, and gets as many spans and summaries as that has pixels, also while the
// pass goes on. Summaries are exact: how many spans they stand for, how much time those cover, and
// the longest of them. Texts and fields of an event are read again from the recording when somebody
// asks for them.
//
// # Safety
//
// The server listens on a loopback address only, and answers GET and HEAD under a path that begins
// with a random token, to requests that were sent to localhost or a loopback address. It lets the
// page load nothing from elsewhere, and changes nothing.
package view
