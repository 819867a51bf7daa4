package lttng_test

import (
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/tracec/tracec/compiler/interp"
	"github.com/tracec/tracec/compiler/ir"
	compiler "github.com/tracec/tracec/compiler/lttng"
	grammar "github.com/tracec/tracec/grammar/lttng"
	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/render"
)

// meaning returns the fields of a format that grammar/lttng has read, according to lttng.md 5.3.
func meaning(f *grammar.Format, types lttng.Types) (out []lttng.Field) {
	var trace *grammar.Trace
	var literal, named, source string
	for _, item := range f.Items {
		if item.Trace != nil || item.Conversion != nil {
			if source == "" {
				named = literal
			}
		}
		switch c := item.Conversion; {
		case item.Trace != nil:
			trace = item.Trace
			source += trace.Hash + trace.Attributes + trace.Qualifier + trace.Letter + trace.Swallowed
			if trace.Swallowed != "" { // the conversion that had begun is dropped
				trace = nil
			}
		case c != nil:
			x := fieldOf(trace, c, types)
			x.Name = nameOf(named, len(out))
			x.Source = source + c.Percent + c.Flags + c.Qualifier + c.Letter
			x.Print.Before = literal[strings.LastIndexByte(literal, ' ')+1:]
			out = append(out, x)
			trace, literal, source = nil, "", ""
		default:
			literal += item.Text
		}
	}
	return out
}

func nameOf(literal string, before int) string {
	if before > 0 {
		literal = strings.TrimPrefix(literal, " ")
	}
	if word, _, ok := strings.Cut(literal, " "); ok {
		return word
	}
	return fmt.Sprintf("field %d", before+1)
}

func fieldOf(t *grammar.Trace, c *grammar.Conversion, types lttng.Types) lttng.Field {
	has := func(flag string) bool { return strings.Contains(c.Flags, flag) }
	x := lttng.Field{Align: 1, Print: lttng.Conversion{
		Verb: c.Letter[0], Minus: has("-"), Plus: has("+"), Space: has(" "), Sharp: has("#"), Zero: has("0"),
	}}
	letter, qualifier := c.Letter, c.Qualifier
	if t != nil {
		x.Network, x.Compact = strings.Contains(t.Attributes, "n"), strings.Contains(t.Attributes, "b")
		if t.Letter != "" && letter != "s" {
			letter, qualifier = t.Letter, t.Qualifier
		}
	}
	x.Signed, x.Pointer = letter == "d" || letter == "i", letter == "p"
	switch {
	case letter == "s":
		x.Kind = lttng.String
		return x
	case letter == "c":
		x.Size = 1
	case letter == "p":
		x.Size = types.Pointer
	default:
		x.Size = map[string]int{
			"": types.Int, "h": 2, "2": 2, "l": types.Long, "ll": 8, "L": 8, "8": 8, "z": types.SizeT, "Z": types.SizeT,
			"t": types.Pointer, "1": 1, "4": 4,
		}[qualifier]
	}
	switch {
	case types.Alignment == 0:
	case types.Natural:
		x.Align = x.Size
	default:
		x.Align = min(types.Alignment, x.Size)
	}
	return x
}

// checkFormat compares the scanner of runtime/lttng with the grammar.
func checkFormat(t interface{ Fatalf(string, ...any) }, format string, types lttng.Types) []lttng.Field {
	fields, mine := lttng.ParseFormat(format, types)
	tree, theirs := grammar.Parse("m", format)
	if (mine == nil) != (theirs == nil) {
		t.Fatalf("%q: %v, but the grammar says: %v", format, mine, theirs)
	}
	if mine != nil {
		return nil
	}
	if d := cmp.Diff(meaning(tree, types), fields); d != "" {
		t.Fatalf("%q (-grammar +runtime)\n%s", format, d)
	}
	return fields
}

// FuzzFormat reads any text as a format.
func FuzzFormat(f *testing.F) {
	for _, s := range []string{
		"ip %lu handler %p irq_id #2u%u", "irqstate #1%d", " ", "%% ## %d", "rw(FLAG,FLAG) %lX",
		"a #n2u%hu b #8u%llu c %s d #1x%c", "%", "#", "#n", "#8", "%l", "a %hhd", "#b4u%u %s",
		"channel %s name %s event_id %hu int #1u%zu long #1u%zu pointer #1u%zu size_t #1u%zu alignment #1u%u",
		"x %{unknown}", "\x00\xff#\xff%d",
	} {
		f.Add(s, uint8(4))
	}
	f.Fuzz(func(t *testing.T, format string, align uint8) {
		if len(format) > grammar.MaxBytes {
			return
		}
		checkFormat(t, format, lttng.Types{Int: 4, Long: 8, Pointer: 8, SizeT: 8, Alignment: 1 << (align % 4) &^ 1,
			Natural: align&16 != 0})
	})
}

