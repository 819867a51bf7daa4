package render

import (
	"strings"
	"testing"
)

// everything is a table with one string for all addresses.
type everything string

func (e everything) String(uint64) (string, bool)         { return string(e), true }
func (e everything) Symbol(uint64) (string, uint64, bool) { return string(e), 0, true }

// TestTextIsBounded checks the size of the text that one conversion can make of a description, a
// list of symbols or a record.
func TestTextIsBounded(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	region := []byte(strings.Repeat("\x55", 4<<20))
	env := &Env{WordSize: 8, Symbols: everything(long), Strings: everything(long)}
	rows := make(Table, 1000) // rows of value 0 print while bits are left
	for i := range rows {
		rows[i].Text = long
	}
	all := ^uint64(0) >> 1
	for name, text := range map[string][]byte{
		"CString":      CString(region),
		"Symbolic":     Symbolic(nil, env, 0, rows),
		"Flags":        Flags(nil, env, 1, long, rows),
		"HexDump":      HexDump(nil, env, long, 0, 16, 1, region, all, 1),
		"HexDump 2":    HexDump(nil, env, "", 2, 16, 1, region, all, 1),
		"Hex":          Hex(nil, env, region, all),
		"Array":        Array(nil, env, region, false, all, 1),
		"Array of 3":   Array(nil, env, region, false, all, 1<<60+3),
		"Bitmask":      Bitmask(nil, env, region, true),
		"BitList":      BitList(nil, env, region, true, all),
		"Symbol":       Symbol(nil, env, 1),
		"SymbolName":   SymbolName(nil, env, 1),
		"SymbolOffset": SymbolOffset(nil, env, 1),
		"StackTrace":   StackTrace(nil, env, region, false),
		"PtrString":    PtrString(nil, env, 1),
		"Escaped":      Escaped(nil, env, []byte(strings.Repeat("\x01", 4<<20)), 1<<30, "h"),
		"U32Array":     U32Array(nil, env, region, all),
		"BinPrintf":    BinPrintf(nil, env, 1, region),

		"UftraceString":      UftraceString(nil, env, region),
		"UftraceStringJSON":  UftraceStringJSON(nil, env, []byte(strings.Repeat("\x01", 4<<20))),
		"UftraceRaw":         UftraceRaw(nil, env, region),
		"UftraceStruct":      UftraceStruct(nil, env, region),
		"UftracePointer":     UftracePointer(nil, env, 1),
		"UftracePointerDump": UftracePointerDump(nil, env, 1, "0"),
		"UftraceVariable":    UftraceVariable(nil, env, 1),
		"UftraceEnum":        UftraceEnum(nil, env, 5, rows),
	} {
		if len(text) > 6*MaxText {
			t.Errorf("%s: %d bytes", name, len(text))
		}
		if len(text) < 1000 {
			t.Errorf("%s: only %d bytes: %.40q", name, len(text), text)
		}
	}
}
