// Package damage collects what the containers could not read.
package damage

import (
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Max bounds the list: a file of noise has an entry for every page, or for every few words.
const Max = 256

// Log collects damage D. Streams of one recording may run in parallel. K is the place by which an entry of the list
// that is met again, in another walk or a bisection, is known. The zero value is ready for use.
type Log[D any, K comparable] struct {
	mu    sync.Mutex
	list  []D
	seen  map[K]bool
	stats record.DamageStats
}

// Add counts d, which cost skipped bytes, and lists it while there is room. A listed place is counted once.
func (l *Log[D, K]) Add(d D, place K, skipped int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.seen[place] {
		return
	}
	if len(l.list) < Max {
		if l.seen == nil {
			l.seen = map[K]bool{}
		}
		l.seen[place] = true
		l.list = append(l.list, d)
	}
	l.stats.Count++
	l.stats.Skipped += skipped
}

// Count counts n more that nobody lists.
func (l *Log[D, K]) Count(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Count += n
}

// List is a copy of the list, in the order it was met.
func (l *Log[D, K]) List() []D {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append([]D(nil), l.list...)
}

// Stats counts all damage so far.
func (l *Log[D, K]) Stats() record.DamageStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}

// Places collects damage of which file, offset and what is wrong there are all that is known.
type Places struct{ Log[*record.Damage, place] }

// place has the text of the error: a description that makes no sense and a read that fails can be at one offset.
type place struct {
	file string
	off  int64
	text string
}

// Note counts and lists a place of a file, unless it is listed, which cost skipped bytes.
func (l *Places) Note(file string, off, skipped int64, err error) {
	l.Add(&record.Damage{File: file, Offset: off, Skipped: skipped, Err: err}, place{file, off, err.Error()}, skipped)
}
