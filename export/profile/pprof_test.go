package profile

import (
	"bytes"
	"compress/gzip"
	"io"
	"slices"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
)

// fields holds the fields of a message by number, in order: numbers, and the bytes of other fields.
type fields map[protowire.Number][]field

type field struct {
	number uint64
	bytes  []byte
}

func fieldsOf(t *testing.T, b []byte) fields {
	t.Helper()
	all := fields{}
	for len(b) > 0 {
		number, kind, n := protowire.ConsumeTag(b)
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		var f field
		value := b[n:]
		switch kind {
		case protowire.VarintType:
			f.number, n = protowire.ConsumeVarint(value)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(value)
		default:
			t.Fatalf("field %d of kind %d", number, kind)
		}
		if n < 0 {
			t.Fatal(protowire.ParseError(n))
		}
		all[number] = append(all[number], f)
		b = value[n:]
	}
	return all
}

// number returns the last number of a field, or 0.
func (f fields) number(field protowire.Number) uint64 {
	if list := f[field]; len(list) > 0 {
		return list[len(list)-1].number
	}
	return 0
}

// numbers returns the numbers of a field that is repeated, packed or not.
func (f fields) numbers(t *testing.T, field protowire.Number) (list []uint64) {
	t.Helper()
	for _, x := range f[field] {
		if x.bytes == nil {
			list = append(list, x.number)
		}
		for b := x.bytes; len(b) > 0; {
			v, n := protowire.ConsumeVarint(b)
			if n < 0 {
				t.Fatal(protowire.ParseError(n))
			}
			list, b = append(list, v), b[n:]
		}
	}
	return list
}

// read sums up a file of pprof with its own code: the numbers that top prints for each function.
func read(t *testing.T, packed []byte, indexes ...string) map[string]sums {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	p := fieldsOf(t, plain)
	text := func(i uint64) string { return string(p[profileString][i].bytes) }
	functions, locations := map[uint64]string{}, map[uint64][]string{} // names by id
	for _, x := range p[profileFunction] {
		f := fieldsOf(t, x.bytes)
		functions[f.number(functionID)] = text(f.number(functionName))
	}
	for _, x := range p[profileLocation] {
		l := fieldsOf(t, x.bytes)
		for _, line := range l[locationLine] {
			id := l.number(locationID)
			locations[id] = append(locations[id], functions[fieldsOf(t, line.bytes).number(lineFunction)])
		}
	}
	all := map[string]sums{}
	for i, index := range indexes {
		column := slices.IndexFunc(p[profileSampleType],
			func(x field) bool { return text(fieldsOf(t, x.bytes).number(valueType)) == index })
		if column < 0 {
			t.Fatalf("no values of type %s", index)
		}
		for _, x := range p[profileSample] {
			sample := fieldsOf(t, x.bytes)
			v := int64(sample.numbers(t, sampleValue)[column])
			var stack []string // innermost first
			for _, id := range sample.numbers(t, sampleLocation) {
				stack = append(stack, locations[id]...)
			}
			for k, name := range stack {
				s := all[name]
				switch {
				case i > 0 && k == 0:
					s.calls += v
				case i == 0 && k == 0:
					s.self += v
				}
				if i == 0 && !slices.Contains(stack[:k], name) {
					s.total += v
				}
				all[name] = s
			}
		}
	}
	return all
}
