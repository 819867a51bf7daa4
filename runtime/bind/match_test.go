package bind

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// slots is a Target of sequential events with one number each. It returns the slot and the data as
// text.
type slots struct {
	name string
	need int // bytes of a record
	last string
}

func (s *slots) Decode(slot int, data []byte, _ *record.Record, _ *none, _ *render.Env) any {
	if len(data) < s.need {
		return nil
	}
	s.last = fmt.Sprintf("%s%d:%x", s.name, slot, data)
	return &s.last
}

// textsOf returns functions that append the same text.
func textsOf(name string, events []Event) (texts []Text[none]) {
	for slot := range events {
		texts = append(texts, func(dst, data []byte, _ *none, _ *render.Env) []byte {
			return fmt.Appendf(dst, "%s%d:%x", name, slot, data)
		})
	}
	return texts
}

// part is a package of such events.
func part(name string, need int, compiled ...Event) Package[none] {
	return Package[none]{Events: compiled, New: func() Target[none] { return &slots{name: name, need: need} },
		Texts: textsOf(name, compiled)}
}

// asked returns all events of packages as options.
func asked(packages ...Package[none]) (opts []Option) {
	for _, p := range packages {
		for i := range p.Events {
			opts = append(opts, &p.Events[i])
		}
	}
	return opts
}

// slotOf returns the slot and the data with which a record is decoded.
func slotOf(d *Decoder[none], r record.Record) string {
	if s, ok := d.Decode(&r, nil).(*string); ok {
		return *s
	}
	return ""
}

// number describes an event with one number of size bytes.
func number(group, name string, id uint32, size int) Event {
	fields := []Field{{Name: "n", Size: size, Signed: true}}
	return Event{Group: group, Name: name, ID: id, Sequential: true, Fields: fields}
}

func exit(e Event) Event { e.Exit = true; return e }

// firstID is the id of the first recorded event of the table.
const firstID = 1<<31 + 3

// matches holds the expected compiled event for each recorded event.
var matches = []struct {
	name               string
	compiled, recorded []Event
	want               []string // for a record of each recorded event
	err                string
}{
	{
		"own group before any", []Event{number("", "f", 0, 4), number("lib", "f", 0, 4)},
		[]Event{number("app", "f", firstID, 4), number("lib", "f", firstID+1, 4), number("more", "f", firstID+2, 4)},
		[]string{"0:01020304", "1:01020304", "0:01020304"}, "",
	},
	{
		"calls and returns", []Event{number("", "f", 0, 4), exit(number("", "f", 0, 4))},
		[]Event{exit(number("app", "f", firstID, 4)), number("app", "f", firstID+1, 4)},
		[]string{"1:01020304", "0:01020304"}, "",
	},
	{
		"of one name that of the same layout", []Event{number("", "f", 0, 8), number("", "f", 0, 4)},
		[]Event{number("app", "f", firstID, 4)}, []string{"1:01020304"}, "missing",
	},
	{
		"else the first that fits", []Event{number("", "f", 0, 2), number("", "f", 0, 8)},
		[]Event{number("app", "f", firstID, 4)}, []string{"1:0102030400000000"}, "wider",
	},
	{
		"recorded without groups", []Event{number("fs", "open", 0, 4), number("net", "send", 0, 4)},
		[]Event{number("", "send", 0, 4), number("", "open", 1, 4)}, []string{"1:01020304", "0:01020304"}, "",
	},
	{
		"recorded without groups, two of a name", []Event{number("fs", "open", 0, 4), number("net", "open", 0, 4)},
		[]Event{number("", "open", 0, 4)}, []string{""}, "missing",
	},
	{
		"other group", []Event{number("fs", "open", 0, 4)}, []Event{number("net", "open", 0, 4)},
		[]string{""}, `event "fs:open": missing`,
	},
	{
		"one part of the recording does not fit", []Event{number("fs", "open", 0, 4)},
		[]Event{number("fs", "open", 0, 4), {Group: "fs", Name: "open", ID: 1, Source: "second", Sequential: true}},
		[]string{"0:01020304", ""}, `second: event "fs:open": field "n": missing`,
	},
	{
		"described twice", []Event{number("fs", "open", 0, 4)},
		[]Event{number("fs", "open", 7, 4), number("fs", "open", 7, 4)},
		[]string{"0:01020304", "0:01020304"}, "",
	},
	{
		"nothing to read", []Event{{Name: "100", Sequential: true}},
		[]Event{{Name: "100", ID: 0x1000, BigEndian: true, Sequential: true}}, []string{"0:01020304"}, "",
	},
	{
		"offsets where values follow one another", []Event{number("g", "e", 0, 4)},
		[]Event{{Group: "g", Name: "e", Size: 4, Fields: []Field{{Name: "n", Size: 4}}}}, []string{""}, "incompatible",
	},
}

