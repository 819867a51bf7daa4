// Package growing reads files that are still being written.
package growing

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tracec/tracec/runtime/record"
)

// Watch is what the files of one recording that grows have in common. It is for any goroutine.
type Watch struct {
	follow record.Follow
	dir    fs.FS       // of a recording that is a directory
	name   string      // of it, for messages
	first  fs.FileInfo // of it; nil when the system does not tell directories apart

	grown atomic.Int64 // counts what was found to have grown

	mu       sync.Mutex
	looked   time.Time // at dir
	replaced error
}

// New begins to follow.
func New(f record.Follow) *Watch {
	if f.Delay == 0 {
		f.Delay = record.DefaultDelay
	}
	if f.Poll <= 0 {
		f.Poll = record.DefaultPoll
	}
	if f.Until == nil {
		f.Until = context.Background()
	}
	return &Watch{follow: f}
}

// Directory says which directory holds the recording, and how messages call it: another one of its
// name ends the recording.
func (w *Watch) Directory(dir fs.FS, name string) {
	w.dir, w.name = dir, name
	if st, err := fs.Stat(dir, "."); err == nil && os.SameFile(st, st) {
		w.first = st
	}
}

// Ended reports whether nothing more is to be waited for: what files have is all there is.
func (w *Watch) Ended() bool {
	if w.follow.Until.Err() != nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.replaced == nil && w.first != nil && time.Since(w.looked) >= w.follow.Poll {
		w.looked = time.Now()
		if st, err := fs.Stat(w.dir, "."); err == nil && !os.SameFile(st, w.first) {
			w.replace(fmt.Errorf("%s: the directory was renamed: %w", w.name, record.ErrReplaced))
		}
	}
	return w.replaced != nil
}

// Replace ends the recording for an error that is record.ErrReplaced. Only the first counts.
func (w *Watch) Replace(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.replace(err)
}

func (w *Watch) replace(err error) {
	if w.replaced != nil {
		return
	}
	w.replaced = err
	w.Notify(err)
}

// Notify passes on what happened to a file of the recording.
func (w *Watch) Notify(err error) {
	if w.follow.Notify != nil {
		w.follow.Notify(err)
	}
}

// End returns the error that streams end with.
func (w *Watch) End() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.replaced != nil && w.follow.Notify == nil {
		return w.replaced
	}
	return io.EOF
}

// Live returns what the streams of one walk have in common. ctx is that of its options and may be
// nil.
func (w *Watch) Live(ctx context.Context) *record.Live {
	if ctx == nil {
		ctx = context.Background()
	}
	pause := pause{watch: w}
	return &record.Live{Delay: w.follow.Delay, Wait: func(d time.Duration) error { return pause.wait(ctx, d) }}
}

// Await calls try until it is done, the recording has ended, or ctx has, which may be nil. When try
// asks for more, it is called once more after the end.
func (w *Watch) Await(ctx context.Context, try func() (done bool, err error)) error {
	if ctx == nil {
		ctx = context.Background()
	}
	pause := pause{watch: w}
	for {
		ended := w.Ended()
		if done, err := try(); done || err != nil || ended {
			return err
		}
		if err := pause.wait(ctx, w.follow.Poll); err != nil {
			return err
		}
	}
}

// pause is how long one who waits sleeps between two looks: for long where nothing happens.
type pause struct {
	watch *Watch
	last  time.Duration
	grown int64 // by then
}

// leastPause is the first one after something has grown.
const leastPause = time.Millisecond

func (p *pause) wait(ctx context.Context, d time.Duration) error {
	w := p.watch
	if now := w.grown.Load(); now != p.grown || p.last == 0 {
		p.grown, p.last = now, leastPause
	} else {
		p.last = min(2*p.last, w.follow.Poll)
	}
	t := time.NewTimer(min(d, p.last))
	defer t.Stop()
	until := w.follow.Until.Done()
	if w.follow.Until.Err() != nil { // streams that ask again find their end
		until = nil
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-until:
	case <-t.C:
	}
	return nil
}
