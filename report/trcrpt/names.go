package trcrpt

import (
	"bufio"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
)

// symbols holds names of kernel addresses from -n.
type symbols struct {
	addrs []uint64 // sorted
	names []string
}

// maxSymbols bounds a list of names. A kernel has some ten thousand.
const maxSymbols = 1 << 20

// readSymbols reads a list of names in the output format of trcnm: lines with a name and its
// address in hexadecimal. It ignores lines without an address.
func readSymbols(name string) (*symbols, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	byAddr := map[uint64]string{}
	in := bufio.NewScanner(f)
	for in.Scan() {
		words := strings.Fields(in.Text())
		if len(words) < 2 {
			continue
		}
		sym, text := words[0], words[len(words)-1]
		addr, err := strconv.ParseUint(strings.TrimPrefix(text, "0x"), 16, 64)
		if err != nil { // the address is first
			sym = words[len(words)-1]
			if addr, err = strconv.ParseUint(strings.TrimPrefix(words[0], "0x"), 16, 64); err != nil {
				continue
			}
		}
		if byAddr[addr] = sym; len(byAddr) > maxSymbols {
			return nil, fmt.Errorf("%s: more than %d names", name, maxSymbols)
		}
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := &symbols{}
	for a := range byAddr {
		s.addrs = append(s.addrs, a)
	}
	slices.Sort(s.addrs)
	for _, a := range s.addrs {
		s.names = append(s.names, byAddr[a])
	}
	return s, nil
}

// Symbol implements render.Symbols.
func (s *symbols) Symbol(addr uint64) (name string, offset uint64, ok bool) {
	i, found := slices.BinarySearch(s.addrs, addr)
	if !found {
		i--
	}
	if i < 0 {
		return "", 0, false
	}
	return s.names[i], addr - s.addrs[i], true
}
