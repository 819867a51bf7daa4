package uftrace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tracec/tracec/runtime/internal/memory"
	"github.com/tracec/tracec/runtime/symbols/demangle"

	"github.com/google/go-cmp/cmp"
)

// specCase is a line of testdata/specs.jsonl.
type specCase struct {
	Match            string
	Bits             int
	Args, Rets       string
	ArgAuto, RetAuto string
	A                bool
	Dbg, Types       string
	Symbol           int
	Kind             string
	Want             []string
}

// open makes a recording of the case, without files.
func (c *specCase) open() *Recording {
	m := &Module{Name: "prog", Path: "/nowhere/prog"}
	r := &Recording{memory: memory.New(0), progs: programTable{modules: []*Module{m}}}
	r.info = Info{WordSize: c.Bits / 8, ArgSpec: c.Args, RetSpec: c.Rets, ArgAuto: c.ArgAuto, RetAuto: c.RetAuto,
		AutoArgs: c.A, PatternType: c.Match, Features: FeatAutoArgs, Recorder: "v0.13"}
	for i, name := range []string{"foo", "bar", "fox", "fo.o", "_ZN3foo3barEv", "_ZdlPvm", "_Z3foov", "operator"} {
		m.Symbols = append(m.Symbols, &Symbol{Addr: 0x1000 + uint64(i)*64, Size: 64, Name: name, Simple: name,
			Type: 'T', Module: m})
		if i < len(c.Types) {
			m.Symbols[i].Type = c.Types[i]
		}
	}
	r.progs.symbols = m.Symbols
	if c.Dbg != "" {
		r.info.Features |= FeatDebugInfo
		r.parseDebug(m, "prog.dbg", []byte(c.Dbg))
	}
	evaluate(r)
	return r
}

// listed returns the name of a value in uftrace's dump.
func listed(s Spec) string {
	switch s.Format {
	case 's':
		return "str"
	case 'S':
		return "std::string"
	case 'p':
		return "p"
	case 't':
		return strings.TrimSpace("struct " + s.TypeName)
	case 'e':
		if !s.Result {
			return "enum " + s.TypeName
		}
	}
	return fmt.Sprintf("%c%d", s.Format, s.Size*8)
}

// TestSpecs compares random lists with the results of uftrace 0.13.
func TestSpecs(t *testing.T) {
	f, err := os.Open("testdata/specs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var c specCase
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		sym := c.open().progs.symbols[c.Symbol]
		specs := sym.Args
		if c.Kind == "exit" {
			specs = sym.Results
		}
		var got []string
		for _, s := range specs {
			got = append(got, listed(s))
		}
		if len(got) == 0 && len(c.Want) == 0 {
			got, c.Want = nil, nil
		}
		if d := cmp.Diff(c.Want, got); d != "" {
			t.Errorf("line %d: %s %s of %s (-want +got):\n%s", n+1, sym.Simple, c.Kind, lines.Text(), d)
		}
	}
	if n < 400 {
		t.Errorf("%d cases", n)
	}
}

// TestPatterns compares patterns for the function foo with the results of uftrace 0.13.
func TestPatterns(t *testing.T) {
	const regexYes = `foo f.* ^f oo$ (foo|bar) fo{2} [f]oo* f\woo* \<foo.* fo+? f** [[:alpha:]]oo f| () . ^ a{0} fo{1,300} [f\]oo
f;foo;x _Z3foov fo[^\]`
	const regexNo = `fo f FOO \bfoo fo\. *oo foo) ( fo{ [z-a] (?i)FOO fo{1,40000} [\w]oo fo$o f^o foo\ f.o\ !foo`
	const globYes = `f* fo? [!x]oo [^x]oo * fo[]o] [[:alpha:]]oo [f-]oo fo[!]x] f*o* [\f]oo [f-f]oo foo x;foo`
	const globNo = `fo f\oo? f\* [f [f* {foo,bar} f.o [[:foo:]]oo []foo +(f)oo [z-a]oo foo? ? ??`
	for _, c := range []struct {
		list string
		glob bool
		want bool
	}{{regexYes, false, true}, {regexNo, false, false}, {globYes, true, true}, {globNo, true, false}} {
		for _, pattern := range strings.Fields(c.list) {
			if got := Match(pattern, c.glob, demangle.Simple)("foo"); got != c.want {
				t.Errorf("Match(%q, glob %v) of foo: %v", pattern, c.glob, got)
			}
		}
	}
	for _, name := range []string{"operator new", "operator new[]", "operator delete"} {
		if !Match(name, false, demangle.Simple)(name) || Match(name, false, demangle.Simple)(name+"x") {
			t.Errorf("%s is no plain name", name)
		}
	}
}

