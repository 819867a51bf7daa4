package report

import "sync"

// Positioned is what is read from its beginning to its end: a stream, or all streams of a recording.
type Positioned interface {
	// Position returns how many bytes have been read, and how many there are: 0 when that is not known. Any goroutine may call it.
	Position() (done, total int64)
}

// progress is how far a job is.
type progress struct {
	mu      sync.Mutex
	unpack  int64 // bytes that were copied to temporary files
	reading []Positioned
}

// spooled is told what unpacking has copied.
func (p *progress) spooled(n int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.unpack += n
}

// Reads adds what the job reads to its progress.
func (j *Job) Reads(what Positioned) {
	j.progress.mu.Lock()
	defer j.progress.mu.Unlock()
	j.progress.reading = append(j.progress.reading, what)
}

// Stage is what a job is at.
type Stage int

// Stages, in their order.
const (
	Opening Stage = iota // inputs are copied and unpacked
	Reading              // of a recording that has been opened
)

// Position returns how far a job is: the bytes that its stage has done, and how many there are to do, 0 when that is not
// known. Any goroutine may call it.
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
		return Opening, j.progress.unpack, 0
	case endless:
		total = 0
	}
	return Reading, done, total
}
