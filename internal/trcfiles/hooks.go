package trcfiles

import (
	"fmt"
	"strconv"
	"strings"
)

// HookSet is a set of hook ids in their form of 16 bits. Its user defines whether nil is the empty
// set or the set of all ids.
type HookSet map[uint16]bool

// ParseHooks adds a list of hook ids to a set, which may be nil. An id has two digits for all
// sixteen ids hh0, or three or four digits. Ids are separated by commas or blanks.
func ParseHooks(set HookSet, list string) (HookSet, error) {
	if set == nil {
		set = HookSet{}
	}
	ids := strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(", \t\n", r) })
	if len(ids) == 0 {
		return nil, fmt.Errorf("%q names no hook", list)
	}
	for _, id := range ids {
		v, err := strconv.ParseUint(id, 16, 16)
		if err != nil || len(id) < 2 || len(id) > 4 {
			return nil, fmt.Errorf("%q is not a hook id: two to four hexadecimal digits", id)
		}
		switch len(id) {
		case 2:
			for i := range uint16(16) {
				set[uint16(v)<<8|i<<4] = true
			}
		case 3:
			set[uint16(v)<<4] = true
		case 4:
			set[uint16(v)] = true
		}
	}
	return set, nil
}
