// Package damage collects what the containers could not read.
package damage

import (
	"cmp"
	"path"
	"slices"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Max bounds the list: a file of noise has an entry for every page, or for every few words.
const Max = 256

// Log collects damage. Streams of one recording may run in parallel: what is listed, and in which
// order, does not depend on which of them meets its damage first. The zero value is ready for use.
type Log struct {
	// Dir is the path of a recording that is a directory; names of files are within it.
	Dir string

	mu    sync.Mutex
	list  []listed // in the order of places
	stats record.DamageStats
	met   int64
	first *record.Damage // that was added
	last  *record.Damage
}

// listed is an entry of the list.
type listed struct {
	place
	damage *record.Damage
}

// place is what an entry of the list that is met again, in another walk or a bisection, is known
// by. It has the text of the error: a description that makes no sense and a read that fails can be
// at one offset.
type place struct {
	file, part, want, text string
	off, sub               int64
}

// compare orders places by file and offset.
func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.off, b.off), cmp.Compare(a.sub, b.sub),
		cmp.Compare(a.part, b.part), cmp.Compare(a.want, b.want), cmp.Compare(a.text, b.text))
}

// Add counts d and lists it if it is among the first places. A listed place is counted once; sub
// distinguishes places of one offset, such as the pages of a packed chunk.
func (l *Log) Add(d *record.Damage, sub int64) {
	if l.Dir != "" {
		d = in(l.Dir, d)
	}
	at := place{d.File, d.Part, d.Want, d.Err.Error(), d.Offset, sub}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.met++
	i, known := slices.BinarySearchFunc(l.list, at, func(e listed, at place) int { return e.compare(at) })
	if known {
		return
	}
	if l.last = d; l.first == nil {
		l.first = d
	}
	if i < Max { // what comes last is dropped where there is no room
		l.list = slices.Insert(l.list[:min(len(l.list), Max-1)], i, listed{at, d})
	}
	l.stats.Count++
	l.stats.Skipped += d.Skipped
}

// Join adds what another log has, whose Dir is empty and which is not used any more.
func (l *Log) Join(other *Log) {
	more := other.stats
	for _, e := range other.list {
		l.Add(e.damage, e.sub)
		more.Count--
		more.Skipped -= e.damage.Skipped
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

// Met returns how often damage was met so far, also where it was known: a reader that finds it
// unchanged has met none, whoever else reads.
func (l *Log) Met() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.met
}

// Ends returns what was added first, and last, wherever it is; nil where nothing was. They say why
// a recording cannot be opened, which one goroutine does.
func (l *Log) Ends() (first, last *record.Damage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.first, l.last
}

// List returns a copy of the list, by file and offset.
func (l *Log) List() (list []*record.Damage) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range l.list {
		list = append(list, e.damage)
	}
	return list
}

// Stats counts all damage so far.
func (l *Log) Stats() record.DamageStats {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.stats
}
