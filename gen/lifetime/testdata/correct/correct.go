// Package correct has programs that keep only copies. There are 24, one in each function.
package correct

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/aix"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// 1: how long threads ran
func busy(rec *ftrace.Recording) (map[int32]uint64, error) {
	since, busy := map[int32]uint64{}, map[int32]uint64{}
	d, err := decoders.Bind(rec, decoders.SchedSwitchEvent)
	if err != nil {
		return nil, err
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		if start, ok := since[r.CPU]; ok {
			busy[e.(*decoders.SchedSwitch).PrevPID] += r.Time - start
		}
		since[r.CPU] = r.Time
	}
	return busy, d.Err()
}

// 2: copies of events without pointers
func copies(ctx context.Context, d *decoders.Decoder) (list []decoders.SchedSwitch) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			list = append(list, *e)
		}
	}
	return list
}

// 3: arrays as keys
func names(ctx context.Context, d *decoders.Decoder) map[decoders.Chars16]int {
	counts := map[decoders.Chars16]int{}
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			counts[e.NextComm]++
		}
	}
	return counts
}

// 4: texts are copies
func texts(ctx context.Context, d *decoders.Decoder) map[string]int {
	counts := map[string]int{}
	var last string
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.IRQHandlerEntry:
			counts[string(e.Name())]++
			last = strings.ToUpper(string(e.Name()))
		}
	}
	_ = last
	return counts
}

// 5: cloned data
func cloned(ctx context.Context, d *decoders.Decoder) (list [][]byte) {
	for r := range d.Events(ctx, record.Options{}) {
		list = append(list, bytes.Clone(r.Data), append([]byte(nil), r.Data...), slices.Clone(r.Data[:4]))
	}
	return list
}

// 6: a copy of a record, with its own data
func records(ctx context.Context, d *decoders.Decoder) (list []record.Record) {
	for r := range d.Events(ctx, record.Options{}) {
		c := *r
		c.Data = bytes.Clone(r.Data)
		list = append(list, c)
	}
	return list
}

// 7: one buffer for all
func appended(ctx context.Context, d *decoders.Decoder, w io.Writer) {
	var buf []byte
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.IRQHandlerEntry:
			buf = append(buf[:0], "irq "...)
			buf = append(buf, e.Name()...)
			buf = append(buf, '\n')
			if _, err := w.Write(buf); err != nil {
				return
			}
		}
	}
}

// 8: printed
func printed(ctx context.Context, d *decoders.Decoder) {
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			fmt.Println(r.Time, e, e.PrevComm.Bytes(), r.Data)
			fmt.Fprintf(os.Stdout, "%v %s\n", r, e.NextComm.Bytes())
		}
	}
}

// 9: JSON of it
func marshaled(ctx context.Context, d *decoders.Decoder) (docs [][]byte) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			b, err := json.Marshal(e)
			if err != nil {
				break
			}
			docs = append(docs, b)
		}
	}
	return docs
}

// 10: local variables
func local(ctx context.Context, d *decoders.Decoder) {
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			both := []*decoders.SchedSwitch{e, e}
			byName := map[string]*record.Record{"r": r}
			pair := struct {
				r *record.Record
				e *decoders.SchedSwitch
			}{r, e}
			for _, x := range both {
				println(x.PrevPID, byName["r"].Time, pair.e.NextPID)
			}
		}
	}
}

// 11: functions that only read
func looked(ctx context.Context, d *decoders.Decoder) {
	var sum int64
	look := func(e *decoders.SchedSwitch) int64 { return int64(e.PrevPID) }
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			sum += look(e) + pid(e)
			func() {
				defer func() { sum += int64(e.NextPID) }()
			}()
		}
	}
}

func pid(e *decoders.SchedSwitch) int64 { return int64(e.NextPID) }

// 12: state that functions share
type state struct {
	count map[int32]int
	name  string
	last  decoders.SchedSwitch
	args  [6]uint64
}

func (s *state) onSwitch(r *record.Record, e *decoders.SchedSwitch) error {
	s.count[r.Task]++
	s.last = *e
	s.name = e.PrevComm.String()
	return nil
}

// 13: data of another event
func (s *state) onEnter(r *record.Record, e *decoders.SysEnter) error {
	s.args = e.Args
	s.count[int32(e.ID)]++
	return nil
}

// part is the result for a slice.
type part struct {
	names map[string]int
	last  decoders.SchedSwitch
	data  []byte
}

// 14: in parallel, each with its own state
func parallel(ctx context.Context, rec *ftrace.Recording) (total int, err error) {
	d, err := decoders.Bind(rec)
	if err != nil {
		return 0, err
	}
	each := func(_ *decoders.Decoder, events iter.Seq2[*record.Record, any]) (part, error) {
		p := part{names: map[string]int{}}
		for r, e := range events {
			if e, ok := e.(*decoders.SchedSwitch); ok {
				p.names[e.NextComm.String()]++
				p.last, p.data = *e, append(p.data[:0], r.Data...)
			}
		}
		return p, nil
	}
	err = bind.Parallel(ctx, d, bind.Slicing{}, each, func(p part) error { total += len(p.names); return nil })
	return total, err
}

