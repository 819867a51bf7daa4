// Package correct has programs that keep nothing but copies: twenty of them, one in each function.
package correct

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/tracec/tracec/compiler/dynamic"
	"github.com/tracec/tracec/gen/lifetime/testdata/decoders"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// 1: how long threads ran
func busy(rec *ftrace.Recording) (map[int32]uint64, error) {
	since, busy := map[int32]uint64{}, map[int32]uint64{}
	var w decoders.Walk
	for r, e := range decoders.SchedSwitchEvents(rec, &w) {
		if start, ok := since[r.CPU]; ok {
			busy[e.PrevPID] += r.Time - start
		}
		since[r.CPU] = r.Time
	}
	return busy, w.Err()
}

// 2: copies of events without pointers
func copies(rec *ftrace.Recording) (list []decoders.SchedSwitch) {
	d := decoders.Decoder{SchedSwitch: func(r *record.Record, e *decoders.SchedSwitch) error {
		list = append(list, *e)
		return nil
	}}
	_ = d.Run(context.Background(), rec)
	return list
}

// 3: arrays as keys
func names(d *decoders.Decoder) map[decoders.Chars16]int {
	counts := map[decoders.Chars16]int{}
	d.SchedSwitch = func(_ *record.Record, e *decoders.SchedSwitch) error {
		counts[e.NextComm]++
		return nil
	}
	return counts
}

// 4: texts are copies
func texts(d *decoders.Decoder) map[string]int {
	counts := map[string]int{}
	var last string
	d.IRQHandlerEntry = func(_ *record.Record, e *decoders.IRQHandlerEntry) error {
		counts[string(e.Name())]++
		last = strings.ToUpper(string(e.Name()))
		return nil
	}
	_ = last
	return counts
}

// 5: cloned data
func cloned(d *decoders.Decoder) (list [][]byte) {
	d.Other = func(r *record.Record) error {
		list = append(list, bytes.Clone(r.Data), append([]byte(nil), r.Data...), slices.Clone(r.Data[:4]))
		return nil
	}
	return list
}

// 6: a copy of a record, with data of its own
func records(d *decoders.Decoder) (list []record.Record) {
	d.Other = func(r *record.Record) error {
		c := *r
		c.Data = bytes.Clone(r.Data)
		list = append(list, c)
		return nil
	}
	return list
}

// 7: one buffer for all
func appended(d *decoders.Decoder, w io.Writer) {
	var buf []byte
	d.IRQHandlerEntry = func(_ *record.Record, e *decoders.IRQHandlerEntry) error {
		buf = append(buf[:0], "irq "...)
		buf = append(buf, e.Name()...)
		buf = append(buf, '\n')
		_, err := w.Write(buf)
		return err
	}
}

// 8: printed
func printed(d *decoders.Decoder) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		fmt.Println(r.Time, e, e.PrevComm.Bytes(), r.Data)
		_, err := fmt.Fprintf(os.Stdout, "%v %s\n", r, e.NextComm.Bytes())
		return err
	}
}

// 9: JSON of it
func marshaled(d *decoders.Decoder) (docs [][]byte) {
	d.SchedSwitch = func(_ *record.Record, e *decoders.SchedSwitch) error {
		b, err := json.Marshal(e)
		docs = append(docs, b)
		return err
	}
	return docs
}

// 10: local variables
func local(d *decoders.Decoder) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		both := []*decoders.SchedSwitch{e, e}
		byName := map[string]*record.Record{"r": r}
		pair := struct {
			r *record.Record
			e *decoders.SchedSwitch
		}{r, e}
		for _, x := range both {
			println(x.PrevPID, byName["r"].Time, pair.e.NextPID)
		}
		return nil
	}
}

// 11: functions that only look
func looked(d *decoders.Decoder) {
	var sum int64
	look := func(e *decoders.SchedSwitch) int64 { return int64(e.PrevPID) }
	d.SchedSwitch = func(_ *record.Record, e *decoders.SchedSwitch) error {
		sum += look(e) + pid(e)
		defer func() { sum += int64(e.NextPID) }()
		return nil
	}
}

func pid(e *decoders.SchedSwitch) int64 { return int64(e.NextPID) }

// 12: a state that callbacks share
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

// 13: of another event
func (s *state) onEnter(r *record.Record, e *decoders.SysEnter) error {
	s.args = e.Args
	s.count[int32(e.ID)]++
	return nil
}

// 14: in parallel, each with its own
func parallel(ctx context.Context, rec *ftrace.Recording) (total int, err error) {
	err = decoders.Parallel(ctx, rec, bind.Parallel{}, func(d *decoders.Decoder) *int {
		n := new(int)
		d.SchedSwitch = func(*record.Record, *decoders.SchedSwitch) error { *n++; return nil }
		return n
	}, func(n *int) error { total += *n; return nil })
	return total, err
}

// 15: types of dynamic events stay
func dynamics(r *dynamic.Reader) (counts map[*dynamic.Type]int, list []string) {
	counts = map[*dynamic.Type]int{}
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
func numbers(r *dynamic.Reader) (sum int64, data [][]byte) {
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

// 17: batches, done with before the next one
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
func sorted(d *decoders.Decoder) []string {
	seen := map[string]uint64{}
	var mu sync.Mutex
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		mu.Lock()
		defer mu.Unlock()
		seen[e.NextComm.String()] += r.Time
		return nil
	}
	list := slices.Collect(maps.Keys(seen))
	sort.Strings(list)
	slices.SortFunc(list, func(a, b string) int { return cmp.Compare(seen[a], seen[b]) })
	return list
}

// 19: sent as a copy
func sent(d *decoders.Decoder, out chan decoders.SchedSwitch, words chan string) {
	d.SchedSwitch = func(r *record.Record, e *decoders.SchedSwitch) error {
		out <- *e
		words <- e.PrevComm.String()
		pid := e.PrevPID
		go func() { println(pid) }()
		return nil
	}
}

// 20: parsed by a parser that lives as long as the callback
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

func parsed(d *decoders.Decoder) (words []string) {
	d.IRQHandlerEntry = func(_ *record.Record, e *decoders.IRQHandlerEntry) error {
		var p parser
		p.feed(e.Name())
		words = append(words, p.word())
		return nil
	}
	return words
}

// 21: of a recording that is mapped, which says so
func mapped(d *decoders.Decoder) (data [][]byte) {
	d.Other = func(r *record.Record) error {
		//tracec:kept the recording is mapped until the end of main
		data = append(data, r.Data)
		return nil
	}
	return data
}
