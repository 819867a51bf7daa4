package uftrace_test

import (
	"testing"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/uftrace"
)

// BenchmarkText renders payloads of common lists. An i32 is the payload in the recordings of the
// speed tables.
func BenchmarkText(b *testing.B) {
	for _, c := range []struct{ name, list, data string }{
		{"i32", "arg1/i32", "\x01\x00\x00\x00"},
		{"d64", "arg1/d64", "\x01\x00\x00\x00\x00\x00\x00\x00"},
		{"f64", "fparg1/64", "\x6e\x86\x1b\xf0\xf9\x21\x09\x40"},
		{"s", "arg1/s", "\x05\x00hello\xcc"},
		{"p,u,s,i32", "arg1/p,arg2/u64,arg3/s,arg4/i32",
			"\x10\x20\x30\x40\x55\x55\x00\x00\x07\x00\x00\x00\x00\x00\x00\x00\x05\x00hello\xcc\xff\xff\xff\xff"},
	} {
		for form, name := range []string{"replay", "dump"} {
			b.Run(c.name+"/"+name, func(b *testing.B) {
				f := uftrace.Function{Values: values(b, c.list)}
				ev, err := uftrace.Compile(f, uftrace.Options{Form: uftrace.Form(form)})
				if err != nil {
					b.Fatal(err)
				}
				p, err := interp.Compile(ev, little)
				if err != nil {
					b.Fatal(err)
				}
				m, data := interp.NewMachine(nil), []byte(c.data)
				var buf []byte
				b.ReportAllocs()
				for b.Loop() {
					buf = m.AppendText(buf[:0], p, data)
				}
			})
		}
	}
}
