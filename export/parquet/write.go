package parquet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/fileset"
)

// Options configure a data set. The zero value writes one table for each kind of event.
type Options struct {
	// Wide writes one table of all events, with the common columns, the name and the text.
	Wide bool
	// Tables adds the tables of package tables, each as the event tracec.NAME. The recording is
	// read once more for them. It has no effect with Wide.
	Tables bool
	// Text adds the text of events to their tables. The table of all events always has it.
	Text bool
	// Host is the partition of recordings without a known host. If SameHost is set, it is the
	// partition of all recordings.
	Host     string
	SameHost bool
	// Resume continues the data set of a folder. It skips recordings in its manifest.
	Resume bool
	// Tool identifies the writer in the manifest: a name and a version.
	Tool string
	// Memory is the approximate maximum of bytes of uncompressed rows in memory. 0 means 64 MiB.
	// Rows beyond it go to a temporary file in the folder.
	Memory int64
	// Workers is the number of goroutines that encode. 0 means runtime.GOMAXPROCS(0).
	Workers int
	// Warn receives errors that do not end the work, such as a skipped recording. It may be nil.
	Warn func(error)
	// Progress is called before a recording is read with its reader. It may be nil.
	Progress func(Source, *tracec.Reader)
	// Done is called with the entry of each recording in the data set. had is set if the recording
	// was already there and was skipped. It may be nil.
	Done func(e *Entry, had bool)
}

func (o *Options) layout() string {
	switch {
	case o.Wide:
		return "wide"
	case o.derives():
		return "tables"
	}
	return "events"
}

// derives reports whether derived tables are written.
func (o *Options) derives() bool { return o.Tables && !o.Wide }

func (o *Options) warn(err error) {
	if o.Warn != nil {
		o.Warn(err)
	}
}

func (o *Options) done(e *Entry, had bool) {
	if o.Done != nil {
		o.Done(e, had)
	}
}

func (o *Options) memory() int {
	if o.Memory > 0 {
		return int(o.Memory)
	}
	return 64 << 20
}

func (o *Options) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Source is a recording, or a slice of a recording, for a data set.
type Source struct {
	// Path is the path of the recording for the manifest. Digest describes its contents.
	Path string
	// Chosen names the part of the recording that Open reads, such as "--cpu 0 --since 12.5". It
	// differs between parts of one recording.
	Chosen string
	// Digest is the digest of the recording. If empty, it is computed.
	Digest Digest
	// Open returns a reader of the recording that ends with the context, and its closer. The reader
	// should have tracec.WithThreads.
	Open func(context.Context) (*tracec.Reader, io.Closer, error)
	// Walk returns a walk over the recording of the reader that Open returned, for Options.Tables.
	// It should select the same processors and the same time. The reader has ended, and its closer
	// has not been called yet.
	Walk func(*tracec.Reader) *tables.Walk
}

// id returns the ID of the source in a data set. If its contents are unreadable, the ID depends on
// the path.
func (s *Source) id(o *Options) string {
	contents := s.Digest.SHA256
	if contents == "" {
		contents = filepath.ToSlash(s.Path)
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %q %s %v %q %v", contents, s.Chosen, o.layout(), o.Text, o.Host,
		o.SameHost))
	return hex.EncodeToString(sum[:8])
}

// ID returns the ID of the source in a data set written with o, which is also the ID of its
// [Entry]. If the digest is empty, ID reads the recording and sets it.
func (s *Source) ID(ctx context.Context, o Options) (string, error) {
	if err := s.find(ctx); err != nil {
		return "", err
	}
	return s.id(&o), nil
}

// Unread returns the entry of a source that cannot be read.
func (s *Source) Unread(o Options, err error) *Entry {
	e := newEntry(s, &o)
	e.Errors = []string{err.Error()}
	return e
}

// find computes the digest if it is empty.
func (s *Source) find(ctx context.Context) (err error) {
	if s.Digest.SHA256 == "" {
		s.Digest, err = DigestOf(ctx, s.Path)
	}
	return err
}

// identity returns the ID of a source. It may wait for the digest, which is computed while rows are
// read, and returns its error.
type identity func() (string, error)

// identify starts computing the digest. Calling the result sets the digest of the source.
func (s *Source) identify(ctx context.Context, o *Options) identity {
	of, found := *s, make(chan error, 1)
	go func() { found <- of.find(ctx) }()
	return sync.OnceValues(func() (string, error) {
		err := <-found
		s.Digest = of.Digest
		return s.id(o), err
	})
}

