package trcfiles

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/aix"
)

// roles and hookFacts are the words of a file of layouts.
var (
	roles = map[string]aix.Role{
		"info": aix.RoleInfo, "current": aix.RoleCurrent, "dispatch": aix.RoleDispatch, "fork": aix.RoleFork,
	}
	hookFacts = map[string]aix.Fact{
		"pid": aix.FactPID, "tid": aix.FactTID, "cpu": aix.FactCPU, "priority": aix.FactPriority,
		"depth":     aix.FactDepth,
		"totalcpus": aix.FactTotalCPUs, "tracedcpus": aix.FactTracedCPUs, "svcaddress": aix.FactSVCAddress,
		"svc": aix.FactSVC, "process": aix.FactProcess, "path": aix.FactExecPath,
	}
)

// maxLayouts bounds a file of layouts.
const maxLayouts = 1 << 12

// ParseLayouts parses the places of threads, processes and processors in hooks, which are not
// published. Each hook has a line with its id, a subhook in hexadecimal or *, the kind of data
// (info, current, dispatch or fork; see aix.Role) and the places of facts as name=word,
// name=word.byte or name=word.byte:size.
//
//	106 * dispatch pid=1 tid=2
//	134 * current  pid=1 path=2
//
// Lines that begin with # are comments. Words and bytes are counted as in aix.Place.
func ParseLayouts(name string, r io.Reader) ([]aix.Layout, error) {
	var list []aix.Layout
	in := bufio.NewScanner(r)
	for number := 1; in.Scan(); number++ {
		words := strings.Fields(in.Text())
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		l, err := parseLayout(words)
		if err == nil && len(list) >= maxLayouts {
			err = fmt.Errorf("more than %d layouts", maxLayouts)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, number, err)
		}
		list = append(list, l)
	}
	if err := in.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return list, nil
}

// ReadLayouts reads a layout file.
func ReadLayouts(name string) ([]aix.Layout, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("--layouts: %w", err)
	}
	defer f.Close()
	return ParseLayouts(name, f)
}

func parseLayout(words []string) (l aix.Layout, err error) {
	if len(words) < 4 {
		return l, fmt.Errorf("expected hook, subhook, role and places, found %q", strings.Join(words, " "))
	}
	set, err := ParseHooks(nil, words[0])
	if err != nil || len(set) != 1 {
		return l, fmt.Errorf("%q is not a hook id of three or four digits", words[0])
	}
	for id := range set {
		l.ID = id
	}
	l.Sub = -1
	if words[1] != "*" {
		sub, err := strconv.ParseUint(words[1], 16, 16)
		if err != nil {
			return l, fmt.Errorf("%q is neither a subhook nor *", words[1])
		}
		l.Sub = int(sub)
	}
	var ok bool
	if l.Role, ok = roles[words[2]]; !ok {
		return l, fmt.Errorf("unknown kind %q (want info, current, dispatch or fork)", words[2])
	}
	for _, w := range words[3:] {
		p, err := parsePlace(w)
		if err != nil {
			return l, err
		}
		l.Places = append(l.Places, p)
	}
	return l, nil
}

// parsePlace parses name=word, name=word.byte or name=word.byte:size.
func parsePlace(text string) (p aix.Place, err error) {
	name, place, _ := strings.Cut(text, "=")
	var ok bool
	if p.Fact, ok = hookFacts[name]; !ok {
		return p, fmt.Errorf("%q: unknown name %q", text, name)
	}
	place, size, hasSize := strings.Cut(place, ":")
	word, at, hasByte := strings.Cut(place, ".")
	for _, n := range []struct {
		text string
		to   *int
		has  bool
		most int
	}{{word, &p.Word, true, 1 << 12}, {at, &p.Byte, hasByte, 1 << 12}, {size, &p.Size, hasSize, 8}} {
		if !n.has {
			continue
		}
		if *n.to, err = strconv.Atoi(n.text); err != nil || *n.to < 0 || *n.to > n.most {
			return p, fmt.Errorf("%q is not name=word.byte:size", text)
		}
	}
	return p, nil
}