// TestMatch checks which compiled event each recorded event is bound to.
func TestMatch(t *testing.T) {
	for _, tt := range matches {
		t.Run(tt.name, func(t *testing.T) {
			p := part("", 0, tt.compiled...)
			var unfit []string
			bind := func(opts ...Option) (*Decoder[none], error) {
				return Bind(Container[none]{Source: Sources(tt.recorded)}, []Package[none]{p},
					append(opts, asked(p)...)...)
			}
			_, err := bind()
			if (err == nil) != (tt.err == "") || err != nil && !strings.Contains(err.Error(), tt.err) {
				t.Errorf("error %v, want %q", err, tt.err)
			}
			d, err := bind(Unfit(func(_ string, err error) { unfit = append(unfit, err.Error()) }))
			if err != nil || !strings.Contains(strings.Join(unfit, "\n"), tt.err) {
				t.Fatalf("unfit %q, error %v", unfit, err)
			}
			var got []string
			for _, e := range tt.recorded {
				got = append(got, slotOf(d, record.Record{ID: e.ID, Data: []byte{1, 2, 3, 4}}))
			}
			if d := cmp.Diff(tt.want, got); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// Records with ids outside of the bound ids have no event, also directly below and above them.
func TestIDs(t *testing.T) {
	src := Sources([]Event{number("", "a", 1<<31+6, 4), number("", "b", 1<<31+8, 4)})
	p := part("", 0, number("", "a", 0, 4), number("", "b", 0, 4))
	d, err := Bind(Container[none]{Source: src}, []Package[none]{p})
	if err != nil {
		t.Fatal(err)
	}
	var got []uint32
	for _, id := range []uint32{0, 6, 8, 1<<31 + 5, 1<<31 + 6, 1<<31 + 7, 1<<31 + 8, 1<<31 + 9, 1<<32 - 1} {
		if slotOf(d, record.Record{ID: id, Data: []byte{1, 0, 0, 0}}) != "" {
			got = append(got, id)
		}
	}
	if d := cmp.Diff([]uint32{1<<31 + 6, 1<<31 + 8}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// A sequential record that is too short is a Short with the recorded data, also if it would be
// relocated. Its text is empty.
func TestShortPayload(t *testing.T) {
	for _, size := range []int{4, 8} {
		src, p := Sources([]Event{number("", "a", 5, 4)}), part("", size, number("", "a", 0, size))
		d, err := Bind(Container[none]{Source: src}, []Package[none]{p})
		if err != nil {
			t.Fatal(err)
		}
		r := record.Record{ID: 5, Data: []byte("ab")}
		if _, ok := d.Decode(&r, nil).(*Short); !ok {
			t.Errorf("%v", d.Decode(&r, nil))
		}
		if text, ok := d.AppendText([]byte(">"), &r, nil, nil); size == 8 && string(text) != ">" || !ok {
			t.Errorf("%q %v", text, ok)
		}
	}
}

// Several packages share one table, and each decodes its own events.
func TestPackages(t *testing.T) {
	one, two := part("one ", 0, number("", "a", 0, 4)), part("two ", 0, number("", "b", 0, 4), number("", "c", 0, 4))
	src := Sources([]Event{number("", "a", 1, 4), number("", "b", 2, 4), number("", "c", 3, 4)})
	for _, tt := range []struct {
		opts []Option
		want []string // by id
	}{
		{nil, []string{"", "one 0:09", "two 0:09", "two 1:09", ""}},
		{[]Option{&one.Events[0], &two.Events[1]}, []string{"", "one 0:09", "", "two 1:09", ""}},
	} {
		d, err := Bind(Container[none]{Source: src}, []Package[none]{one, two}, tt.opts...)
		if err != nil {
			t.Fatal(err)
		}
		var got, said []string
		for id := range uint32(5) {
			r := record.Record{ID: id, Data: []byte{9}}
			got = append(got, slotOf(d, r))
			text, _ := d.AppendText(nil, &r, nil, nil)
			said = append(said, string(text))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || said[2] != "two 0:09" {
			t.Errorf("texts %q (-want +got):\n%s", said, diff)
		}
	}
	many := part("", 0, make([]Event, maxEvents+1)...)
	if _, err := Bind(Container[none]{Source: src}, []Package[none]{many}); err == nil {
		t.Error("a million events are bound")
	}
}
