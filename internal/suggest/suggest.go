// Package suggest finds names that are similar to a mistyped word.
package suggest

import (
	"cmp"
	"slices"
	"strings"
)

// maxNearest is the maximum number of names in a message.
const maxNearest = 3

// Nearest returns up to three names similar to word, the most similar first: names that differ in a
// few letters, relative to their length, then names that contain word. It ignores case, the stars
// of a glob and the dashes of a flag.
func Nearest(word string, names []string) []string {
	type candidate struct {
		name     string
		distance int
	}
	bare := plain(strings.Trim(word, "*?"))
	if bare == "" {
		return nil
	}
	var found []candidate
	for _, name := range names {
		lower := plain(name)
		limit := mistakes(max(len(bare), len(lower)))
		d := distance(bare, lower, max(limit, 1))
		switch {
		case d <= limit, d == 1 && len(bare) > 1 && alike(bare, lower):
		case len(bare) < 3 || !strings.Contains(lower, bare):
			continue
		default:
			d = maxMistakes + len(lower) - len(bare)
		}
		found = append(found, candidate{name, d})
	}
	slices.SortFunc(found, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(a.name, b.name))
	})
	found = slices.Compact(found)
	var out []string
	for _, c := range found[:min(len(found), maxNearest)] {
		out = append(out, c.name)
	}
	return out
}

// plain returns the part of a word to compare.
func plain(word string) string { return strings.ToLower(strings.TrimLeft(word, "-")) }

// maxMistakes is the maximum number of wrong letters in a long word.
const maxMistakes = 4

// mistakes returns the maximum number of wrong letters if the longer word has n letters: one in
// four.
func mistakes(n int) int { return min(n/4, maxMistakes) }

// alike reports whether two short words with one mistake have the same letters, apart from a
// missing one. Replacing one of three letters makes a different word.
func alike(a, b string) bool {
	if len(a) != len(b) {
		return true
	}
	x, y := []byte(a), []byte(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// distance returns the number of changes that turn a into b: letters changed, added, removed or
// swapped with the next one (optimal string alignment). A result above limit may be too small, but
// is still above limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	rows := make([]int, 3*(len(b)+1))
	before, last, row := rows[:len(b)+1], rows[len(b)+1:2*(len(b)+1)], rows[2*(len(b)+1):]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			wrong := 1
			if a[i-1] == b[j-1] {
				wrong = 0
			}
			d := min(last[j-1]+wrong, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}

// DidYouMean returns the end of a message about a word that is not in names: "; did you mean a, b
// or c?", or an empty string.
func DidYouMean(word string, names []string) string {
	near := Nearest(word, names)
	if len(near) == 0 {
		return ""
	}
	list, last := strings.Join(near[:len(near)-1], ", "), near[len(near)-1]
	if list != "" {
		list += " or "
	}
	return "; did you mean " + list + last + "?"
}