// 15: types of dynamic events stay
func dynamics(r *tracec.Reader) (counts map[*tracec.Type]int, list []string) {
	counts = map[*tracec.Type]int{}
	for ev := range r.All() {
		counts[ev.Type]++
		if v, ok := ev.Field("comm"); ok {
			list = append(list, v.String())
		}
		text, _ := ev.AppendText(nil)
		list = append(list, string(text))
	}
	return counts, list
}

// 16: bytes of dynamic events, cloned; numbers
func numbers(r *tracec.Reader) (sum int64, data [][]byte) {
	var buf []byte
	for ev := range r.All() {
		for _, v := range ev.Fields() {
			sum += v.Int()
			data = append(data, bytes.Clone(v.Bytes()))
			buf = v.Append(buf[:0])
		}
	}
	return sum, data
}

// 17: batches, used only before the next one
func batches(s record.Stream[record.None]) (n int, latest uint64) {
	for {
		batch, err := s.Next()
		if err != nil {
			return n, latest
		}
		for i := range batch.Records {
			latest = max(latest, batch.Records[i].Time)
		}
		n += len(batch.Records)
	}
}

// 18: sorted afterwards
func sorted(ctx context.Context, d *decoders.Decoder) []string {
	seen := map[string]uint64{}
	var mu sync.Mutex
	for r, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			mu.Lock()
			seen[e.NextComm.String()] += r.Time
			mu.Unlock()
		}
	}
	list := slices.Collect(maps.Keys(seen))
	sort.Strings(list)
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(seen[a], seen[b]) })
	return list
}

// 19: sent as a copy
func sent(ctx context.Context, d *decoders.Decoder, out chan decoders.SchedSwitch, words chan string) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.SchedSwitch:
			out <- *e
			words <- e.PrevComm.String()
			pid := e.PrevPID
			go func() { println(pid) }()
		}
	}
}

// 20: parsed by a parser that lives as long as the step
type parser struct {
	rest []byte
	n    int
}

func (p *parser) feed(b []byte) { p.rest = b }

func (p *parser) word() string {
	word, rest, _ := bytes.Cut(p.rest, []byte(" "))
	p.rest = rest
	return string(word)
}

func parsed(ctx context.Context, d *decoders.Decoder) (words []string) {
	for _, e := range d.Events(ctx, record.Options{}) {
		switch e := e.(type) {
		case *decoders.IRQHandlerEntry:
			var p parser
			p.feed(e.Name())
			words = append(words, p.word())
		}
	}
	return words
}

// 21: from a mapped recording, as the tracec:kept comment declares
func mapped(ctx context.Context, d *decoders.Decoder) (data [][]byte) {
	for r := range d.Events(ctx, record.Options{}) {
		//tracec:kept the recording is mapped until the end of main
		data = append(data, r.Data)
	}
	return data
}

// 22: events of the program's own loop, used only before the next one
func decoded(ctx context.Context, d *decoders.Decoder, m *record.Merger[record.None]) (busy map[int32]uint64, last decoders.SchedSwitch) {
	busy = map[int32]uint64{}
	var since uint64
	for {
		records, entries, err := m.NextRun()
		if err != nil {
			return busy, last
		}
		for i := range records {
			var e *decoders.SchedSwitch
			switch x := d.Decode(&records[i], &entries[i]).(type) {
			case *decoders.SchedSwitch:
				e = x
			default:
				continue
			}
			busy[e.PrevPID] += records[i].Time - since
			since, last = records[i].Time, *e
		}
	}
}

// 23: walks of the merger, with decoded events
func walks(ctx context.Context, d *decoders.Decoder, m *record.Merger[aix.Entry], hooks *bind.Decoder[aix.Entry]) (names []string, ids []uint32, err error) {
	err = m.Run(func(r *record.Record, x *aix.Entry) error {
		if e, ok := hooks.Decode(r, x).(fmt.Stringer); ok {
			names = append(names, e.String())
		}
		ids = append(ids, r.ID)
		return nil
	})
	counts := map[*bind.Event]int{}
	err = errors.Join(err, m.EachRun(func(records []record.Record, entries []aix.Entry) error {
		for i := range records {
			ids = append(ids, records[i].ID)
			counts[hooks.Event(&records[i])]++
		}
		return nil
	}))
	return names, ids, err
}

// 24: events of the root package
func root(ctx context.Context, rec *tracec.Recording) (texts []string, types map[*tracec.Type]int) {
	types = map[*tracec.Type]int{}
	for ev, err := range rec.Events(ctx) {
		if err != nil {
			return texts, types
		}
		text, _ := ev.AppendText(nil)
		texts, types[ev.Type] = append(texts, string(text)), types[ev.Type]+1
	}
	return texts, types
}
