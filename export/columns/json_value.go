package columns

import (
	"encoding/hex"
	"math"
	"strconv"

	"github.com/tracec/tracec"
)

// AppendValue appends a value of a field as JSON.
func AppendValue(dst []byte, f *tracec.Field, v tracec.Value) []byte {
	return appendValue(dst, f, v, false)
}

// appendValue is AppendValue. f describes the value, or the list that contains it. With quote64,
// integers of 8 bytes are strings.
func appendValue(dst []byte, f *tracec.Field, v tracec.Value, quote64 bool) []byte {
	switch v.Kind() {
	case tracec.Int, tracec.Uint:
		if quote64 && f.Size == 8 {
			return append(v.Append(append(dst, '"')), '"')
		}
		return v.Append(dst)
	case tracec.Float:
		if math.IsNaN(v.Float()) || math.IsInf(v.Float(), 0) {
			return append(append(append(dst, '"'), special64(v.Float())...), '"')
		}
		return strconv.AppendFloat(dst, v.Float(), 'g', -1, 8*f.Size)
	case tracec.Text:
		return AppendJSON(dst, v.Bytes())
	case tracec.List:
		return appendList(dst, f, v, quote64)
	case tracec.Struct:
		return appendStructure(dst, f.Fields, v, quote64)
	}
	return append(hex.AppendEncode(append(dst, '"'), v.Bytes()), '"')
}

// appendList appends an array. If elements are lists, another field describes them.
func appendList(dst []byte, f *tracec.Field, v tracec.Value, quote64 bool) []byte {
	if f.Elem == tracec.List && len(f.Fields) == 1 {
		f = &f.Fields[0]
	}
	dst = append(dst, '[')
	for i := range v.Len() {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendValue(dst, f, v.Elem(i), quote64)
	}
	return append(dst, ']')
}

// appendStructure appends an object with a key for each member, and a key for the name of a number.
func appendStructure(dst []byte, members []tracec.Field, v tracec.Value, quote64 bool) []byte {
	dst = append(dst, '{')
	for i := range members {
		m := &members[i]
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(AppendJSON(dst, m.Name), ':')
		value, ok := v.At(i)
		if !ok {
			dst = append(dst, "null"...)
		} else {
			dst = appendValue(dst, m, value, quote64)
		}
		if hasNames(m) {
			dst = append(AppendJSON(append(dst, ','), nameOf(members, m.Name)), ':')
			dst = appendValueName(dst, m, value, ok)
		}
	}
	return append(dst, '}')
}

func appendValueName(dst []byte, m *tracec.Field, v tracec.Value, ok bool) []byte {
	if !ok {
		return append(dst, "null"...)
	}
	name, _ := m.AppendName(nil, v.Uint())
	return AppendJSON(dst, name)
}
