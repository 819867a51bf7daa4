package main

import (
	"fmt"
	"strconv"
	"strings"
)

// A bit is one name of a set of flags.
type bit struct {
	mask uint64
	name string
}

// setNames parses the value of a "table" or "bits" key: KEY=TEXT …. A rule has at most one of each.
func (r *rule) setNames(key, value string) error {
	for _, word := range strings.Fields(value) {
		k, text, ok := strings.Cut(word, "=")
		if !ok || text == "" {
			return fmt.Errorf("%s: want KEY=TEXT, got %q", key, word)
		}
		if key == "table" {
			if r.table == nil {
				r.table = map[string]string{}
			}
			r.table[k] = text
			continue
		}
		mask, err := strconv.ParseUint(k, 0, 64)
		if err != nil {
			return fmt.Errorf("bits: %q: %w", word, err)
		}
		r.bits = append(r.bits, bit{mask, text})
	}
	return nil
}

// bitNames returns the names of the bits in v, in the order of the rule.
func (r *rule) bitNames(v uint64) string {
	var names []string
	for _, b := range r.bits {
		if v&b.mask == b.mask {
			names = append(names, b.name)
		}
	}
	return strings.Join(names, "|")
}
