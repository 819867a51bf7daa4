// Package damage collects the damage that containers find.
package damage

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Max bounds the list. A file of noise has damage in every page, or every few words.
const Max = 256

// A Log collects damage. Streams of one recording may run in parallel. The list and its order do
// not depend on which stream finds its damage first. The zero value is ready for use.
type Log struct {
	// Dir is the path of a recording that is a directory. Names of files are relative to it.
	Dir string

	mu    sync.Mutex
	list  []listed // sorted by place
	stats record.DamageStats
	met   int64
	first *record.Damage // first one added
	last  *record.Damage
}

// listed is an entry of the list.
type listed struct {
	place
	damage *record.Damage
}

// place identifies damage that is found again, in another walk or a bisection. It includes the text
// of the error, because a malformed description and a failed read can have one offset.
type place struct {
	file, part, want, text string
	off, sub               int64
}

// compare orders places by file and offset.
func (a place) compare(b place) int {
	return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.off, b.off), cmp.Compare(a.sub, b.sub),
		cmp.Compare(a.part, b.part), cmp.Compare(a.want, b.want), cmp.Compare(a.text, b.text))
}

// Refused adds err as damage of file and returns it. err is the reason why something cannot be made
// for the readers of a recording. what is its name. If err is nil, nothing is added.
func (l *Log) Refused(file, what string, err error) error {
	if err != nil {
		l.Note(file, 0, 0, fmt.Errorf("%s: %w", what, err))
	}
	return err
}

// Add counts d and lists it if it is among the first places. A listed place is counted once. sub
// distinguishes places with one offset, such as the pages of a packed chunk.
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
	if i < Max { // if there is no room, the last entry is dropped
		l.list = slices.Insert(l.list[:min(len(l.list), Max-1)], i, listed{at, d})
	}
	l.stats.Count++
	l.stats.Skipped += d.Skipped
}

// Join adds the damage of another log. The Dir of other must be empty, and other must not be used
// afterwards.
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

// In returns err. If err is a Damage, the path of its file is joined to dir.
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

// Note adds a place about which only the error and the number of skipped bytes are known.
func (l *Log) Note(file string, off, skipped int64, err error) {
	l.Add(&record.Damage{File: file, Offset: off, Skipped: skipped, Err: err}, 0)
}

// Count counts n more places that are not listed.
func (l *Log) Count(n int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stats.Count += n
	l.met += n
}

// Met returns the number of times that damage was found so far, including known damage. If it has
// not changed, a reader has found no damage, even if others read at the same time.
func (l *Log) Met() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.met
}

// Ends returns the damage that was added first and last, at any place, or nil. It explains why a
// recording cannot be opened. Only one goroutine opens it.
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
