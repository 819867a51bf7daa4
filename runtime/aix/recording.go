package aix

import (
	"io"

	"github.com/tracec/tracec/runtime/record"
)

// Recording is an open recording. Its methods may be called from several goroutines, streams of it may run
// in parallel; Close must come after all of them.
type Recording struct {
	info   Info
	damage damageLog
}

// Info returns what the recording says about itself. It belongs to the recording.
func (r *Recording) Info() *Info { return &r.info }

// StreamOptions says which records streams yield. The zero value is all of them.
type StreamOptions struct {
	CPUs []int // only the files of these processors, and the base file; nil is all
}

// Streams returns a stream per file, in the order of Info.Files. The recording of a pipe can be read only once.
func (r *Recording) Streams(opts StreamOptions) []*Stream { return nil }

// Stream walks one file. It is for one goroutine.
type Stream struct {
	entries []Entry
	file    *File
}

var _ record.Stream = (*Stream)(nil)

// Next returns the next records, 256 at most.
func (s *Stream) Next() ([]record.Record, error) { return nil, io.EOF }

// Entries returns the entries of the records that Next returned last, one for each.
func (s *Stream) Entries() []Entry { return s.entries }

// File returns what the recording says about the stream's file.
func (s *Stream) File() *File { return s.file }

// Open opens a stream or a log file, and the files of single processors that belong to it. Errors are *Damage,
// *fs.PathError or both joined.
func Open(path string, opts ...Option) (*Recording, error) { return nil, ErrFormat }

// OpenReader opens what comes through a pipe; name is for messages. Streams are decoded as they come and can be read
// once; the buffers of a log file stand in the order of its directory, so that it is copied to a temporary
// file without a name first. OpenReader does not close r.
func OpenReader(r io.Reader, name string, opts ...Option) (*Recording, error) { return nil, ErrFormat }

// Detect says what a file is that begins with head, of which some KiB are enough: by its magic number or, for the
// stream of a 32-bit kernel, which has none, by several plausible entries that follow each other.
func Detect(head []byte) Kind { return KindUnknown }

// Close closes all files. What streams returned must not be used any more.
func (r *Recording) Close() error { return nil }
