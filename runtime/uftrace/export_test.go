package uftrace

// WithParts makes an index list parts of about a number of bytes, and skip parts that are at least
// a 64th as long.
func WithParts(bytes int64) Option { return func(c *config) { c.parts = bytes } }

// SmallWindows has windows of time looked for in files of any size, until the returned function is
// called.
func SmallWindows() (end func()) {
	least, near := leastWindow, nearWindow
	leastWindow, nearWindow = 0, 2*recordSize
	return func() { leastWindow, nearWindow = least, near }
}

// Times returns the times that the stream knows: the time of the last record, and one far from it.
func (s *Stream) Times() (last, other uint64) { return s.prev.time, s.prev.other }
