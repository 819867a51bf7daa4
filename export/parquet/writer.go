package parquet

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	pq "github.com/parquet-go/parquet-go"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/runtime/record"
)

// shape is what the tables of a recording have in common.
type shape struct {
	wall    int64
	hasWall bool
	text    bool
}

// writer writes the files of one recording.
type writer struct {
	ctx     context.Context
	reader  *dynamic.Reader
	machine record.Machine
	options *Options
	tmp     string
	shape   shape
	host    string

	spill    spill
	flushes  int
	open     int // parts that are written
	day      day
	turns    int
	slots    []*table // by dynamic.Type.Number, of the day
	tables   []*table // of the day
	parts    []*part
	buffered int // bytes of rows that are not encoded
	budget   int
	pool     *pool

	all          *table     // of all events, of the day
	counts       []EventRow // of types, by dynamic.Type.Number, for that
	calls        calls
	sides        [4]*table // of calls and returns, of the day
	losses       *table    // of the day
	lost         Lost
	descriptions [][sha256.Size]byte
	first, last  uint64
	rows         int64
	runErr       error
}

// day is a partition of time.
type day struct {
	date        string // empty: not known
	first, last uint64 // times of records
}

func newWriter(ctx context.Context, tmp string, r *dynamic.Reader, o *Options) *writer {
	w := &writer{budget: o.memory(), ctx: ctx, reader: r, options: o, tmp: tmp, spill: spill{dir: tmp}, first: math.MaxUint64}
	w.machine = r.Recording().Machine()
	w.calls.tasks = map[int32]*stack{}
	w.shape = shape{wall: w.machine.Wall, hasWall: w.machine.HasWall && !w.machine.Ticks, text: o.Text}
	w.host = w.machine.Host
	if w.host == "" || o.SameHost {
		w.host = o.Host
	}
	w.pool = newPool(o.workers())
	w.day = day{last: math.MaxUint64}
	if !w.machine.Date.IsZero() {
		w.day.date = w.machine.Date.Format(time.DateOnly)
	}
	if w.shape.hasWall {
		w.day = day{first: 1} // no record is in it
	}
	return w
}

