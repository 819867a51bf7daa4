package main

import (
	"regexp"
	"strings"
)

// agree checks the captures that both expressions name. The prefix of the name selects the check:
//
//	num_x   the same 64-bit number, as 0x… or decimal, negative ones as two's complement
//	hex_x   the same number, both in hex with or without 0x
//	word_x  the same number modulo 2^32
//	byte_x  the same number modulo 2^8
//	hexdec_x, dechex_x  the same number, the reference's in hex and ours in decimal, or the other way round
//	code_x  the reference's number is the code of our character
//	words_x the reference's bytes, little-endian and four by four, are our numbers; bigwords_x the same, big-endian
//	each4_x, each8_x  our list has 4 or 8 bytes for each of the reference's number
//	bytes_x the reference's bytes in hex, up to the first 0, are our text
//	sectors_x  the reference's bytes, divided by 512, are our number
//	turned_x  the reference's number, in hex without 0x, with its 8 bytes turned around
//	table_x the rule's table has our text for the reference's
//	bits_x  our text is the rule's names of the bits of the reference's number, "A|B"
//	shift_x our number is the reference's plus the number of texts given by give_x
//	give_x, take_x  on either side: a text that an earlier use gave, taken once (see owed)
//	move_x  on either side: a text that the other side has as often, in another place
//	args_x  the values of the reference's arguments, "fd=1, buf=0x2", are the first of our words, "1, 2, 3"
//	neg_x   one number is the negative of the other
//	pre_x   our text is the beginning of the reference's
//	cut_x   the reference's text is the beginning of ours
//	list_x  lists of hex numbers, with any separators
//	text_x  the reference's text is the bytes of our list up to the first byte that is not text
//	dev_x   the reference's dev_t is our major,minor (include/linux/kdev_t.h: 12 and 20 bits)
//	map_x   any two texts, but always the same two in this recording (a hashed pointer)
//	to_x    any two texts, but in this recording always the same of ours for one of the reference's
//	from_x  any two texts, but in this recording always the same of the reference's for one of ours
//	x       the same text
func (e *explainer) agree(r *rule, ref, ours match) bool {
	for i, name := range ref.re.SubexpNames() {
		j := ours.re.SubexpIndex(name)
		if name == "" || j < 0 {
			continue
		}
		x, inRef := ref.capture(i)
		y, inOurs := ours.capture(j)
		if inRef != inOurs || inRef && !e.same(r, name, x, y) {
			return false
		}
	}
	return true
}

// A match is a match of an expression in a text.
type match struct {
	re   *regexp.Regexp
	text []byte
	at   []int // result of FindSubmatchIndex
}

// capture returns the text of a group, if it took part in the match.
func (m match) capture(i int) (string, bool) {
	if m.at[2*i] < 0 {
		return "", false
	}
	return string(m.text[m.at[2*i]:m.at[2*i+1]]), true
}

// named returns the text of a named group, if there is one and it took part in the match.
func (m match) named(name string) (string, bool) {
	i := m.re.SubexpIndex(name)
	if i < 0 {
		return "", false
	}
	return m.capture(i)
}

// String returns the matched text.
func (m match) String() string {
	if m.re == nil {
		return ""
	}
	return string(m.text[m.at[0]:m.at[1]])
}

// same compares two captures with the same name.
func (e *explainer) same(r *rule, name, x, y string) bool {
	kind, rest, prefixed := strings.Cut(name, "_")
	if !prefixed {
		return x == y
	}
	switch kind {
	case "give", "take", "move":
		return true
	case "shift":
		a, okA := number(x, 10)
		b, okB := number(y, 10)
		return okA && okB && b-a == uint64(e.givenAs(rest))
	case "table":
		return y != "" && r.table[x] == y
	case "bits":
		v, ok := number(x, 0)
		return ok && y == r.bitNames(v)
	case "to":
		return e.learn(learnt{name, false, x}, y)
	case "from":
		return e.learn(learnt{name, true, y}, x)
	case "map":
		return e.learn(learnt{name, true, y}, x) && e.learn(learnt{name, false, x}, y)
	}
	return comparisons[kind](x, y)
}

// prefixes are the prefixes that same itself handles.
var prefixes = []string{"give", "take", "move", "shift", "table", "bits", "to", "from", "map"}

// knownPrefix reports whether the name of a capture has a known prefix.
func knownPrefix(name string) bool {
	kind, _, prefixed := strings.Cut(name, "_")
	return !prefixed || comparisons[kind] != nil || contains(prefixes, kind)
}
