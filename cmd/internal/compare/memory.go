package main

import "strings"

// A memory holds facts that captures have learnt in a recording. Facts from a pair are kept only if
// the pair is explained.
type memory struct {
	learnt map[learnt]string
	given  map[[2]string]int // number of texts given and not yet taken, by name and text
	places map[place]reached

	pending []lesson // facts from the current pair
}

// learnt is the key of a map_ or to_ capture: its name, the side of the key text, and the text.
type learnt struct {
	name string
	ours bool
	text string
}

// A lesson is one change of the memory: the text for a key, a text given (1) or taken (-1), or a
// place reached.
type lesson struct {
	key  learnt
	text string

	owed  [2]string
	count int

	place   place
	reached reached
}

func newMemory() memory {
	return memory{learnt: map[learnt]string{}, given: map[[2]string]int{}, places: map[place]reached{}}
}

// maxLearnt bounds the number of learnt facts.
const maxLearnt = 1 << 20

func (m *memory) forget()       { m.pending = m.pending[:0] }
func (m *memory) mark() int     { return len(m.pending) }
func (m *memory) undo(mark int) { m.pending = m.pending[:mark] }

// keep keeps the facts from the current pair.
func (m *memory) keep() {
	for _, l := range m.pending {
		switch {
		case l.count != 0:
			m.given[l.owed] += l.count
		case l.place != place{}:
			m.places[l.place] = l.reached
		case len(m.learnt) < maxLearnt:
			m.learnt[l.key] = l.text
		}
	}
	m.pending = m.pending[:0]
}

// learn reports whether text may be the partner of key, and notes it for the current pair.
func (m *memory) learn(key learnt, text string) bool {
	if known, ok := m.learnt[key]; ok {
		return known == text
	}
	for _, l := range m.pending {
		if l.key == key {
			return l.text == text
		}
	}
	m.pending = append(m.pending, lesson{key: key, text: text})
	return true
}

// givenAs returns the number of texts of a name that were given and not taken.
func (m *memory) givenAs(name string) (n int) {
	for key, count := range m.given {
		if key[0] == name {
			n += count
		}
	}
	return n
}

// moved returns the key of the texts of a capture move_x.
func moved(name string) string { return "move_" + name }

// unsettled calls yield for each text of a capture move_x that only one side has, with its number.
// The number is negative if only we have it.
func (m *memory) unsettled(yield func(text string, n int) bool) {
	for key, n := range m.given {
		if n != 0 && strings.HasPrefix(key[0], moved("")) && !yield(key[1], n) {
			return
		}
	}
}

// owed handles the captures give_x, take_x and move_x of one side, for texts that are in other
// lines. A text may be taken as often as it was given before. At the end, both sides must have all
// moved texts.
func (m *memory) owed(found match, ours bool) bool {
	for i, name := range found.re.SubexpNames() {
		kind, rest, _ := strings.Cut(name, "_")
		text, ok := found.capture(i)
		if !ok || kind != "give" && kind != "take" && kind != "move" {
			continue
		}
		l := lesson{owed: [2]string{rest, text}, count: 1}
		if kind == "move" {
			if l.owed[0] = moved(rest); ours {
				l.count = -1
			}
		}
		if kind == "take" {
			left := m.given[l.owed]
			for _, p := range m.pending {
				if p.owed == l.owed {
					left += p.count
				}
			}
			if left <= 0 {
				return false
			}
			l.count = -1
		}
		m.pending = append(m.pending, l)
	}
	return true
}
