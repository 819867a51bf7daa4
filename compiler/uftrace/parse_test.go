package uftrace_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tracec/tracec/compiler/uftrace"
)

// values reads a list such as arg1/i32,fparg2/64,retval/e:kind for a program of 64 bits.
func values(t testing.TB, list string) []uftrace.Value {
	t.Helper()
	var out []uftrace.Value
	for word := range strings.SplitSeq(list, ",") {
		name, format, _ := strings.Cut(word, "/")
		v := uftrace.Value{Format: 'd', Size: 8}
		switch {
		case name == "retval":
			v.Result = true
		case strings.HasPrefix(name, "fparg"):
			v.Float, v.Format = true, 'f'
			name = name[len("fparg"):]
		default:
			name = name[len("arg"):]
		}
		if !v.Result {
			v.Index, _ = strconv.Atoi(name)
		}
		if format != "" && (format[0] < '0' || format[0] > '9') {
			v.Format, format = format[0], format[1:]
		}
		size, typ, _ := strings.Cut(format, ":")
		v.TypeName = typ
		if v.Format == 'c' {
			v.Size = 1
		}
		n, err := strconv.Atoi(size)
		switch {
		case size != "" && err != nil:
			t.Fatalf("size of %q: %v", word, err)
		case v.Format == 't':
			v.Size = n
		case size != "":
			v.Size = n / 8
		}
		out = append(out, v)
	}
	return out
}