func TestPayloadSize(t *testing.T) {
	specs, ok := ParseSpecs("arg1/i8,arg2/s,arg3/t5:x,fparg1/80", 8)
	if !ok {
		t.Fatal("no specs")
	}
	data := append([]byte{1, 0, 0, 0, 3, 0, 'a', 'b', 'c', 0, 0, 0}, make([]byte, 64)...)
	if n, ok := payloadSize(specs, data, false); n != 4+8+8+12 || !ok {
		t.Errorf("%d %v", n, ok)
	}
	data[4], data[5] = 0, 3
	if n, ok := payloadSize(specs, data, true); n != 4+8+8+12 || !ok {
		t.Errorf("big-endian: %d %v", n, ok)
	}
	data[4], data[5] = 3, 0
	for i := range 32 {
		if _, ok := payloadSize(specs, data[:i], false); ok {
			t.Errorf("%d bytes are enough", i)
		}
	}
	data[5] = 0xff
	if _, ok := payloadSize(specs, data, false); ok {
		t.Error("a string of 65 KB")
	}
	if n, ok := payloadSize(nil, nil, false); n != 0 || !ok {
		t.Errorf("nothing has %d bytes", n)
	}
}

func TestSpecString(t *testing.T) {
	for text, want := range map[string]string{
		"arg1": "arg1/d64", "arg2/i8%rdi": "arg2/i8%rdi", "fparg3": "fparg3/f64",
		"fparg1/80%stack+1": "fparg1/f80%stack+1", "retval/s": "retval/s",
		"retval": "retval/d64", "arg1/t16:rect%rdi+rsi": "arg1/t16:rect%rdi+rsi", "arg1/t3": "arg1/t3",
		"arg1/e:kind": "arg1/e:kind", "arg1/c": "arg1/c8",
	} {
		specs, ok := ParseSpecs(text, 8)
		if !ok || len(specs) != 1 || specs[0].String() != want {
			t.Errorf("%s: %v %v, want %s", text, specs, ok, want)
			continue
		}
		if again, ok := ParseSpecs(want, 4); !ok ||
			again[0] != specs[0] && text[len(text)-1] != 'd' && !strings.Contains(text, "/e") {
			t.Errorf("%s is not read back: %+v, %+v", want, again, specs[0])
		}
	}
}

// TestEvaluateMany evaluates the symbols of a big program, with all forms of lists. Only quadratic
// time would exceed the tests' time limit.
func TestEvaluateMany(t *testing.T) {
	c := specCase{Match: "regex", Bits: 64, A: true, Args: "f.*@arg1/i32;_ZN3foo3barEv@arg2", Rets: ".@retval/x"}
	for i := range 2000 {
		c.ArgAuto += fmt.Sprintf("fn%d@arg1/s;", i)
	}
	r := c.open()
	m := r.progs.modules[0]
	for i := range 200000 {
		m.Symbols = append(m.Symbols, &Symbol{Addr: 0x10000 + uint64(i), Size: 1,
			Name: fmt.Sprintf("_ZN3foo%d%sEv", 4, "barx"), Module: m, Type: 'T'})
	}
	r.progs.symbols = m.Symbols
	evaluate(r)
	last := r.progs.symbols[len(r.progs.symbols)-1]
	if last.Simple != "foo::barx" || len(last.Args) != 1 || len(last.Results) != 1 {
		t.Errorf("%s %v %v", last.Simple, last.Args, last.Results)
	}
}

func FuzzEvaluate(f *testing.F) {
	f.Add("foo@arg1/i32;fo.@arg2/s,retval", "f*@retval/e:x", "F: 1000 foo\nA: @arg1/t8:x%rdi\n", false, true)
	f.Add("[[:alpha:]]@arg1;(@arg1;\\", "operator new@retval", "", true, false)
	f.Fuzz(func(t *testing.T, args, rets, dbg string, glob, auto bool) {
		c := specCase{Match: "regex", Bits: 64, Args: args, Rets: rets, ArgAuto: rets, RetAuto: args, Dbg: dbg, A: auto}
		if glob {
			c.Match = "glob"
		}
		for _, s := range c.open().progs.symbols {
			for _, spec := range s.Args {
				if spec.Result || spec.Size < 0 {
					t.Errorf("%+v", spec)
				}
			}
			fixedSize(s.Args)
			payloadSize(s.Args, make([]byte, 1024), false)
		}
		Match(args, glob, demangle.Simple)(rets)
	})
}

// TestRustNames: 0.13 shows names in Rust's second mangling scheme unchanged.
func TestRustNames(t *testing.T) {
	for recorder, want := range map[string]string{"v0.13 ( x86_64 )": "_RNvCs1234_7mycrate3foo",
		"":      "_RNvCs1234_7mycrate3foo",
		"v0.14": "mycrate::foo", "v0.19-2 ( x86_64 )": "mycrate::foo", "v1.0": "mycrate::foo"} {
		s := &Symbol{Name: "_RNvCs1234_7mycrate3foo", Simple: "_RNvCs1234_7mycrate3foo"}
		evaluate(&Recording{info: Info{Recorder: recorder}, progs: programTable{symbols: []*Symbol{s}}})
		if s.Simple != want {
			t.Errorf("%s: %s, want %s", recorder, s.Simple, want)
		}
	}
}
