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

// A Watch is the state shared by the growing files of one recording. Any goroutine may use it.
type Watch struct {
	follow record.Follow
	dir    fs.FS       // if the recording is a directory
	name   string      // name of dir, for messages
	first  fs.FileInfo // info of dir; nil if the system cannot identify directories

	grown atomic.Int64 // number of times that growth was seen

	mu       sync.Mutex
	looked   time.Time // time of the last look at dir
	replaced error
}

// New returns a Watch with the options of f.
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

// Directory sets the directory of the recording and its name in messages. If another directory gets
// its name, the recording ends.
func (w *Watch) Directory(dir fs.FS, name string) {
	w.dir, w.name = dir, name
	if st, err := fs.Stat(dir, "."); err == nil && os.SameFile(st, st) {
		w.first = st
	}
}

// Ended reports whether the recording has ended, so that files do not grow any more.
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

// Replace ends the recording with an error that is record.ErrReplaced. Only the first call counts.
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

// Notify reports an event of a file of the recording.
func (w *Watch) Notify(err error) {
	if w.follow.Notify != nil {
		w.follow.Notify(err)
	}
}

// End returns the error that ends streams.
func (w *Watch) End() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.replaced != nil && w.follow.Notify == nil {
		return w.replaced
	}
	return io.EOF
}

// Live returns the state that the streams of one walk share. ctx is the context of the walk and may
// be nil.
func (w *Watch) Live(ctx context.Context) *record.Live {
	if ctx == nil {
		ctx = context.Background()
	}
	pause := pause{watch: w}
	return &record.Live{Delay: w.follow.Delay, Wait: func(d time.Duration) error { return pause.wait(ctx, d) }}
}

// Await calls try until it is done or the recording or ctx has ended. ctx may be nil. After the
// end, try is called once more.
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

// pause determines the sleep between two looks. Sleeps grow longer while nothing happens.
type pause struct {
	watch *Watch
	last  time.Duration
	grown int64 // watch.grown at the last sleep
}

// leastPause is the first sleep after something has grown.
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
	if w.follow.Until.Err() != nil { // the recording has ended: streams find their end at the next read
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
