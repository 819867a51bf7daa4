package uftrace

// WithParts sets the approximate size in bytes of the parts that an index lists. Parts that are at
// least a 64th as long can be skipped.
func WithParts(bytes int64) Option { return func(c *config) { c.parts = bytes } }

// SmallWindows enables the search for windows of time in files of any size, until the returned
// function is called.
func SmallWindows() (end func()) {
	least, near := leastWindow, nearWindow
	leastWindow, nearWindow = 0, 2*recordSize
	return func() { leastWindow, nearWindow = least, near }
}

// Times returns the times that the stream knows: the time of the last record, and one far from it.
func (s *Stream) Times() (last, other uint64) { return s.prev.time, s.prev.other }
