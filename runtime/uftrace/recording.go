package uftrace

import (
	"errors"
	"io/fs"

	"github.com/tracec/tracec/runtime/record"
)

// Option changes how a recording is read.
type Option func(*config)

type config struct {
	symbols string
	tids    []int32
	tempDir string
}

// WithSymbols takes symbol files from another directory, as uftrace's --with-syms. Their paths need not be those of
// the maps.
func WithSymbols(dir string) Option { return func(c *config) { c.symbols = dir } }

// WithTIDs reads these threads only.
func WithTIDs(tids ...int32) Option { return func(c *config) { c.tids = tids } }

// Recording is an open recording.
type Recording struct {
	config config
	info   Info
}

// Open opens a directory.
func Open(dir string, opts ...Option) (*Recording, error) { return nil, errors.ErrUnsupported }

// OpenFS opens a directory of a file system, such as an unpacked archive; name is for messages.
func OpenFS(dir fs.FS, name string, opts ...Option) (*Recording, error) {
	return nil, errors.ErrUnsupported
}

// Info is what the file info says. Do not change it.
func (r *Recording) Info() *Info { return &r.info }

// Tasks are the threads with a file, in the order of the tids of info.
func (r *Recording) Tasks() []*Task { return nil }

// Task finds a thread by its number; nil when the recording does not know it.
func (r *Recording) Task(tid int32) *Task { return nil }

// Sessions are the program images, in order of their start.
func (r *Recording) Sessions() []*Session { return nil }

// Symbols are all symbols of all modules; Symbol.Index is the position.
func (r *Recording) Symbols() []*Symbol { return nil }

// EventName names an event id: read:proc/statm, demo:step, linux:schedule.
func (r *Recording) EventName(id uint32) string { return "" }

// Streams begins to read the threads: stream i is that of Tasks()[i]. They are of type *Stream.
func (r *Recording) Streams() []*Stream { return nil }

// Stream yields the records of one file. It implements record.Stream.
type Stream struct{}

// Next implements record.Stream.
func (s *Stream) Next() ([]record.Record, error) { return nil, errors.ErrUnsupported }

// Entries are what the records of the last batch hold beside: one each.
func (s *Stream) Entries() []Entry { return nil }

// Merged yields the records of all files in time order: threads, kernel, perf, extern.dat.
type Merged struct{}

// MergeOptions choose what is merged.
type MergeOptions struct {
	NoKernel, NoPerf, NoExtern bool
}

// Merge begins to read everything.
func (r *Recording) Merge(opts MergeOptions) *Merged { return &Merged{} }

// NextRun returns the records that come next, all of one stream, and their entries; both are valid until the next
// call. At equal times threads come first, in the order of Tasks, then kernel, perf and extern. The error is io.EOF after
// the last record.
func (m *Merged) NextRun() ([]record.Record, []Entry, error) {
	return nil, nil, errors.ErrUnsupported
}

// Damage lists what could not be read so far, also by streams.
func (r *Recording) Damage() []*Damage { return nil }

// DamageStats counts all damage, also what the list has no room for.
func (r *Recording) DamageStats() DamageStats { return DamageStats{} }

// Close closes the files.
func (r *Recording) Close() error { return nil }

// Damage is one place of a recording that could not be read.
type Damage struct {
	File   string // name within the recording
	Offset int64  // in bytes
	// Skipped is the number of bytes that were left out.
	Skipped int64
	Err     error
}

// DamageStats counts damage.
type DamageStats struct {
	Count   int64
	Skipped int64 // bytes
}