// drawFormat returns a format, or a text similar to one.
func drawFormat(t *rapid.T) string {
	if rapid.Bool().Draw(t, "noise") {
		return rapid.StringOfN(rapid.SampledFrom([]rune("#%%%% nb1248hlLZztdiuoxXcsp-+0aé")), 0, 24, -1).Draw(t,
			"format")
	}
	trace := []string{"", "", "#1u", "#1d", "#2u", "#2d", "#4u", "#4d", "#8u", "#p", "#n2u", "#n4u", "#n8u", "#1x"}
	conv := []string{"%d", "%u", "%ld", "%lu", "%llu", "%lld", "%p", "%zu", "%hd", "%hu", "%c", "%s", "%lX", "%tu"}
	var parts []string
	for i := range rapid.IntRange(0, 6).Draw(t, "fields") {
		parts = append(parts, fmt.Sprintf("f%d %s%s", i, rapid.SampledFrom(trace).Draw(t, "trace"),
			rapid.SampledFrom(conv).Draw(t, "conversion")))
	}
	return strings.Join(parts, " ")
}

// TestFormats: both readers of formats agree. Random payloads print the same as with a plain reader
// of the fields, in the form of 1.0.
func TestFormats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.SampledFrom([]int{4, 8}).Draw(t, "word")
		types := lttng.Types{Int: 4, Long: word, Pointer: word, SizeT: word, Natural: rapid.Bool().Draw(t, "natural")}
		if rapid.Bool().Draw(t, "aligned") {
			types.Alignment = word
		}
		format, big := drawFormat(t), rapid.Bool().Draw(t, "big")
		fields := checkFormat(t, format, types)
		if types.Alignment != 0 && rapid.Bool().Draw(t, "pad") {
			for i := range fields {
				if fields[i].Kind == lttng.String {
					fields[i].PadAfter = word
				}
			}
		}
		ev, err := compiler.Compile(&lttng.Marker{Name: "m", Format: format, Fields: fields},
			compiler.Rules{Era: compiler.Era1, BigEndian: big})
		if err != nil {
			if len(fields) == 0 { // not a valid format
				return
			}
			t.Fatal(err)
		}
		data, want := drawPayload(t, fields, big)
		program, err := interp.Compile(ev, ir.Target{BigEndian: big, WordSize: word})
		if err != nil {
			t.Fatal(err)
		}
		var outcome render.Outcome
		machine := interp.NewMachine(&render.Env{BigEndian: big, WordSize: word, Outcome: &outcome})
		if have := string(machine.AppendText(nil, program, data)); have != want {
			t.Fatalf("%q of % x:\n%s, want\n%s (%+v)", format, data, have, want, outcome)
		}
	})
}

// drawPayload draws the values of a marker: their bytes, and their text.
func drawPayload(t *rapid.T, fields []lttng.Field, big bool) (data []byte, text string) {
	pad := func(n int) {
		for n > 1 && len(data)%n != 0 {
			data = append(data, 0)
		}
	}
	for i, f := range fields {
		text += map[bool]string{true: "{ ", false: ", "}[i == 0] + f.Name + " = "
		if f.Kind == lttng.String {
			s := rapid.StringMatching(`[a-z%"]{0,12}`).Draw(t, "string")
			data, text = append(append(data, s...), 0), text+`"`+s+`"`
			pad(f.PadAfter)
			continue
		}
		pad(f.Align)
		v := rapid.Uint64().Draw(t, "value") >> (64 - 8*f.Size)
		word := binary.LittleEndian.AppendUint64(nil, v)[:f.Size]
		if big || f.Network {
			word = binary.BigEndian.AppendUint64(nil, v)[8-f.Size:]
		}
		data = append(data, word...)
		shift := 64 - 8*f.Size
		switch {
		case f.Pointer:
			text += fmt.Sprintf("%#x", v)
		case f.Signed:
			text += fmt.Sprint(int64(v<<shift) >> shift)
		default:
			text += fmt.Sprint(v)
		}
	}
	if text != "" {
		text += " }"
	}
	return data, text
}