// Write writes recordings to the data set in a folder, one after the other, and returns its
// manifest. The manifest is written after each recording. A recording that fails is skipped: its
// entry in the manifest has the reason, and Write returns the joined errors of all of them. If the
// context is done, Write returns its error and removes the files of the current recording.
func Write(ctx context.Context, dir string, sources []Source, o Options) (*Manifest, error) {
	m, err := begin(dir, &o)
	if err != nil {
		return nil, err
	}
	var failed []error
	for _, s := range sources {
		if o.Resume {
			id, err := s.ID(ctx, o)
			if ctx.Err() != nil {
				return m, ctx.Err()
			}
			if e := m.Entry(id); err == nil && e != nil && e.Whole() {
				o.done(e, true)
				continue
			}
		}
		e, err := WriteSource(ctx, dir, s, o)
		if ctx.Err() != nil {
			return m, ctx.Err()
		}
		if err != nil {
			failed = append(failed, err)
		}
		if e == nil {
			continue
		}
		if old := m.Entry(e.ID); old != nil && old.Path != e.Path {
			o.warn(fmt.Errorf("%s: the same as %s: it is in the data set once", e.Path, old.Path))
		}
		m.Add(e)
		if err := m.Write(dir); err != nil {
			return m, err
		}
		o.done(e, false)
	}
	if len(sources) == 0 || len(m.Sources) == 0 {
		err = m.Write(dir)
	}
	if err == nil {
		err = m.Compact(ctx, dir)
	}
	return m, errors.Join(append(failed, err)...)
}

// Errors about the folder for Options.Resume.
var (
	ErrHeld       = errors.New("holds a data set")
	ErrUnfinished = errors.New("holds files of an export that did not end")
)

// begin creates the folder, or checks its contents.
func begin(dir string, o *Options) (*Manifest, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	m, err := ReadManifest(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		m = NewManifest(*o)
	case err != nil:
		return nil, err
	case !o.Resume:
		return nil, fmt.Errorf("%s: %w", dir, ErrHeld)
	case m.Layout != o.layout():
		return nil, fmt.Errorf("%s: holds a data set of layout %s, not %s", dir, m.Layout, o.layout())
	}
	return m, sweep(dir, m, o.Resume)
}

// sweep removes files of killed exports: files that the manifest does not name.
func sweep(dir string, m *Manifest, resume bool) error {
	named := map[string]bool{}
	for _, e := range m.Sources {
		for _, f := range e.Files {
			named[f.Path] = true
		}
	}
	var found []string
	var err error
	for _, pattern := range []string{temporary + "*", "host=*/date=*/part-*.parquet",
		"host=*/date=*/event=*/part-*.parquet"} {
		files, e := fs.Glob(os.DirFS(dir), pattern)
		err = errors.Join(err, e)
		for _, name := range files {
			if !named[name] {
				found = append(found, filepath.Join(dir, filepath.FromSlash(name)))
			}
		}
	}
	for _, name := range []string{ManifestName, RecordingsName} {
		left, e := fileset.Left(filepath.Join(dir, name))
		found, err = append(found, left...), errors.Join(err, e)
	}
	if err == nil && len(found) > 0 && !resume {
		return fmt.Errorf("%s: %w, such as %s", dir, ErrUnfinished, found[0])
	}
	for _, name := range found {
		err = errors.Join(err, os.RemoveAll(name))
	}
	return err
}

// temporary is the prefix of folders with files that are not yet part of the data set.
const temporary = ".part-"

// WriteSource writes the files of one recording, or of a slice of one, to the folder of a data set
// and returns its entry, for a manifest. Several may be written at once, even by several processes:
// their files have different names, and a second try replaces the files of the first. Files are
// renamed to their final names when all of them are written.
//
// The entry reports all missing data: damage, losses and the errors of streams. For an unreadable
// recording, there is an entry with the error, which is also returned. Other errors come from the
// file system and the context.
func WriteSource(ctx context.Context, dir string, s Source, o Options) (*Entry, error) {
	if o.derives() && s.Walk == nil {
		return nil, fmt.Errorf("%s: a source without Walk, which Options.Tables needs", s.Path)
	}
	hashing, end := context.WithCancel(ctx)
	id := s.identify(hashing, &o)
	defer func() {
		end()
		id() // wait for its goroutine
	}()
	r, closer, err := s.Open(ctx)
	if err != nil {
		id()                  // sets the ID of the entry
		if ctx.Err() != nil { // an unreadable recording may have no digest
			return nil, errors.Join(err, ctx.Err())
		}
		return s.Unread(o, err), err
	}
	defer closer.Close()
	if o.Progress != nil {
		o.Progress(s, r)
	}
	tmp, err := os.MkdirTemp(dir, temporary)
	if err != nil {
		return nil, err
	}
	kept := fileset.Temporary(tmp)
	defer func() {
		os.RemoveAll(tmp)
		kept()
	}()
	w := newWriter(ctx, tmp, id, r, &o)
	err = w.run(s.Walk)
	if _, unknown := id(); err == nil {
		err = unknown
	}
	if err != nil {
		return nil, err
	}
	e := newEntry(&s, &o)
	w.fill(e)
	return e, w.place(dir, e)
}

// newEntry returns an entry without rows.
func newEntry(s *Source, o *Options) *Entry {
	return &Entry{
		ID: s.id(o), Path: filepath.ToSlash(s.Path), Size: s.Digest.Size, SHA256: s.Digest.SHA256, Chosen: s.Chosen,
		Tool:   o.Tool,
		Events: []EventRow{}, Files: []File{}, Errors: []string{}, Damage: Damage{Places: []Place{}},
	}
}
