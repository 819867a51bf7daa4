package bind

// Fit is the result of [Bind] for one compiled event.
type Fit struct {
	// Event is the compiled event.
	Event *Event
	// Bound are the events of the recording whose records a decoder gets. In uftrace there may be
	// several, one for each function of the name.
	Bound []Bound
	// Err is the error of Bind for the event, or nil. If Bound has events, the error is about
	// another recorded event of the same group and name.
	Err error
}

// Bound is a recorded event that a compiled one is bound to.
type Bound struct {
	*Event
	// Relocates reports whether records are copied into the compiled layout. Otherwise they are
	// decoded in place.
	Relocates bool
}

// Match returns the results of Bind for compiled events, as if all were requested: one Fit for
// each, in their order. narrow is [Narrow].
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

// FieldFit is the result of binding one field of a compiled event.
type FieldFit struct {
	Field    *Field // compiled
	Recorded *Field // nil if the recording has no field of the name
	// Err is the reason why the compiled layout cannot hold the field's values: ErrMissing,
	// ErrIncompatible or ErrNarrow. It is nil if it can.
	Err error
}

// FitFields compares the fields of want, without the common ones, with records of have. It returns
// one FieldFit for each, in their order. Even if all Err are nil, the fields may not fit together:
// see [Fits].
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