// run writes all files to the temporary folder.
func (w *writer) run() error {
	defer w.spill.close()
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
		if w.counts != nil {
			w.counts[kind(ev)].Rows++
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
	return w.pool.wait()
}

// add adds an event to a table.
func (w *writer) add(t *table, ev *dynamic.Event) error {
	n := t.append(ev)
	for n == 0 { // once: the table of rows with nulls takes all
		t = w.lacking(t)
		n = t.append(ev)
	}
	w.first, w.last = min(w.first, ev.Time), max(w.last, ev.Time)
	t.part.first, t.part.till = min(t.part.first, ev.Time), max(t.part.till, ev.Time)
	w.buffered += n
	w.rows++
	if t.rows >= groupRows || t.size+t.away >= groupBytes {
		w.flush(t)
		return w.pool.err()
	}
	if w.buffered > w.budget {
		return errors.Join(w.relieve(), w.pool.err())
	}
	return nil
}

// Kinds of events have tables of their own up to a number, which a damaged recording may exceed. The others have one together, with their names and bytes.
var mostKinds = 1 << 14 // tests change it

// otherEvent is the table of the others.
const otherEvent = "tracec.other"

// kind is the number of the type of an event, mostKinds for all others.
func kind(ev *dynamic.Event) int { return min(ev.Type.Number, mostKinds) }

// tableOf returns the table of an event.
func (w *writer) tableOf(ev *dynamic.Event) *table {
	n := kind(ev)
	if n < len(w.slots) && w.slots[n] != nil {
		return w.slots[n]
	}
	for n >= len(w.slots) {
		w.slots = append(w.slots, nil)
	}
	typ := ev.Type
	w.descriptions = append(w.descriptions, describe(typ))
	if w.options.Wide {
		for n >= len(w.counts) {
			w.counts = append(w.counts, EventRow{})
		}
		if w.counts[n].Event = eventName(typ); n == mostKinds {
			w.counts[n].Event = otherEvent
		}
		w.slots[n] = w.wideTable()
		return w.slots[n]
	}
	if n == mostKinds {
		w.slots[n] = w.newTable(otherEvent, w.otherFields(false))
		w.slots[n].nulls = func() *table { return w.newTable(otherEvent, w.otherFields(true)) }
		return w.slots[n]
	}
	if entryOf(ev) != nil {
		w.slots[n] = w.side(typ)
		return w.slots[n]
	}
	t := w.newTable(eventName(typ), fieldsOf(typ, &w.shape, false))
	t.nulls = func() *table { return w.newTable(t.event, fieldsOf(typ, &w.shape, true)) }
	w.slots[n] = t
	return t
}

// wideTable returns the table of all events.
func (w *writer) wideTable() *table {
	if w.all == nil {
		w.all = w.newTable("", w.wideFields(false))
		w.all.nulls = func() *table { return w.newTable("", w.wideFields(true)) }
	}
	return w.all
}

// wideFields returns the columns of the table of all events.
func (w *writer) wideFields(nulls bool) []*field {
	event := &field{name: "event", storage: text, node: pq.String(), bits: ofPut, put: func(ev *dynamic.Event, c *column) bool {
		c.putString(w.counts[kind(ev)].Event)
		return true
	}}
	return append(common(w.shape.wall, w.shape.hasWall, nulls), event, texts())
}

// otherFields returns the columns of the events of more kinds than there are tables.
func (w *writer) otherFields(nulls bool) []*field {
	name := &field{name: "name", storage: text, node: pq.String(), bits: ofPut, put: func(ev *dynamic.Event, c *column) bool {
		c.putString(eventName(ev.Type))
		return true
	}}
	return append(common(w.shape.wall, w.shape.hasWall, nulls), name, data())
}

// side returns the table of calls or of returns. Those that have values are in files of their own: others have no columns for them, which cost
// more than all that they have.
func (w *writer) side(t *dynamic.Type) *table {
	i, event := 0, callEvent
	if t.Exit {
		i, event = 1, returnEvent
	}
	values := len(t.Fields) > 0
	if values {
		i += 2
	}
	if w.sides[i] == nil {
		fields := func(nulls bool) []*field { return w.calls.fields(&w.shape, t.Exit, values, nulls) }
		w.sides[i] = w.newTable(event, fields(false))
		w.sides[i].nulls = func() *table { return w.newTable(event, fields(true)) }
	}
	return w.sides[i]
}

// newTable returns a table and begins a part for it.
func (w *writer) newTable(event string, fields []*field) *table {
	t := newTable(event, fields)
	t.slabs = &w.pool.slabs
	w.tables = append(w.tables, t)
	w.newPart(t)
	return t
}

func (w *writer) newPart(t *table) {
	p := &part{
		event: t.event, date: w.day.date, number: len(w.parts), fields: t.fields, first: math.MaxUint64,
		begun: make(chan struct{}), last: make(chan struct{}),
	}
	p.path = filepath.Join(w.tmp, fmt.Sprintf("%05d", p.number))
	close(p.last)
	w.parts = append(w.parts, p)
	t.part = p
}

// lacking returns the table of events that lack a value that the rows of another have.
func (w *writer) lacking(t *table) *table {
	if t.lacks == nil {
		t.lacks = t.nulls()
	}
	return t.lacks
}

// flush has the rows of a table encoded.
func (w *writer) flush(t *table) {
	if t.rows == 0 {
		return
	}
	w.makeRoom(t)
	p := t.part
	p.rows += int64(t.rows)
	w.buffered -= t.size
	if t.batch != nil {
		t.room = t.batch.rows
		for i := range t.batch.columns {
			t.bytes[i] = len(t.batch.columns[i].bytes)
		}
	}
	w.pool.put(p, rows{batch: t.batch, kept: t.kept, count: t.rows, spill: &w.spill, empty: t.empty})
	t.batch, t.kept, t.size, t.away, t.rows = nil, nil, 0, 0, 0
}

// mostOpen bounds the files that are written at once: each takes memory, a dictionary for each column.
const mostOpen = 256

// makeRoom ends the file that was written to least lately when there are too many, before the first rows of a table are written.
func (w *writer) makeRoom(t *table) {
	w.flushes++
	t.turn = w.flushes
	if t.part.rows > 0 {
		return
	}
	if w.open++; w.open <= mostOpen {
		return
	}
	var oldest *table
	for _, x := range w.tables {
		if x != t && x.part.rows > 0 && (oldest == nil || x.turn < oldest.turn) {
			oldest = x
		}
	}
	if oldest != nil {
		w.pool.end(oldest.part)
		w.newPart(oldest)
		w.open--
	}
}

// leastGroup is the size of a row group that is written before it is full.
const leastGroup = 512 << 10

// relieve has the largest batches encoded, until half of the memory is free. Where all are small they go to the temporary file.
func (w *writer) relieve() error {
	bySize := slices.SortedStableFunc(slices.Values(w.tables), func(a, b *table) int { return cmp.Compare(b.size, a.size) })
	for _, t := range bySize {
		if w.buffered <= w.budget/2 || t.size < leastGroup {
			break
		}
		w.flush(t)
	}
	if w.buffered <= w.budget/2 {
		return nil
	}
	for _, t := range bySize {
		if t.batch == nil {
			continue
		}
		x, err := w.spill.put(t.batch)
		if err != nil {
			return err
		}
		w.buffered -= t.size
		t.kept, t.away = append(t.kept, x), t.away+t.size
		t.batch, t.size = nil, 0
	}
	return nil
}

// endTables ends all tables of the day.
func (w *writer) endTables() {
	for _, t := range w.tables {
		w.flush(t)
		if t.part.rows > 0 {
			w.pool.end(t.part)
		}
	}
	w.open = 0
	w.tables, w.slots, w.all, w.losses, w.sides = nil, nil, nil, nil, [4]*table{}
}

// mostTurns bounds the days of a recording: times of a damaged one may be anything.
const mostTurns = 1000

// turn ends the tables of a day and begins those of another.
func (w *writer) turn(at uint64) {
	w.endTables()
	if w.turns++; w.turns > mostTurns || at > math.MaxInt64 {
		w.day = day{last: math.MaxUint64}
		return
	}
	const length = uint64(24 * time.Hour)
	now := int64(at) + w.shape.wall
	since := uint64(((now % int64(length)) + int64(length)) % int64(length)) // midnight
	w.day = day{date: dateOf(now), first: at - min(since, at), last: at + (length - since) - 1}
}

// lostEvent is the table of what the recorder has lost.
const lostEvent = "tracec.lost"

// losses returns the columns of what was lost before an event: those of the event, and the number, which is null when it is not known.
func losses(o *shape, nulls bool) []*field {
	return append(common(o.wall, o.hasWall, nulls), &field{name: "lost", storage: wide, optional: true, node: pq.Int(64), bits: ofLost})
}

// lose counts what was lost before an event, and adds it to the table of losses.
func (w *writer) lose(ev *dynamic.Event) error {
	if ev.Lost > 0 {
		w.lost.Events += ev.Lost
	} else {
		w.lost.Unknown++
	}
	if w.options.Wide { // it would be another table
		return nil
	}
	if w.losses == nil {
		w.losses = w.newTable(lostEvent, losses(&w.shape, false))
		w.losses.nulls = func() *table { return w.newTable(lostEvent, losses(&w.shape, true)) }
	}
	return w.add(w.losses, ev)
}

// fill fills an entry with what was written.
func (w *writer) fill(e *Entry) {
	m := &w.machine
	e.Host, e.System, e.Release, e.Arch, e.Clock, e.Ticks = w.host, m.System, m.Release, m.Arch, m.Clock, m.Ticks
	if m.HasWall {
		e.Wall = &m.Wall
	}
	slices.SortFunc(w.descriptions, func(a, b [sha256.Size]byte) int { return slices.Compare(a[:], b[:]) })
	sum := sha256.New()
	for _, d := range slices.Compact(w.descriptions) {
		sum.Write(d[:])
	}
	e.Descriptions = hex.EncodeToString(sum.Sum(nil))
	if e.Rows = w.rows; w.rows > 0 {
		e.First, e.Last = &w.first, &w.last
	}
	counts := map[string]int64{}
	for _, p := range w.parts {
		if p.rows == 0 {
			continue
		}
		if !w.options.Wide {
			counts[p.event] += p.rows
		}
		e.Files = append(e.Files, File{
			Path: path.Join(partition(w.host, p.date, p.event), fileName(e.ID, p.number)), Event: p.event, Date: p.date, Rows: p.rows, Bytes: p.bytes,
			First: p.first, Last: p.till,
		})
	}
	for _, c := range w.counts {
		counts[c.Event] += c.Rows
	}
	for event, rows := range counts {
		e.Events = append(e.Events, EventRow{event, rows})
	}
	slices.SortFunc(e.Events, func(a, b EventRow) int { return strings.Compare(a.Event, b.Event) })
	e.Lost = w.lost
	rec := w.reader.Recording()
	stats := rec.DamageStats()
	e.Damage.Count, e.Damage.Skipped = stats.Count, stats.Skipped
	for _, d := range rec.Damage() {
		e.Damage.Places = append(e.Damage.Places, Place{filepath.ToSlash(d.File), d.Offset, d.Error()})
	}
	if w.runErr != nil {
		e.Errors = append(e.Errors, w.runErr.Error())
	}
}

// place moves the files to their places.
func (w *writer) place(dir string, e *Entry) error {
	i := 0
	for _, p := range w.parts {
		if p.rows == 0 {
			continue
		}
		to := filepath.Join(dir, filepath.FromSlash(e.Files[i].Path))
		i++
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.Rename(p.path, to); err != nil {
			return err
		}
	}
	slices.SortFunc(e.Files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return nil
}
