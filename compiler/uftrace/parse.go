package uftrace

import grammar "github.com/tracec/tracec/grammar/uftrace"

// ParseValues reads the list of specs of one function, `arg1/i32,fparg2/64,retval/e:kind%rax`, for a program whose words have wordSize bytes.
// name is that of the function, for messages. The error names every mistake; there are no values then, because one bad spec
// makes the payload layout unknown.
func ParseValues(name, list string, wordSize int) ([]Value, error) {
	specs, errs := grammar.ParseSpecs(name, list)
	if len(errs) > 0 {
		return nil, errs
	}
	values := make([]Value, len(specs))
	for i, s := range specs {
		values[i] = valueOf(s, wordSize)
	}
	return values, nil
}

// valueOf gives a spec the format and the size that it does not write (uftrace.md 1.7).
func valueOf(s *grammar.Spec, wordSize int) Value {
	v := Value{Result: s.Target == grammar.Result, Index: s.Index, Float: s.Target == grammar.Float, Format: 'd', Size: wordSize}
	if v.Float {
		v.Format, v.Size = 'f', 8
	}
	if s.Location != nil {
		v.Location = s.Location.Text
	}
	f := s.Format
	if f == nil {
		return v
	}
	if f.Letter != 0 {
		v.Format = f.Letter
	}
	switch v.Format {
	case 's', 'S':
		v.Size = 0
		return v
	case 't':
		v.Size, v.TypeName = f.Bytes, f.Name
		return v
	case 'e':
		v.TypeName = f.Name
	case 'c':
		v.Size = 1
	case 'f':
		v.Size = 8
	}
	if f.Bits != 0 {
		v.Size = f.Bits / 8
	}
	return v
}
