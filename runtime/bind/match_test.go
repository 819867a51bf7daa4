package bind

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// slots is a Decoder of sequential events of one number each, which logs the slot and the data.
type slots struct {
	callbacks struct{ A, B, C, D callback }
	short     bool
	log       []string
}

func (s *slots) Batch(b *Binding[none], records []record.Record, entries []none) error {
	for i := range records {
		r, x := &records[i], &entries[i]
		slot, data, err := b.Slot(r), &r.Data, error(nil)
		if slot < 0 {
			slot, data, err = b.Move(r, x)
		}
		switch {
		case slot >= 0 && s.short:
			err = b.Short(r, x)
		case slot >= 0:
			s.log = append(s.log, fmt.Sprintf("%d:%x", slot, *data))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *slots) Text(slot int, dst []byte, data *[]byte, _ *none, _ *render.Env) ([]byte, bool) {
	return fmt.Appendf(dst, "%d:%x", slot, *data), true
}

// set wants events.
func (s *slots) set(wanted int) *slots {
	for i, c := range []*callback{&s.callbacks.A, &s.callbacks.B, &s.callbacks.C, &s.callbacks.D}[:wanted] {
		*c = func(*record.Record, *none) error { panic(i) }
	}
	return s
}

func (s *slots) part(compiled ...Event) Part[none] {
	return Part[none]{Events: compiled, Target: s, Callbacks: &s.callbacks}
}

// number describes an event of one number of some bytes.
func number(group, name string, id uint32, size int) Event {
	return Event{Group: group, Name: name, ID: id, Sequential: true, Fields: []Field{{Name: "n", Size: size, Signed: true}}}
}

func exit(e Event) Event { e.Exit = true; return e }

// TestMatch: which compiled event each recorded one is.
func TestMatch(t *testing.T) {
	const first = 1<<31 + 3
	tests := []struct {
		name               string
		compiled, recorded []Event
		want               []string // of a record of each recorded event
		err                string
	}{
		{
			"own group before any", []Event{number("", "f", 0, 4), number("lib", "f", 0, 4)},
			[]Event{number("app", "f", first, 4), number("lib", "f", first+1, 4), number("more", "f", first+2, 4)},
			[]string{"0:01020304", "1:01020304", "0:01020304"}, "",
		},
		{
			"calls and returns", []Event{number("", "f", 0, 4), exit(number("", "f", 0, 4))},
			[]Event{exit(number("app", "f", first, 4)), number("app", "f", first+1, 4)}, []string{"1:01020304", "0:01020304"}, "",
		},
		{
			"of one name that of the same layout", []Event{number("", "f", 0, 8), number("", "f", 0, 4)},
			[]Event{number("app", "f", first, 4)}, []string{"1:01020304"}, "missing",
		},
		{
			"else the first that fits", []Event{number("", "f", 0, 2), number("", "f", 0, 8)},
			[]Event{number("app", "f", first, 4)}, []string{"1:0102030400000000"}, "wider",
		},
		{
			"recorded without groups", []Event{number("fs", "open", 0, 4), number("net", "send", 0, 4)},
			[]Event{number("", "send", 0, 4), number("", "open", 1, 4)}, []string{"1:01020304", "0:01020304"}, "",
		},
		{
			"recorded without groups, two of a name", []Event{number("fs", "open", 0, 4), number("net", "open", 0, 4)},
			[]Event{number("", "open", 0, 4)}, []string{""}, "missing",
		},
		{"other group", []Event{number("fs", "open", 0, 4)}, []Event{number("net", "open", 0, 4)}, []string{""}, `event "fs:open": missing`},
		{
			"one part of the recording does not fit", []Event{number("fs", "open", 0, 4)},
			[]Event{number("fs", "open", 0, 4), {Group: "fs", Name: "open", ID: 1, Source: "second", Sequential: true}},
			[]string{"0:01020304", ""}, `second: event "fs:open": field "n": missing`,
		},
		{
			"described twice", []Event{number("fs", "open", 0, 4)}, []Event{number("fs", "open", 7, 4), number("fs", "open", 7, 4)},
			[]string{"0:01020304", "0:01020304"}, "",
		},
		{"nothing to read", []Event{{Name: "100", Sequential: true}}, []Event{{Name: "100", ID: 0x1000, BigEndian: true, Sequential: true}}, []string{"0:01020304"}, ""},
		{"offsets where values follow one another", []Event{number("g", "e", 0, 4)}, []Event{{Group: "g", Name: "e", Size: 4, Fields: []Field{{Name: "n", Size: 4}}}}, []string{""}, "incompatible"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			s := (&slots{}).set(len(tt.compiled))
			var b Binding[none]
			err := b.Bind(Sources(tt.recorded), Options[none]{}, s.part(tt.compiled...))
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			for _, e := range tt.recorded {
				s.log = nil
				r := record.Record{ID: e.ID, Data: []byte{1, 2, 3, 4}}
				_, err := b.Record(&r, nil)
				if batch(t, &b, []record.Record{r}); err != nil || len(s.log) == 2 && s.log[0] != s.log[1] {
					t.Errorf("Record %v, Batch and Record: %q", err, s.log)
				}
				got = append(got, strings.Join(s.log[:min(1, len(s.log))], ""))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Records outside of the ids that are bound are Other, also just below and above them.
func TestIDs(t *testing.T) {
	s := (&slots{}).set(2)
	var b Binding[none]
	var other []uint32
	opts := Options[none]{Other: func(r *record.Record, _ *none) error { other = append(other, r.ID); return nil }}
	if err := b.Bind(Sources([]Event{number("", "a", 1<<31+6, 4), number("", "b", 1<<31+8, 4)}), opts, s.part(number("", "a", 0, 4), number("", "b", 0, 4))); err != nil {
		t.Fatal(err)
	}
	for _, id := range []uint32{0, 6, 8, 1<<31 + 5, 1<<31 + 6, 1<<31 + 7, 1<<31 + 8, 1<<31 + 9, 1<<32 - 1} {
		batch(t, &b, []record.Record{{ID: id, Data: []byte{1, 0, 0, 0}}})
	}
	if d := cmp.Diff([]uint32{0, 6, 8, 1<<31 + 5, 1<<31 + 7, 1<<31 + 9, 1<<32 - 1}, other); d != "" || len(s.log) != 2 {
		t.Errorf("%q (-want +got):\n%s", s.log, d)
	}
}

// A sequential record that is too short is Short, as recorded and relocated; its text is empty.
func TestShortPayload(t *testing.T) {
	for _, size := range []int{4, 8} {
		s := (&slots{short: size == 4}).set(1)
		var b Binding[none]
		var got []string
		opts := Options[none]{Short: func(r *record.Record, _ *none) error { got = append(got, string(r.Data)); return nil }}
		if err := b.Bind(Sources([]Event{number("", "a", 5, 4)}), opts, s.part(number("", "a", 0, size))); err != nil {
			t.Fatal(err)
		}
		r := record.Record{ID: 5, Data: []byte("ab")}
		batch(t, &b, []record.Record{r})
		if ok, err := b.Record(&r, nil); ok || err != nil {
			t.Error(ok, err)
		}
		if d := cmp.Diff([]string{"ab", "ab"}, got); d != "" || b.Stats != (Stats{Short: 2}) {
			t.Errorf("%+v (-want +got):\n%s", b.Stats, d)
		}
		if text, ok := b.AppendText([]byte(">"), &r, nil, nil); size == 8 && string(text) != ">" || !ok {
			t.Errorf("%q %v", text, ok)
		}
	}
}

// Two packages have one table; the options are those of the binding.
func TestParts(t *testing.T) {
	one, two := (&slots{}).set(1), (&slots{}).set(2)
	var b Binding[none]
	src := Sources([]Event{number("", "a", 1, 4), number("", "b", 2, 4), number("", "c", 3, 4)})
	if err := b.Bind(src, Options[none]{}, one.part(number("", "a", 0, 4)), two.part(number("", "b", 0, 4), number("", "c", 0, 4))); err != nil {
		t.Fatal(err)
	}
	var records []record.Record
	for id := range uint32(6) {
		records = append(records, record.Record{ID: id * 7 % 5, Data: []byte{byte(id), 0, 0, 0}})
	}
	batch(t, &b, records) // of the events 0 2 4 1 3 0
	if got := slices.Concat(one.log, two.log); cmp.Diff([]string{"0:03000000", "0:01000000", "1:04000000"}, got) != "" || b.Stats.Other != 3 {
		t.Errorf("%q, %+v", got, b.Stats)
	}
	many := Part[none]{Events: make([]Event, slotMask+2), Target: one, Callbacks: &one.callbacks}
	if err := b.Bind(src, Options[none]{}, many); err == nil {
		t.Error("a million events are bound")
	}
}
