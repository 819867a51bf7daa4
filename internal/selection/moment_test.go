package selection

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// TestMoments reads times relative to the begin or the end.
func TestMoments(t *testing.T) {
	micros := &Span{First: 1_234_567_890, Last: 9_000_000_400, Form: Microseconds} // printed as 1.234568, 9.000000
	nanos := &Span{First: 1_234_567_890, Last: 9_000_000_400}
	for _, c := range []struct {
		option, text string
		span         *Span
		want         string
	}{
		{"--since", "+0s", micros, "1.234568"},
		{"--since", "+0s", nanos, "1.234567890"},
		{"--since", "+1.5s", micros, "2.734568"},
		{"--since", "+1s500ms", nanos, "2.734567890"},
		{"--since", "+1ns", micros, "1.234567891"},        // exact, because the time is exact
		{"--since", "+1.0000000s", micros, "2.234567890"}, // more than six digits are exact
		{"--until", "-0.5s", micros, "8.500000"},
		{"--until", "-1us", nanos, "8.999999400"},
		{"--until", "-100h", nanos, "0.000000000"},
		{"--since", "+2000000h", nanos, "7200000001.234567890"},
		{"--last", "3s", micros, "6.000000"},
		{"--last", ".5s", nanos, "8.500000400"},
		{"--last", "3", nil, "--last 3: want a duration such as 1s or 100ms"},
		{"--last", "+3s", nil, "--last +3s: want a duration such as 1s or 100ms"},
		{"--since", "5s", nil, "--since 5s: write +5s from the beginning, -5s from the end, or 5 as printed"},
		{"--since", "1h", nil, "--since 1h: write +1h from the beginning, -1h from the end, or 3600 as printed"},
		{"--since", "+5", nil, "--since +5: a duration needs a unit: +5s or +5ms"},
		{"--until", "-0.5", nil, "--until -0.5: a duration needs a unit: -0.5s or -0.5ms"},
		{"--until", "--1s", nil, "--until --1s: want a time such as 12.5, +0.5s or -1s"},
		{"--until", "-", nil, "--until -: want a time such as 12.5, +0.5s or -1s"},
		{"--until", "+9999999999999h", nil, "--until +9999999999999h: want a time such as 12.5, +0.5s or -1s"},
	} {
		m, err := parseMoment(c.option, c.text)
		got := ""
		if err != nil {
			got = message(t, err)
		} else if c.span != nil {
			got = m.at(c.span)
		}
		if got != c.want {
			t.Errorf("%s %s: %q, want %q", c.option, c.text, got, c.want)
		}
	}
}

// TestBounds: a written window is read back unchanged, to the nanosecond.
func TestBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &Times{Form: rapid.SampledFrom([]TimeForm{Nanoseconds, Microseconds, Ticks}).Draw(t, "form")}
		time := rapid.OneOf(rapid.Uint64Range(1000, 1e13), rapid.Map(rapid.Uint64Range(1, 1e9), func(us uint64) uint64 {
			return us * 1000
		}))
		first := time.Draw(t, "first")
		c.Origin = rapid.SampledFrom([]uint64{0, first}).Draw(t, "origin")
		from := first + time.Draw(t, "from")
		to := from + time.Draw(t, "length")
		for _, text := range []string{c.Bounds(from, to), c.BoundsSince(first, from, to)} {
			var o Options
			if n, err := fmt.Sscanf(text, "--since %s --until %s", &o.Since, &o.Until); n != 2 {
				t.Fatal(text, err)
			}
			span := &Span{First: first - c.Origin, Form: c.Form}
			for _, b := range []*string{&o.Since, &o.Until} {
				if m, err := parseMoment("--since", *b); err != nil {
					t.Fatal(err)
				} else if m.from == begin {
					*b = m.at(span)
				}
			}
			since, until, err := o.Window(c.Form)
			if since+c.Origin != from || until+c.Origin != to || err != nil {
				t.Fatalf("%s: %d to %d, want %d to %d; %v", text, since+c.Origin, until+c.Origin, from, to, err)
			}
		}
	})
}
