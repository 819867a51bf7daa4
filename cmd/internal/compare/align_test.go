package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// event makes a report line: the letter is the event's name and the digits are the time and the
// text.
func event(name byte, text string) string {
	return fmt.Sprintf("   sh-1 [000] 1.0%02d: %c: %s", name-'a', name, text)
}

func lines(words string) string {
	var sb strings.Builder
	for _, w := range strings.Fields(words) {
		if w[0] == '+' { // the block continues
			fmt.Fprintln(&sb, "=> "+w[1:])
			continue
		}
		fmt.Fprintln(&sb, event(w[0], w[1:]))
	}
	return sb.String()
}

func TestAlign(t *testing.T) {
	for _, tt := range []struct{ name, ref, ours, want string }{
		{"equal", "a1 b1 c1", "a1 b1 c1", "= = ="},
		{"empty", "", "", ""},
		{"one differs", "a1 b1 c1", "a1 b2 c1", "= b/b ="},
		{"dropped", "a1 b1 c1", "a1 c1", "= b/- ="},
		{"added", "a1 c1", "a1 b1 c1", "= -/b ="},
		{"dropped at the end", "a1 b1", "a1", "= b/-"},
		{"added at the end", "a1", "a1 b1", "= -/b"},
		{"another event", "a1 b1 c1", "a1 d1 c1", "= b/d ="},
		{"two others", "a1 b1 c1 d1", "a1 e1 f1 d1", "= b/e c/f ="},
		{"swapped", "a1 b1 c1 d1", "a1 c1 b1 d1", "= -/c = c/- ="},
		{"longer stack", "a1 +x +y b1", "a1 +x b1", "a/a ="},
		{"nothing alike", "a1 b1", "c1 d1", "a/c b/d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			errA, errB := align(reader(lines(tt.ref)), reader(lines(tt.ours)), window, func(p pair) {
				got = append(got, describe(p))
			})
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if d := cmp.Diff(tt.want, strings.Join(got, " ")); d != "" {
				t.Error(d)
			}
		})
	}
}

func reader(text string) *blockReader {
	return newBlockReader(strings.NewReader(text), reportLayout{})
}

func describe(p pair) string {
	name := func(b *block) string {
		if b == nil {
			return "-"
		}
		return b.event
	}
	if p.ref != nil && p.ours != nil && string(p.ref.text) == string(p.ours.text) {
		return "="
	}
	return name(p.ref) + "/" + name(p.ours)
}

// TestAlignLong: a burst of lost lines within the window does not shift the following lines.
func TestAlignLong(t *testing.T) {
	var ref, ours strings.Builder
	for i := range 5000 {
		line := fmt.Sprintf("  sh-1 [001] %d.000001: tick: n=%d\n", i, i)
		ref.WriteString(line)
		if i < 1000 || i >= 1000+window-1 {
			ours.WriteString(line)
		}
	}
	tl := newTally(job{})
	align(reader(ref.String()), reader(ours.String()), window, func(p pair) { tl.add(p, newExplainer(nil, "N", "")) })
	if tl.equal != 5000-(window-1) || tl.unexplained != window-1 {
		t.Errorf("equal %d, unexplained %d", tl.equal, tl.unexplained)
	}
}

func TestTallyCountsLinesOfBlocks(t *testing.T) {
	tl := newTally(job{})
	align(reader(lines("a1 +x +y +z b1")), reader(lines("a1 +x +q b1")), window,
		func(p pair) { tl.add(p, newExplainer(nil, "N", "")) })
	if tl.equal != 3 || tl.unexplained != 2 {
		t.Errorf("equal %d, unexplained %d; want 3 (head, x, b) and 2 (y, z)", tl.equal, tl.unexplained)
	}
}
