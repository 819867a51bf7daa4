package main

import "strings"

// A memory is what the captures of a recording learnt. Of a pair they are kept only when it ends
// well.
type memory struct {
	learnt map[learnt]string
	given  map[[2]string]int // how often a text was given and not taken yet, by name and text
	places map[place]reached

	pending []lesson // of the current pair
}

// learnt is the key of a map_ or to_ capture: its name, which side's text is the key, and the text.
type learnt struct {
	name string
	ours bool
	text string
}

// A lesson is one change of the memory: what a key stands for, a text given (1) or taken (-1), or a
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

// maxLearnt bounds what captures remember.
const maxLearnt = 1 << 20

func (m *memory) forget()       { m.pending = m.pending[:0] }
func (m *memory) mark() int     { return len(m.pending) }
func (m *memory) undo(mark int) { m.pending = m.pending[:mark] }

// keep makes what the current pair taught last.
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

// learn reports whether key may stand for text, and notes it down until the pair is settled.
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

// givenAs returns how many texts of a name were given and not taken.
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

// unsettled calls yield for each text of a capture move_x that only one side has, and how often.
// The number is negative if it is ours.
func (m *memory) unsettled(yield func(text string, n int) bool) {
	for key, n := range m.given {
		if n != 0 && strings.HasPrefix(key[0], moved("")) && !yield(key[1], n) {
			return
		}
	}
}

// owed handles the captures give_x, take_x and move_x of one side: what one line does not have,
// another has. A text may be taken as often as it was given before. What moved, both sides have in
// the end.
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
