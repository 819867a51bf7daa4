package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/lttng/recorded"
	"github.com/tracec/tracec/runtime/bind/markers"
	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/lttng"
)

// Marker is one kind of event of an LTTng trace to generate code for.
type Marker struct {
	Channel string // the facility in 0.x; empty where ids serve the whole trace (1.0 to 2.2)
	Name    string
	Payload *Payload // what an event holds; nil without fields
}

// RecordedMarkers returns the markers of a recording that match wants, for the machine of the first of recorded.Traces. The errors say which
// ones are left out: those whose format cannot be laid out, and a second one of a name. Traces of a set may describe a
// marker again: it is an error if events of one cannot be converted into those of the first that has it.
func RecordedMarkers(rec *lttng.Recording, match func(channel, name string) bool) (list []Marker, errs []error) {
	seen := map[[2]string]described{}
	traces := recorded.Traces(rec)
	for _, tr := range traces {
		rules := recorded.Rules(tr.Info())
		rules.BigEndian = traces[0].Info().BigEndian
		for _, m := range tr.Markers() {
			if !match(m.Channel, m.Name) {
				continue
			}
			x := Marker{Channel: m.Channel, Name: m.Name}
			key := [2]string{m.Channel, m.Name}
			if first, ok := seen[key]; ok {
				errs = append(errs, first.again(&x, m)...)
				continue
			}
			layout := markers.Layout(m, rules.BigEndian)
			seen[key] = described{m, layout}
			ev, err := recorded.Compile(m, rules)
			if err != nil {
				errs = append(errs, err)
				continue
			}
			if len(ev.Values) > 0 {
				x.Payload = &Payload{Event: ev, Layout: layout}
			}
			list = append(list, x)
		}
	}
	return list, errs
}

// described is the first marker of a name.
type described struct {
	marker *lttng.Marker
	layout sequence.Layout
}

// again checks another marker of the name.
func (d described) again(x *Marker, m *lttng.Marker) []error {
	if m.Trace() == d.marker.Trace() {
		return []error{fmt.Errorf("%s: it is described twice", x.label())}
	}
	have := markers.Layout(m, m.Trace().Info().BigEndian)
	if _, err := sequence.NewPlan(x.label(), &d.layout, &have, sequence.Options{}); err != nil {
		return []error{fmt.Errorf("%s: %w: the code is for events of %s", m.Trace().Path(), err, d.marker.Trace().Path())}
	}
	return nil
}

// GenerateMarkers writes the Go code of markers, which it does not change; source is named in the first lines. target is the
// machine that recorded. The same input gives the same bytes, whatever the order of markers.
//
// Errors say which marker cannot be generated and why; there are then no files.
func GenerateMarkers(source string, target ir.Target, list []Marker, opts Options) ([]File, error) {
	if err := opts.check(); err != nil {
		return nil, err
	}
	if opts.Split {
		return nil, errors.New("gen: markers make one package: leave out the split")
	}
	p, err := planMarkers(target, list)
	if err != nil {
		return nil, err
	}
	return writeAll(p.files(opts), opts, source)
}

// markerPkg is a package of markers; each has a callback.
type markerPkg struct {
	callbacks
	markers []Marker
}

func planMarkers(target ir.Target, list []Marker) (*markerPkg, error) {
	if len(list) == 0 {
		return nil, errors.New("gen: no markers to generate")
	}
	p := &markerPkg{callbacks{target: target, entry: lttngPath}, slices.Clone(list)}
	slices.SortStableFunc(p.markers, func(a, b Marker) int {
		return cmp.Or(cmp.Compare(a.Channel, b.Channel), cmp.Compare(a.Name, b.Name))
	})
	names, err := markerNames(p.markers)
	if err != nil {
		return nil, err
	}
	var errs []error
	for i := range p.markers {
		m := &p.markers[i]
		s := &callback{goName: names[i]}
		p.list = append(p.list, s)
		if m.Payload == nil || len(m.Payload.Event.Values) == 0 {
			continue
		}
		if s.payload, err = planPayload(*m.Payload, names[i], m.label(), names[i]+" holds the fields of "+plain(m.label())+"."); err == nil &&
			m.Payload.Layout.BigEndian != target.BigEndian {
			err = fmt.Errorf("gen: %s: its layout is of another byte order", m.label())
		}
		errs = append(errs, err)
	}
	return p, errors.Join(errs...)
}

// label is the marker in messages and comments.
func (m *Marker) label() string {
	if m.Channel == "" {
		return m.Name
	}
	return m.Channel + "." + m.Name
}

// markerNames gives every marker its identifier, which is also that of its struct. Markers that cannot be told apart, such as a_b and
// a-b, get a suffix that depends on nothing but their own names.
func markerNames(list []Marker) ([]string, error) {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = goName(m.label())
	}
	for i, clash := range nameClashes(names) {
		if clash {
			names[i] += "X" + fingerprint(list[i].Channel+"."+list[i].Name, 4)
		}
	}
	if i := slices.Index(nameClashes(names), true); i >= 0 {
		return nil, fmt.Errorf("gen: %s and another marker both become the Go name %s: leave one out", list[i].label(), names[i])
	}
	return names, nil
}

// nameClashes finds the markers that share their identifier with another.
func nameClashes(names []string) []bool {
	count := map[string]int{}
	for _, n := range names {
		count[n]++
	}
	clash := make([]bool, len(names))
	for i, n := range names {
		clash[i] = count[n] > 1 || markerReserved[n]
	}
	return clash
}
