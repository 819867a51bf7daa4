package own

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"time"

	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/runtime/record"
)

// value holds interp's result for a name: numbers in 64 bits, or bytes. It is empty if the record
// lacks the value.
type value struct {
	typ     ir.Type // of numbers, in the compiled layout
	float   bool
	list    bool // several elements are one value
	numbers []uint64
	texts   [][]byte
}

func ofRecord(r *record.Record) map[string]*value {
	number := func(v uint64, t ir.Type) *value { return &value{typ: t, numbers: []uint64{v}} }
	return map[string]*value{
		"@cpu": number(uint64(r.CPU), ir.I32), "@task": number(uint64(r.Task), ir.I32), "@stream": number(uint64(r.Stream), ir.I32),
		"@id": number(uint64(r.ID), ir.U32), "@lost": number(uint64(r.Lost), ir.I64), "@time": number(r.Time, ir.U64),
	}
}

// same compares a struct that was filled.
func same(got reflect.Value, has map[string]*value) bool {
	for i := range got.NumField() {
		field := got.Type().Field(i)
		name, rest, _ := strings.Cut(field.Tag.Get("tracec"), ",")
		v := has[name]
		if v == nil {
			v = &value{}
		}
		if f := got.Field(i); !v.equals(f, strings.Split(rest, ",")) {
			fmt.Printf("%s.%s, %s, is %v, want %+v\n", got.Type().Name(), field.Name, name, f, *v)
			return false
		}
	}
	return true
}

// equals compares one field.
func (v *value) equals(f reflect.Value, options []string) bool {
	n := len(v.numbers) + len(v.texts)
	unit := time.Nanosecond
	for _, o := range options {
		switch o {
		case "ok":
			return f.Bool() == (n > 0)
		case "us":
			unit = time.Microsecond
		case "ms":
			unit = time.Millisecond
		case "s":
			unit = time.Second
		}
	}
	isBytes := (f.Kind() == reflect.Slice || f.Kind() == reflect.Array) && f.Type().Elem().Kind() == reflect.Uint8
	switch {
	case f.Kind() == reflect.Slice && !isBytes:
		if f.Len() != n {
			return false
		}
		for i := range n {
			if !v.one(f.Index(i), i, unit) {
				return false
			}
		}
		return true
	case f.Kind() == reflect.Array && !isBytes:
		for i := range f.Len() {
			if i < n && !v.one(f.Index(i), i, unit) || i >= n && !f.Index(i).IsZero() {
				return false
			}
		}
		return true
	case n == 0:
		return f.IsZero() || f.Kind() == reflect.Slice && f.Len() == 0
	}
	return v.one(f, n-1, unit)
}

// one compares one number or text.
func (v *value) one(f reflect.Value, i int, unit time.Duration) bool {
	if v.texts != nil {
		want := v.texts[i]
		switch f.Kind() {
		case reflect.String:
			return f.String() == string(want)
		case reflect.Slice:
			return bytes.Equal(f.Bytes(), want)
		case reflect.Array:
			padded := make([]byte, f.Len())
			copy(padded, want)
			got := make([]byte, f.Len())
			reflect.Copy(reflect.ValueOf(got), f)
			return bytes.Equal(got, padded)
		}
		return false
	}
	n := v.typ.Extend(v.numbers[i])
	switch {
	case v.float:
		return sameFloat(f, v.typ, v.numbers[i])
	case f.Type() == reflect.TypeFor[time.Duration]():
		return f.Int() == duration(n, v.typ.Signed, unit)
	case f.Kind() == reflect.Bool:
		return f.Bool() == (n != 0)
	case f.CanInt():
		return uint64(f.Int()) == ir.Type{Size: int8(f.Type().Size()), Signed: true}.Extend(n)
	}
	return f.CanUint() && f.Uint() == ir.Type{Size: int8(f.Type().Size())}.Extend(n)
}

func sameFloat(f reflect.Value, t ir.Type, bits uint64) bool {
	want := math.Float64frombits(bits)
	if t.Size == 4 {
		want = float64(math.Float32frombits(uint32(bits)))
	}
	if f.Kind() == reflect.Float32 {
		want = float64(float32(want))
	}
	return f.Float() == want || want != want && f.Float() != f.Float()
}

// duration returns a number of nanoseconds, limited to the maximum.
func duration(n uint64, signed bool, unit time.Duration) int64 {
	v := new(big.Int).SetUint64(n)
	if signed {
		v.SetInt64(int64(n))
	}
	switch v.Mul(v, big.NewInt(int64(unit))); {
	case v.IsInt64():
		return v.Int64()
	case v.Sign() < 0:
		return math.MinInt64
	}
	return math.MaxInt64
}
