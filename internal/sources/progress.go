package sources

import (
	"sync"

	"github.com/tracec/tracec/runtime/record"
)

// Positioned is implemented by sources that are read from beginning to end: a stream, or all
// streams of a recording.
type Positioned interface {
	// Position returns the number of bytes read, and their total, which is 0 if unknown. Any
	// goroutine may call it.
	Position() (done, total int64)
}

// progress is the progress of a job.
type progress struct {
	mu      sync.Mutex
	opened  int64 // number of bytes of the current input that are copied or unpacked
	size    int64 // size of that input, 0 if unknown
	reading []Positioned
}

// opening notes the progress of copying or unpacking. It is an input.Progress.
func (p *progress) opening(done, size int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened, p.size = done, size
}

// Reads adds a source to the progress of the job.
func (j *Job) Reads(what Positioned) {
	j.progress.mu.Lock()
	defer j.progress.mu.Unlock()
	j.progress.reading = append(j.progress.reading, what)
}

// ReadsAll adds the streams that know their position to the progress of the job.
func (j *Job) ReadsAll(streams []record.Stream[record.None]) {
	for _, s := range streams {
		if at, ok := s.(Positioned); ok {
			j.Reads(at)
		}
	}
}

// Reading reports whether something was added to the progress of the job.
func (j *Job) Reading() bool { return len(j.progress.reading) > 0 }

// A Stage is a phase of a job.
type Stage int

// The stages in order.
const (
	Opening Stage = iota // inputs are copied and unpacked
	Reading              // the opened recording is read
)

// Position returns the progress of a job: the bytes done in its stage, and their total, which is 0
// if unknown. Any goroutine may call it.
func (j *Job) Position() (at Stage, done, total int64) {
	j.progress.mu.Lock()
	defer j.progress.mu.Unlock()
	endless := false
	for _, p := range j.progress.reading {
		n, all := p.Position()
		endless = endless || n > all
		done, total = done+n, total+all
	}
	switch {
	case done == 0 && total == 0:
		return Opening, j.progress.opened, j.progress.size
	case endless:
		total = 0
	}
	return Reading, done, total
}
