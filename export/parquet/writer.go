package parquet

import (
	"context"
	"crypto/sha256"
	"errors"
	"math"
	"time"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/runtime/record"
)

// shape holds the properties that the tables of a recording share.
type shape struct {
	wall      int64
	hasWall   bool
	text      bool
	recording identity
}

// writer writes the files of one recording.
type writer struct {
	ctx     context.Context
	reader  *tracec.Reader
	machine record.Machine
	options *Options
	shape   shape
	host    string

	day    day
	turns  int // number of days so far
	open   openTables
	calls  calls
	memory memory
	files  files
	pool   *pool
	sum    summary
	runErr error
}

// openTables holds the tables of the current day.
type openTables struct {
	tables []*table
	slots  []*table  // by tracec.Type.Number
	all    *table    // table of all events
	sides  [4]*table // tables of calls and returns
	losses *table
}

// memory counts the rows that are not yet encoded.
type memory struct {
	buffered int // bytes
	paced    int // bytes since pace last encoded a table
	budget   int
}

// files holds the files of the recording, in a temporary folder.
type files struct {
	tmp     string
	spill   spill
	parts   []*part
	open    int // number of open parts
	flushes int
}

// summary describes the rows of the recording, for its entry.
type summary struct {
	counts       []EventRow // counts of types, by tracec.Type.Number, for the table of all events
	lost         Lost
	descriptions [][sha256.Size]byte
	first, last  uint64
	rows         int64
}

// day is a partition of time.
type day struct {
	date        string // empty if unknown
	first, last uint64 // times of records
}

func newWriter(ctx context.Context, tmp string, id identity, r *tracec.Reader, o *Options) *writer {
	w := &writer{ctx: ctx, reader: r, options: o, files: files{tmp: tmp, spill: spill{dir: tmp}}}
	w.memory.budget, w.sum.first = o.memory(), math.MaxUint64
	w.machine = r.Recording().Machine()
	w.calls.tasks = map[int32]*stack{}
	w.shape = shape{wall: w.machine.Wall, hasWall: w.machine.HasWall && !w.machine.Ticks, text: o.Text, recording: id}
	w.host = w.machine.Host
	if w.host == "" || o.SameHost {
		w.host = o.Host
	}
	w.pool = newPool(o.workers(), r)
	w.day = day{first: 1} // contains no time
	return w
}

// run writes all files to the temporary folder. walk returns the walk for Options.Tables.
func (w *writer) run(walk func(*tracec.Reader) *tables.Walk) error {
	defer w.files.spill.close()
	defer w.pool.close()
	for ev := range w.reader.All() {
		if ev.Time < w.day.first || ev.Time > w.day.last {
			w.turn(ev.Time)
		}
		if ev.Lost != 0 {
			if err := w.lose(ev); err != nil {
				return err
			}
		}
		if ev.Entry != nil {
			w.calls.follow(ev)
		}
		t := w.tableOf(ev)
		if w.sum.counts != nil {
			w.sum.counts[kind(ev)].Rows++
		}
		if err := w.add(t, ev); err != nil {
			return err
		}
	}
	if err := w.ctx.Err(); err != nil {
		return err
	}
	w.runErr = w.reader.Err()
	w.endTables()
	if w.options.derives() {
		if err := w.derive(walk(w.reader)); err != nil {
			return err
		}
		w.endTables()
	}
	return w.pool.wait()
}

// add adds an event to a table.
func (w *writer) add(t *table, ev *tracec.Event) error {
	n := t.append(ev)
	for n == 0 { // at most twice: the table of rows with nulls accepts all
		t = w.lacking(t)
		n = t.append(ev)
	}
	w.sum.first, w.sum.last = min(w.sum.first, ev.Time), max(w.sum.last, ev.Time)
	t.times.low, t.times.high = min(t.times.low, ev.Time), max(t.times.high, ev.Time)
	w.memory.buffered += n
	w.sum.rows++
	w.pace(n)
	if t.rows >= groupRows || t.size+t.packed.away >= t.most {
		w.flush(t)
		return w.pool.err()
	}
	if t.rows > 0 && t.rows%pieceRows == 0 { // pace may have encoded the rows
		t.pack()
	}
	if w.memory.buffered > w.memory.budget {
		return errors.Join(w.relieve(), w.pool.err())
	}
	return nil
}

// mostTurns bounds the number of days, since times of a damaged recording are arbitrary.
const mostTurns = 1000

// turn ends the tables of a day and begins the tables of another.
func (w *writer) turn(at uint64) {
	w.endTables()
	w.turns++
	w.day = w.dayOf(at, w.turns)
}

// dayOf returns the day of a time. days is the number of days so far. If there are too many, the
// rest of the recording is one day of unknown date.
func (w *writer) dayOf(at uint64, days int) day {
	if !w.shape.hasWall {
		d := day{last: math.MaxUint64}
		if !w.machine.Date.IsZero() {
			d.date = w.machine.Date.Format(time.DateOnly)
		}
		return d
	}
	if days > mostTurns || at > math.MaxInt64 {
		return day{last: math.MaxUint64}
	}
	const length = uint64(24 * time.Hour)
	now := int64(at) + w.shape.wall
	since := uint64(((now % int64(length)) + int64(length)) % int64(length)) // midnight
	return day{date: dateOf(now), first: at - min(since, at), last: at + (length - since) - 1}
}

// lose counts the losses before an event, and adds them to the table of losses.
func (w *writer) lose(ev *tracec.Event) error {
	if ev.Lost > 0 {
		w.sum.lost.Events += ev.Lost
	} else {
		w.sum.lost.Unknown++
	}
	if w.options.Wide { // the only table is for events
		return nil
	}
	if w.open.losses == nil {
		w.open.losses = w.newTable(lostEvent, losses(&w.shape, false))
		w.open.losses.nulls = func() *table { return w.newTable(lostEvent, losses(&w.shape, true)) }
	}
	return w.add(w.open.losses, ev)
}
