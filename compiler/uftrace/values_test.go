package uftrace_test

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	"github.com/tracec/tracec/compiler/uftrace"
	"github.com/tracec/tracec/runtime/render"
)

var little = ir.Target{WordSize: 8}

// declarations are the enumerations of the recordings from which testdata/values.txt was made.
var declarations = uftrace.ParseEnums(`enum flags {F_NONE,F_A,F_B,F_C=4,F_BIG=1048576}
	enum sparse {S2=2,S8=8} enum neg {M2=-2,Z=0,Big=0x10} enum dup {D1=1,E1=1,D2,E2=2} enum oct {O1=010,O2=0x1f}
	enum neg2 {N3=-3,N9=-9,P4=4} enum big {ALL=4294967295,A=1} enum top {TOP=0x80000000,B=2} enum huge {H=0xffffffffffffffff,H1=1}
	enum hexx {X1=0X5,X2}`)

// oneSymbol knows the function f0000 of 64 bytes.
type oneSymbol struct{}

func (oneSymbol) Symbol(addr uint64) (string, uint64, bool) {
	const start = 0x555500001000
	return "f0000", addr - start, addr >= start && addr < start+64
}

// cutsEnum reports whether uftrace 0.13 prints an enumeration wrongly, because it cuts the value to
// 4 signed bytes. It prints 0 for 1<<40 and -1 for ALL (testdata/differences.md).
// TestUftraceEnumWidth of render has the text that is printed instead.
func cutsEnum(spec string, payload []byte) bool {
	_, name, ok := strings.Cut(spec, "/e:")
	if !ok || len(payload) != 8 {
		return false
	}
	v := binary.LittleEndian.Uint64(payload)
	switch name {
	case "big", "top": // 4 bytes, unsigned
		return v > math.MaxInt32
	case "huge": // 8 bytes; numbers below -100000 are hexadecimal
		return int64(int32(v)) != int64(v) || int64(v) < -100000
	}
	return false
}

// TestReference compares with the output of uftrace 0.13 for made-up payloads: `a` or `r`
// (arguments or results), specs, payload, and the text in replay, in dump --chrome and in dump. The
// tool aborts at long doubles in a dump.
func TestReference(t *testing.T) {
	file, err := os.ReadFile("testdata/values.txt")
	if err != nil {
		t.Fatal(err)
	}
	m := interp.NewMachine(&render.Env{Symbols: oneSymbol{}})
	for i, line := range strings.Split(strings.TrimSuffix(string(file), "\n"), "\n") {
		part := strings.Split(line, "\t")
		payload, err := hex.DecodeString(strings.TrimPrefix(part[2], "-"))
		if err != nil || len(part) != 6 {
			t.Fatalf("line %d: %q, %v", i+1, line, err)
		}
		if cutsEnum(part[1], payload) {
			continue
		}
		f := uftrace.Function{Exit: part[0] == "r", Values: values(t, part[1])}
		for k, form := range []uftrace.Form{uftrace.Replay, uftrace.JSON, uftrace.Dump} {
			if part[3+k] == "-" {
				continue
			}
			want, err := strconv.Unquote(part[3+k])
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			ev, err := uftrace.Compile(f, uftrace.Options{Form: form, Enums: []uftrace.Enums{declarations}})
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			prog, err := interp.Compile(ev, little)
			if err != nil {
				t.Fatalf("line %d: %v", i+1, err)
			}
			if diff := cmp.Diff(want, string(m.AppendText(nil, prog, payload))); diff != "" {
				t.Errorf("line %d, %s %s, form %d (-uftrace +tracec):\n%s", i+1, part[1], part[2], form, diff)
			}
		}
	}
}
