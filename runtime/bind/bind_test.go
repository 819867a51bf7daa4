package bind

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/render"
)

// bindTwo binds the package two to a recording of some events.
func bindTwo(have []Event, opts ...Option) error {
	_, err := Bind(Container[none]{Source: recorded(hostBig, have...)}, []Package[none]{two}, opts...)
	return err
}

// says checks an error. If begin is not empty, each line of the error must begin with the
// corresponding text.
func says(t *testing.T, err, want error, begin ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("error %v, want %v", err, want)
		return
	}
	if begin == nil {
		return
	}
	lines := strings.Split(err.Error(), "\n")
	if !slices.EqualFunc(lines, begin, strings.HasPrefix) {
		t.Errorf("%q, want %q", lines, begin)
	}
}

// TestBindAsked: a requested event that is missing or does not fit is an error.
func TestBindAsked(t *testing.T) {
	first, second := &two.Events[0], &two.Events[1]
	one := twoEvents()[:1]
	says(t, bindTwo(one, first, second), ErrMissing, `event "g:second"`)
	var unfit []string
	note := Unfit(func(event string, err error) { unfit = append(unfit, event+": "+err.Error()) })
	if err := bindTwo(one, first, second, note); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{`g:second: event "g:second": missing in the recording`}, unfit); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	says(t, bindTwo(one, first, second, Optional()), nil)
	says(t, bindTwo(one, first, first), nil)
	says(t, bindTwo(nil, Optional()), nil)
	renamed := twoEvents()
	renamed[1].Fields[0].Name = "other"
	says(t, bindTwo(renamed, first, second, Optional()), ErrMissing, `event "g:second": field "y"`)
	says(t, bindTwo(renamed, first), nil) // the second event is not requested
	twins, far := twoEvents(), twoEvents()
	twins[1].ID, far[1].ID = twins[0].ID, 1<<30
	says(t, bindTwo(twins), errTwice)
	says(t, bindTwo(far, first, second), ErrMissing) // its table would have gigabytes
	err := bindTwo(twoEvents(), first, &Event{Group: "foreign", Name: "e"})
	if err == nil || err.Error() != `no package has the event "foreign:e"` {
		t.Errorf("an event of another package: %v", err)
	}
}

// TestBindAll: if no event is requested, an event that the recording lacks is not an error, unless
// it lacks all events. An event that does not fit is an error.
func TestBindAll(t *testing.T) {
	says(t, bindTwo(twoEvents()), nil)
	says(t, bindTwo(twoEvents()[:1]), nil)
	says(t, bindTwo(twoEvents()[1:]), nil)
	renamed := twoEvents()
	renamed[1].Fields[0].Name = "other"
	says(t, bindTwo(renamed), ErrMissing, `event "g:second": field "y"`)
	says(t, bindTwo(renamed[1:]), ErrMissing, `event "g:first"`, `event "g:second": field "y"`)
	var unfit []string
	note := Unfit(func(event string, err error) { unfit = append(unfit, event) })
	if err := bindTwo(renamed, note); err != nil || len(unfit) != 1 || unfit[0] != "g:second" {
		t.Errorf("unfit %q, error %v", unfit, err)
	}
	says(t, bindTwo([]Event{{Name: "other"}}), ErrMissing, `event "g:first"`, `event "g:second"`)
	many := make([]Event, 50)
	for i := range many {
		many[i] = Event{Name: fmt.Sprint("e", i)}
	}
	_, err := Bind(Container[none]{Source: Sources(nil)}, []Package[none]{packageOf(many...)})
	if err == nil || strings.Count(err.Error(), "\n") != 20 || !strings.HasSuffix(err.Error(), "and 30 more events") {
		t.Errorf("50 events are missing: %v", err)
	}
}

// Wide numbers are cut only with Narrow. The Env of an option reaches the Target.
func TestOptions(t *testing.T) {
	wider := twoEvents()
	wider[0].Fields[0].Size, wider[0].Size = 8, 8
	says(t, bindTwo(wider), ErrNarrow, `event "g:first": field "x"`)
	says(t, bindTwo(wider, Narrow()), nil)
	env := &render.Env{WordSize: 4}
	var got *render.Env
	p := Package[none]{Events: twoEvents(), New: func() Target[none] {
		return targetFunc(func(_ int, _ []byte, _ *record.Record, _ *none,
			env *render.Env) any {
			got = env
			return env
		})
	}}
	d, err := Bind(Container[none]{Source: recorded(hostBig, twoEvents()...)}, []Package[none]{p}, WithEnv(env))
	if err != nil {
		t.Fatal(err)
	}
	if d.Clone().Decode(&record.Record{ID: 5, Data: make([]byte, 8)}, nil); got != env {
		t.Error("the event does not get the Env")
	}
}

// targetFunc is a function as a Target.
type targetFunc func(slot int, data []byte, r *record.Record, x *none, env *render.Env) any

func (f targetFunc) Decode(slot int, data []byte, r *record.Record, x *none, env *render.Env) any {
	return f(slot, data, r, x, env)
}

// opened is a recording of one kind. wrapped is a recording that contains another one.
type (
	opened  struct{ record.Recording }
	wrapped struct{ record.Recording }
)

func (w wrapped) Unwrap() record.Recording { return w.Recording }

func TestAs(t *testing.T) {
	rec := &opened{}
	for _, r := range []record.Recording{rec, wrapped{rec}, &wrapped{wrapped{rec}}} {
		if got, err := As[*opened](r); got != rec || err != nil {
			t.Errorf("%T: %v, %v", r, got, err)
		}
	}
	if got, err := As[wrapped](wrapped{rec}); got != (wrapped{rec}) || err != nil {
		t.Error("itself before the one that it wraps:", got, err)
	}
	for _, tt := range []struct {
		rec  record.Recording
		want string
	}{
		{opened{}, "a bind.opened cannot be decoded as a *bind.opened"},
		{wrapped{opened{}}, "a bind.opened cannot be decoded as a *bind.opened"},
		{nil, "a <nil> cannot be decoded as a *bind.opened"},
		{wrapped{}, "a <nil> cannot be decoded as a *bind.opened"},
	} {
		if got, err := As[*opened](tt.rec); got != nil || err == nil || err.Error() != tt.want {
			t.Errorf("%#v: %v, %v, want %s", tt.rec, got, err, tt.want)
		}
	}
}

// TestBindWanted: a requested event takes a record in preference to an event that is bound only for
// its text. Two packages cannot have the same event.
func TestBindWanted(t *testing.T) {
	layout := func(size int) Event {
		return Event{Name: "f", Size: size, Struct: size, BigEndian: hostBig, Fields: []Field{{Name: "a", Size: size}}}
	}
	two := Package[none]{Events: []Event{layout(4), layout(8)}, New: func() Target[none] { return &dispatch{} },
		Texts: make([]Text[none], 2)}
	have := layout(4)
	have.ID = 5
	c := Container[none]{Source: Sources([]Event{have})}
	if _, err := Bind(c, []Package[none]{two}, &two.Events[1]); err != nil {
		t.Error(err)
	}
	a := Package[none]{Events: []Event{layout(4)}, New: two.New}
	b := Package[none]{Events: []Event{layout(4)}, New: two.New}
	if _, err := Bind(c, []Package[none]{a, b}, &b.Events[0]); err != nil {
		t.Error(err)
	}
	if _, err := Bind(c, []Package[none]{a, b}); !errors.Is(err, errTaken) {
		t.Errorf("one event of two packages: %v", err)
	}
}
