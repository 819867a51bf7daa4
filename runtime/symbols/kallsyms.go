package symbols

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Alias selects one of several names for an address in kallsyms.
type Alias uint8

// The selected names.
const (
	FirstAlias Alias = iota // as in the kernel's own texts
	LastAlias               // as perf prints (docs/spec/perf.md 9)
)

// ParseKallsyms reads lines of "address type name\t[module]" as in /proc/kallsyms. It skips mapping
// symbols of ARM ($a, $d, ...) and absolute symbols (types A and a). Absolute symbols are offsets
// of per-CPU variables, to which no recorded address refers. A symbol reaches to the next one. Text
// beyond MaxText is ignored.
func ParseKallsyms(text string, alias Alias) *Table {
	text = text[:min(len(text), MaxText)]
	list := parseKallsyms(text)
	if alias == LastAlias {
		kept := list[:0]
		for i, y := range list {
			if i+1 == len(list) || list[i+1].Addr != y.Addr {
				kept = append(kept, y)
			}
		}
		list = kept
	}
	return NewTable(text, list)
}

// AllKallsyms calls fn for every symbol of a text by ascending address, including all names of an
// address in their order.
func AllKallsyms(text string, fn func(Symbol)) {
	t := Table{text: text[:min(len(text), MaxText)]}
	t.entries = parseKallsyms(t.text)
	for i := range t.entries {
		fn(t.at(i))
	}
}

// parseKallsyms returns all symbols by address. Symbols of one address are in the order of the
// text.
func parseKallsyms(text string) []Entry {
	list := make([]Entry, 0, strings.Count(text, "\n")+1)
	for pos := 0; pos < len(text); {
		end := strings.IndexByte(text[pos:], '\n')
		if end < 0 {
			end = len(text) - pos
		}
		if y, ok := parseLine(text[pos:pos+end], uint32(pos)); ok {
			list = append(list, y)
		}
		pos += end + 1
	}
	byAddr := func(a, b Entry) int { return cmp.Compare(a.Addr, b.Addr) }
	if !slices.IsSortedFunc(list, byAddr) {
		slices.SortStableFunc(list, byAddr)
	}
	return list
}

// parseLine reads a line that begins at a position of the text.
func parseLine(line string, at uint32) (y Entry, ok bool) {
	i := strings.IndexByte(line, ' ')
	if i < 0 || len(line) < i+4 || line[i+2] != ' ' {
		return y, false
	}
	addr, err := strconv.ParseUint(strings.TrimPrefix(line[:i], "0x"), 16, 64)
	if kind := line[i+1]; err != nil || kind == 'A' || kind == 'a' {
		return y, false
	}
	name := line[i+3:]
	n := strings.IndexAny(name, "\t \r")
	if n < 0 {
		n = len(name)
	}
	if n == 0 || name[0] == '$' {
		return y, false
	}
	y = Entry{Addr: addr, Name: at + uint32(i+3)}
	y.End = y.Name + uint32(n)
	return y, true
}

// moduleAfter returns the name in brackets after the name of a symbol on its line.
func moduleAfter(text string) string {
	if text == "" || text[0] != '\t' && text[0] != ' ' {
		return ""
	}
	line, _, _ := strings.Cut(text, "\n")
	if open, shut := strings.IndexByte(line, '['), strings.LastIndexByte(line, ']'); open >= 0 && shut > open {
		return line[open+1 : shut]
	}
	return ""
}

// Code are the types of code in kallsyms. Other types are variables.
const Code = "tTwW"

// Address returns the address of the first symbol of kallsyms with a name and one of some types. It
// scans the text.
func (t *Table) Address(name, types string) (addr uint64, ok bool) {
	for pos := 0; ; {
		i := strings.Index(t.text[pos:], name)
		if i < 0 {
			return 0, false
		}
		i += pos
		pos = i + len(name)
		if i == 0 || t.text[i-1] != ' ' || pos < len(t.text) && !strings.ContainsRune("\t\r\n ", rune(t.text[pos])) {
			continue
		}
		line := t.text[strings.LastIndexByte(t.text[:i], '\n')+1 : pos]
		if y, ok := parseLine(line, 0); ok && line[y.Name:] == name && strings.IndexByte(types, line[y.Name-2]) >= 0 {
			return y.Addr, true
		}
	}
}
