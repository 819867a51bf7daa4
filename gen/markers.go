package gen

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/tracec/tracec/compiler/ir"
)

// markerPkg is a package of markers; each has a callback.
type markerPkg struct {
	callbacks
	markers []*ir.Event // Group is the channel
}

func planMarkers(target ir.Target, events []*ir.Event) (*markerPkg, error) {
	p := &markerPkg{callbacks{target: target, entry: lttngPath}, slices.Clone(events)}
	slices.SortStableFunc(p.markers, func(a, b *ir.Event) int {
		return cmp.Or(cmp.Compare(a.Group, b.Group), cmp.Compare(a.Name, b.Name))
	})
	names, err := markerNames(p.markers)
	if err != nil {
		return nil, err
	}
	var errs []error
	for i, m := range p.markers {
		s := &callback{goName: names[i]}
		p.list = append(p.list, s)
		s.payload, err = planPayload(m, target, names[i], markerLabel(m), names[i]+" holds the fields of "+plain(markerLabel(m))+".")
		errs = append(errs, err)
	}
	return p, errors.Join(errs...)
}

// markerLabel is the marker in messages and comments.
func markerLabel(m *ir.Event) string {
	if m.Group == "" {
		return m.Name
	}
	return m.Group + "." + m.Name
}

// markerNames gives every marker its identifier, which is also that of its struct. Markers that cannot be told apart, such as a_b and
// a-b, get a suffix that depends on nothing but their own names.
func markerNames(list []*ir.Event) ([]string, error) {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = goName(markerLabel(m))
	}
	for i, clash := range nameClashes(names) {
		if clash {
			names[i] += "X" + fingerprint(list[i].Group+"."+list[i].Name, 4)
		}
	}
	if i := slices.Index(nameClashes(names), true); i >= 0 {
		return nil, fmt.Errorf("gen: %s and another marker both become the Go name %s: leave one out", markerLabel(list[i]), names[i])
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
