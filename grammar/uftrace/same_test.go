package uftrace

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/tracec/tracec/runtime/uftrace"
)

// spell writes a spec as runtime/uftrace does.
func spell(s *Spec, wordSize int) string {
	r := uftrace.Spec{Result: s.Target == Result, Index: s.Index, Float: s.Target == Float, Format: 'd', Size: wordSize}
	if s.Target == Float {
		r.Format, r.Size = 'f', 8
	}
	if r.Index == 0 {
		r.Result = true
	}
	if f := s.Format; f != nil {
		if f.Letter != 0 {
			r.Format = f.Letter
		}
		switch r.Format {
		case 'f':
			r.Size = 8
		case 'c':
			r.Size = 1
		case 't':
			r.Size, r.TypeName = f.Bytes, f.Name
		case 'e':
			r.Size, r.TypeName = wordSize, f.Name
		default:
			r.Size = wordSize
		}
		if f.Bits != 0 {
			r.Size = f.Bits / 8
		}
	}
	if s.Location != nil {
		r.Location = s.Location.Text
	}
	return r.String()
}

// agree holds this package and the scanner of runtime/uftrace to each other.
func agree(t interface {
	Helper()
	Errorf(string, ...any)
}, text string) {
	t.Helper()
	for _, wordSize := range []int{4, 8} {
		ours, errs := ParseSpecs("f", text)
		theirs, ok := uftrace.ParseSpecs(text, wordSize)
		if ok != (len(errs) == 0) {
			t.Errorf("%q: runtime/uftrace says %v, errors are %v", text, ok, errs)
			return
		}
		if !ok {
			return
		}
		var a, b []string
		for _, s := range ours {
			a = append(a, spell(s, wordSize))
		}
		for _, s := range theirs {
			b = append(b, s.String())
		}
		if x, y := strings.Join(a, ","), strings.Join(b, ","); x != y {
			t.Errorf("%q: here %s, in runtime/uftrace %s", text, x, y)
		}
	}
}

// known are specs that were tried with uftrace 0.13; the second half of the lines it refuses.
const good = `arg1 arg1/i8 arg1/d arg1/d16 arg12/i8 fparg1 fparg1/32 fparg1/f32 fparg1/80 fparg1/16 fparg1/s fparg1/i32 arg1/f arg1/f80
arg1/c arg1/c16 arg1/s arg1/s32 arg1/S arg1/o arg1/x8 arg1/p arg1/p32 arg1/e:foo arg1/t8 arg1/t8:point arg1/t arg1/t0:x arg1/t3:x
retval arg1%rdi arg1/i32%rdi arg1/i32%RDI arg1/i32%xmm0 arg1/i32%stack arg1/i32%stack+1 arg1/i32%stack1 arg1/i32%stack-1
arg1/i32%stack+x arg1/t16:rect%rdi+rsi arg1/t16:rect%rdi+foo arg1/t16%rdi+rsi arg1/t16:rect%stack+1 arg1/i32,,arg2/i8 arg1/i32, ,arg1/i32
arg1/i032 arg1/t8:a:b arg1/e:a:b arg1/t8x arg1/t8: arg1/t8:x% arg1/t8:x%+ arg1/t8:x%rdi+ retval/f32%xmm0 retval/t16:x%rax+rdx`

const bad = `arg1/i24 arg1/i128 arg1/q arg1/i32x arg1/ arg arg1x arg1/e arg1/e: arg1/e32 arg1/i80 arg1/x80 arg1/i32% arg1/i32,arg2/q,arg3/i8
arg1/i99999999999 arg1/I32 Arg1/i32 arg1/u:foo retval/ retvalx retval1/i8 retval/i8x retval//i8 retval/32 arg1/32 arg1/c3 arg1/s5
arg1/s5x arg1/sx arg1/cx arg1/fx arg1/i-8 arg1/i0x8 arg1/i0 arg+1 arg-1/i8 arg1%rdi/i8 arg1/p:foo arg1/d%rdi%rsi arg1/e:%rdi fparg1/ foo
fparg fpargx argx fparg1/24`

func TestAgree(t *testing.T) {
	for _, text := range strings.Fields(good) {
		if _, errs := ParseSpecs("f", text); len(errs) > 0 {
			t.Error(errs)
		}
		agree(t, text)
	}
	for _, text := range strings.Fields(bad) {
		if specs, errs := ParseSpecs("f", text); len(errs) == 0 {
			t.Errorf("%s: no error, specs %v", text, specs)
		}
		agree(t, text)
	}
	for _, text := range []string{"", "arg 1", "arg1/ i32", " arg1/i32 ", "arg1/i32 , arg2/i8", "arg1/e:a b", "@arg1", "arg1@retval", "arg1\n"} {
		if text != "@arg1" { // the @ of a .dbg line; runtime/uftrace cuts it off before
			agree(t, text)
		}
	}
}

// TestAgreeRandom: on lists that are nearly right.
func TestAgreeRandom(t *testing.T) {
	piece := rapid.SampledFrom([]string{"arg", "fparg", "retval", "1", "2", "12", "0", "/", "%", "i", "d", "u", "x", "o", "s", "S", "c", "f", "e:", "t",
		"p", "8", "16", "32", "64", "80", "7", "foo", ":", "stack", "+", "rdi", "xmm0", ",", " ", "é", "\xff", "-"})
	spec := rapid.Custom(func(t *rapid.T) string {
		s := rapid.SampledFrom([]string{"arg1", "arg2", "fparg1", "retval", "arg"}).Draw(t, "target")
		if rapid.Bool().Draw(t, "format") {
			s += "/" + rapid.SampledFrom(strings.Split("d,i,u,x,o,s,S,c,f,e:foo,e:,t8:foo,t,t40,p,q,32", ",")).Draw(t, "letter") +
				rapid.SampledFrom([]string{"", "", "8", "16", "32", "64", "80", "33"}).Draw(t, "size")
		}
		return s + rapid.SampledFrom([]string{"", "", "%rdi", "%stack+1", "%rdi+rsi", "%"}).Draw(t, "location")
	})
	rapid.Check(t, func(t *rapid.T) {
		if rapid.Bool().Draw(t, "wild") {
			agree(t, "arg1"+strings.Join(rapid.SliceOfN(piece, 0, 8).Draw(t, "pieces"), ""))
			return
		}
		agree(t, strings.Join(rapid.SliceOfN(spec, 0, 4).Draw(t, "specs"), ","))
	})
}

func ExampleParseItems() {
	items, errs := ParseItems("app.args", "main@arg1/i32,retval;foo.*@arg1/q,fparg1/24")
	for _, it := range items {
		fmt.Println(it.Pattern, len(it.Specs), it.Broken)
	}
	fmt.Println(errs)
	// Output:
	// main 2 false
	// foo.* 0 true
	// app.args:1:33: unknown format "q": it is one of d i u x o s S c f p e: t [uftrace-format]
	// app.args:1:42: no value has 24 bits: 8, 16, 32, 64, or 80 of f [uftrace-size]
}
