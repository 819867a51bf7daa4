package lttng_test

import (
	"strings"
	"testing"

	"github.com/alecthomas/participle/v2/lexer"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/tracec/tracec/grammar/lttng"
)

func TestParse(t *testing.T) {
	text := func(s string) *lttng.Item { return &lttng.Item{Text: s} }
	conv := func(flags, qualifier, letter string) *lttng.Item {
		return &lttng.Item{Conversion: &lttng.Conversion{Percent: "%", Flags: flags, Qualifier: qualifier,
			Letter: letter}}
	}
	trace := func(attributes, qualifier, letter, swallowed string) *lttng.Item {
		return &lttng.Item{Trace: &lttng.Trace{Hash: "#", Attributes: attributes, Qualifier: qualifier, Letter: letter,
			Swallowed: swallowed}}
	}
	for _, c := range []struct {
		format string
		want   []*lttng.Item
	}{
		{"", nil},
		{" ", []*lttng.Item{text(" ")}},
		{"ip 0x%lX", []*lttng.Item{text("ip 0x"), conv("", "l", "X")}},
		{"a #2u%u", []*lttng.Item{text("a "), trace("", "2", "u", ""), conv("", "", "u")}},
		{"#n4u%lu", []*lttng.Item{trace("n", "4", "u", ""), conv("", "l", "u")}},
		{"#n%hu", []*lttng.Item{trace("n", "", "", ""), conv("", "h", "u")}},
		{"#p%-#lu", []*lttng.Item{trace("", "", "p", ""), conv("-#", "l", "u")}},
		{"irqstate #1%d", []*lttng.Item{text("irqstate "), trace("", "1", "", "%"), text("d")}},
		{"100%% ##1", []*lttng.Item{text("100"), text("%%"), text(" "), text("##"), text("1")}},
		{"x #", []*lttng.Item{text("x "), trace("", "", "", "")}},
		{"#llx%llx", []*lttng.Item{trace("", "ll", "x", ""), conv("", "ll", "x")}},
	} {
		f, err := lttng.Parse("m", c.format)
		if err != nil {
			t.Errorf("%q: %v", c.format, err)
			continue
		}
		if d := cmp.Diff(c.want, f.Items, cmpopts.IgnoreTypes(lexer.Position{})); d != "" {
			t.Errorf("%q (-want +got)\n%s", c.format, d)
		}
	}
}

func TestErrors(t *testing.T) {
	for format, want := range map[string]string{
		"x %f":                                `m:1:4: error: "f" is not a conversion of markers`,
		"x %5d":                               `m:1:4: error: "5d" is not a conversion`,
		"x %hlu y":                            `m:1:5: error: "lu y" is not a conversion`,
		"x %":                                 `m:1:4: error: the format ends within a conversion`,
		"#2u%u %\n":                           `m:1:8: error: "\n" is not a conversion`,
		strings.Repeat("x", lttng.MaxBytes+1): "at most 65536 are read",
	} {
		if _, err := lttng.Parse("m", format); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.20q: %v, want %s", format, err, want)
		}
	}
}

// TestAllErrors checks that each wrong conversion has an error with its place.
func TestAllErrors(t *testing.T) {
	_, err := lttng.Parse("m", "a %f b %d\nc %5d é %")
	var lines []string
	for line := range strings.Lines(err.Error()) {
		lines = append(lines, strings.Join(strings.Fields(line)[:3], " "))
	}
	if d := cmp.Diff([]string{`m:1:4: error: "f`, `m:2:4: error: "5d`, `m:2:10: error: the`}, lines); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("ip #p%ld syscall_id #2u%u irqstate #1%d %% ## %s")
	f.Fuzz(func(t *testing.T, text string) {
		tree, err := lttng.Parse("m", text)
		if err != nil {
			return
		}
		var b strings.Builder
		for _, i := range tree.Items {
			b.WriteString(i.Text)
			if t := i.Trace; t != nil {
				b.WriteString(t.Hash + t.Attributes + t.Qualifier + t.Letter + t.Swallowed)
			}
			if c := i.Conversion; c != nil {
				b.WriteString(c.Percent + c.Flags + c.Qualifier + c.Letter)
			}
		}
		if b.String() != text {
			t.Errorf("the parts of %q are %q", text, b.String())
		}
	})
}

// TestManyFields reads formats at and beyond the limit.
func TestManyFields(t *testing.T) {
	for _, extra := range []int{0, 1} {
		_, err := lttng.Parse("m", strings.Repeat("%d", lttng.MaxFields+extra))
		if (err != nil) != (extra > 0) {
			t.Errorf("%d fields: error %v", lttng.MaxFields+extra, err)
		}
	}
}
