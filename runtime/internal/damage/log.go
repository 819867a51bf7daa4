// Package damage collects what the containers could not read.
package damage

import (
	"path"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Max bounds the list: a file of noise has an entry for every page, or for every few words.
const Max = 256

// Log collects damage. Streams of one recording may run in parallel. The zero value is ready for use.
type Log struct {
	// Dir is the path of a recording that is a directory; names of files are within it.
	Dir string

	mu    sync.Mutex
	list  []*record.Damage
	subs  []int64 // of the list
	seen  map[place]bool
	stats record.DamageStats
	met   int64
}

// place is what an entry of the list that is met again, in another walk or a bisection, is known by. It has the text of the error: a
// description that makes no sense and a read that fails can be at one offset.
type place struct {
	file, part, want, text string
	off, sub               int64
}

// Add counts d and lists it while there is room. A listed place is counted once; sub distinguishes places of one offset, such as the pages
// of a packed chunk.
func (l *Log) Add(d *record.Damage, sub int64) {
	if l.Dir != "" {
		d = in(l.Dir, d)
	}
	at := place{d.File, d.Part, d.Want, d.Err.Error(), d.Offset, sub}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.met++
	if l.seen[at] {
		return
	}
	if len(l.list) < Max {
		if l.seen == nil {
			l.seen = map[place]bool{}
		}
		l.seen[at] = true
		l.list, l.subs = append(l.list, d), append(l.subs, sub)
	}
	l.stats.Count++
	l.stats.Skipped += d.Skipped
}

// Join adds what another log has, whose Dir is empty and which is not used any more.
func (l *Log) Join(other *Log) {
	more := other.stats
	for i, d := range other.list {
		l.Add(d, other.subs[i])
		more.Count--
		more.Skipped -= d.Skipped
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Count += more.Count
	l.stats.Skipped += more.Skipped
}

// In returns err, if that is a Damage, with the path of its file, which is in dir.
func In(dir string, err error) error {
	if d, ok := err.(*record.Damage); ok {
		return in(dir, d)
	}
	return err
}

func in(dir string, d *record.Damage) *record.Damage {
	moved := *d
	moved.File = path.Join(dir, d.File)
	return &moved
}

// Note adds a place of a file of which no more is known, and which cost skipped bytes.
func (l *Log) Note(file string, off, skipped int64, err error) {
	l.Add(&record.Damage{File: file, Offset: off, Skipped: skipped, Err: err}, 0)
}

// Count counts n more that are not listed.
func (l *Log) Count(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Count += n
	l.met += n
}

// Met returns how often damage was met so far, also where it was known: a reader that finds it unchanged has met none, whoever else reads.
func (l *Log) Met() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.met
}

// List returns a copy of the list, in the order it was met.
func (l *Log) List() []*record.Damage {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]*record.Damage(nil), l.list...)
}

// Stats counts all damage so far.
func (l *Log) Stats() record.DamageStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
