package calls

import (
	"strconv"

	"github.com/tracec/tracec/runtime/bind/sequence"
	"github.com/tracec/tracec/runtime/uftrace"
)

// Layout describes the payload of specs, which are all of the arguments or all of the results of a function. Names are
// those of the description: arg1, fparg2, retval, with a number after them where one comes twice (retval_2).
func Layout(specs []uftrace.Spec, bigEndian bool) sequence.Layout {
	l := sequence.Layout{BigEndian: bigEndian, Fields: make([]sequence.Field, 0, len(specs))}
	taken := make(map[string]bool, len(specs))
	for i := range specs {
		f := field(&specs[i])
		base := f.Name
		for n := 2; taken[f.Name]; n++ {
			f.Name = base + "_" + strconv.Itoa(n)
		}
		taken[f.Name] = true
		l.Fields = append(l.Fields, f)
	}
	return l
}

// field describes one value. All values begin at a multiple of 4 bytes (uftrace.md 1.6).
func field(s *uftrace.Spec) sequence.Field {
	f := sequence.Field{Name: name(s), Kind: sequence.Bytes, Size: s.Size, Align: 4}
	switch s.Format {
	case 's', 'S':
		f.Kind, f.Size = sequence.Counted, 2
		return f
	case 't':
		return f
	}
	switch s.Size {
	case 1, 2, 4, 8:
		f.Kind = sequence.Int
		if s.Format == 'f' && s.Size >= 4 {
			f.Kind = sequence.Float
		}
		f.Signed = s.Format == 'd' || s.Format == 'i' || s.Format == 'e'
	}
	return f
}

func name(s *uftrace.Spec) string {
	switch {
	case s.Result:
		return "retval"
	case s.Float:
		return "fparg" + strconv.Itoa(s.Index)
	}
	return "arg" + strconv.Itoa(s.Index)
}
