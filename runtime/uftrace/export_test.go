package uftrace

// WithParts has an index list parts of about so many bytes, and pass over those that are a 64th as long at least.
func WithParts(bytes int64) Option { return func(c *config) { c.parts = bytes } }

// Times returns what the stream knows of times: that of the last record, and one far from it.
func (s *Stream) Times() (last, other uint64) { return s.last, s.other }
