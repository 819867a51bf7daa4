package bind

// Fit is what [Bind] makes of one compiled event.
type Fit struct {
	// Event is the compiled event.
	Event *Event
	// Bound are the events of the recording whose records a decoder gets: of uftrace there may be
	// several, one for each function of the name.
	Bound []Bound
	// Err is what Bind returns of the event, nil if it binds. With events in Bound it is about
	// another one of the same group and name.
	Err error
}

// Bound is a recorded event that a compiled one is bound to.
type Bound struct {
	*Event
	// Relocates reports whether records are copied into the compiled layout; otherwise they are
	// decoded where they are.
	Relocates bool
}

// Match returns what Bind would make of compiled events, one Fit for each in their order, as if all
// were asked for. narrow is [Narrow].
func Match(src Source, events []Event, narrow bool) []Fit {
	m := newMatcher(narrow)
	fits := make([]Fit, len(events))
	for i := range events {
		fits[i].Event = &events[i]
		m.want(&compiled{Event: &events[i], slot: uint32(i), wanted: true})
	}
	m.matchAll(src)
	for i := range m.found {
		f := &m.found[i]
		f.found = true
		fits[f.slot].Bound = append(fits[f.slot].Bound, Bound{f.have, f.plan != nil})
	}
	for _, c := range m.order {
		fits[c.slot].Err = c.why(false)
	}
	return fits
}

// FieldFit is how one field of a compiled event comes out of a record.
type FieldFit struct {
	Field    *Field // compiled
	Recorded *Field // nil: the recording has none of the name
	// why the field has no equal value in the compiled layout: ErrMissing, ErrIncompatible, or
	// ErrNarrow
	Err error
}

// FitFields returns how the fields of want, without the common ones, come out of records of have,
// in their order. The fields that Err is nil of may still not be moved together: see [Fits].
func FitFields(want, have *Event, narrow bool) []FieldFit {
	fits := make([]FieldFit, len(want.Fields))
	inPlace := false
	if want.Sequential == have.Sequential {
		p, err := newPlan(want, have, narrow)
		inPlace = p == nil && err == nil
	}
	fixed := &fixedPlan{tail: -1, narrow: narrow, big: have.BigEndian}
	for i := range want.Fields {
		w := &want.Fields[i]
		f := FieldFit{Field: w}
		switch {
		case want.Sequential && w.Skip:
		case want.Sequential != have.Sequential:
			f.Recorded, f.Err = have.locate(want, w), ErrIncompatible
		case want.Sequential:
			if j := have.find(w.Name); j >= 0 {
				f.Recorded, f.Err = &have.Fields[j], (&comparison{want, have, narrow}).carriesAll(w, &have.Fields[j])
			}
		default:
			if f.Recorded = have.locate(want, w); f.Recorded != nil {
				f.Err = fixed.add(w, f.Recorded)
			}
		}
		switch {
		case inPlace:
			f.Err = nil
		case f.Recorded == nil && !w.Skip:
			f.Err = ErrMissing
		}
		fits[i] = f
	}
	return fits
}
