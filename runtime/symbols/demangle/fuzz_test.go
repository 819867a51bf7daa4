package demangle

import (
	"strings"
	"testing"
)

// FuzzSimple: hostile names cost no more time than their length allows, and never cause a panic.
func FuzzSimple(f *testing.F) {
	for _, name := range []string{"_ZN3fooC2Ev", "_ZZ4mainENKUliiE_clEii", "_RNvCs1234_7mycrate3foo", "_ZTIN1a1bE",
		"_ZN42_$LT$$RF$T$u20$as$u20$core..fmt..Debug$GT$3fmt17hcd82c73314b01155E", "_GLOBAL__sub_I__Z1fv",
		"_Z1fIXtl1Xdi1adi1bLi3EEEv"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		for _, got := range []string{Simple(name), Full(name), FullOrType(name)} {
			if len(name) < 256 && len(got) > 1<<20 {
				t.Errorf("%d bytes of %d", len(got), len(name))
			}
		}
	})
}

// TestHostile has names that were made to be slow or deep.
func TestHostile(t *testing.T) {
	for _, name := range []string{
		"_Z1f" + strings.Repeat("P", 1<<13),
		"_ZN" + strings.Repeat("1a", 1<<12) + "Ev",
		"_Z" + strings.Repeat("Z1f", 1<<11) + "v",
		"_Z1fI" + strings.Repeat("1AI", 1<<12),
		"_Z1f" + strings.Repeat("S_S0_", 1<<11),
		"_Z1fIJ" + strings.Repeat("Dp", 1<<12) + "E",
		"_Z" + strings.Repeat("TI", 1<<12),
		"_RNvC1a" + strings.Repeat("NvB_", 1<<11),
		"_RINvC1a1b" + strings.Repeat("TB_B_E", 1<<10) + "E",
		"_Z1aSt" + strings.Repeat("1aIS_S_E", 30) + "v", // doubles with each
		strings.Repeat("_GLOBAL__sub_I_", 1<<12) + "_Z1fv",
		"_ZN1$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$$E",
	} {
		Simple(name)
		if got := Full(name); len(got) > 1<<21 {
			t.Errorf("%.20s…: %d bytes", name, len(got))
		}
	}
}
