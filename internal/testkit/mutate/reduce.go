package mutate

import (
	"bytes"
	"maps"
	"slices"
)

// edit is a range of a file that differs in a mutant.
type edit struct {
	file     string
	from, to int    // range in the intact file
	with     []byte // replacement
	gone     bool   // the file does not exist any more
}

// gap is the minimum number of equal bytes between two edits.
const gap = 8

// Reduce looks for a smaller input that fails as damaged does. First it tries fewer of the changes
// to intact. Then, if shrink is set, it tries fewer files and bytes. It calls fails at most tries
// times.
func Reduce(intact, damaged Tree, shrink bool, tries int, fails func(Tree) bool) Tree {
	left := tries
	test := func(t Tree) bool {
		if left <= 0 {
			return false
		}
		left--
		return fails(t)
	}
	edits := minimize(difference(intact, damaged), func(list []edit) bool { return test(apply(intact, list)) })
	small := apply(intact, edits)
	if !equal(small, damaged) && !fails(small) { // the edits do not describe all changes
		small = damaged.Clone()
	}
	if !shrink {
		return small
	}
	for _, name := range small.names() {
		if len(small) == 1 {
			break
		}
		less := small.Clone()
		if delete(less, name); test(less) {
			small = less
		}
	}
	for _, name := range small.names() {
		small[name] = shorten(small[name], func(b []byte) bool {
			less := small.Clone()
			less[name] = b
			return test(less)
		})
	}
	return small
}

func equal(a, b Tree) bool { return maps.EqualFunc(a, b, bytes.Equal) }

// difference lists the edits.
func difference(intact, damaged Tree) (list []edit) {
	for _, name := range intact.names() {
		b, ok := damaged[name]
		if !ok {
			list = append(list, edit{file: name, gone: true})
			continue
		}
		list = append(list, differences(name, intact[name], b)...)
	}
	for _, name := range damaged.names() {
		if _, ok := intact[name]; !ok {
			list = append(list, edit{file: name, with: damaged[name]})
		}
	}
	return list
}

func differences(name string, a, b []byte) (list []edit) {
	if bytes.Equal(a, b) {
		return nil
	}
	if len(a) != len(b) {
		n := min(len(a), len(b))
		from, end := 0, 0
		for from < n && a[from] == b[from] {
			from++
		}
		for end < n-from && a[len(a)-1-end] == b[len(b)-1-end] {
			end++
		}
		return []edit{{file: name, from: from, to: len(a) - end, with: b[from : len(b)-end]}}
	}
	for i := 0; i < len(a); i++ {
		if a[i] == b[i] {
			continue
		}
		from, to := i, i+1
		for ; i < len(a) && i < to+gap; i++ {
			if a[i] != b[i] {
				to = i + 1
			}
		}
		list = append(list, edit{file: name, from: from, to: to, with: b[from:to]})
	}
	return list
}

// apply applies some of the edits.
func apply(intact Tree, list []edit) Tree {
	t := intact.Clone()
	for _, e := range slices.Backward(list) { // from the end of each file
		if e.gone {
			delete(t, e.file)
			continue
		}
		b := t[e.file]
		t[e.file] = slices.Concat(b[:e.from], e.with, b[e.to:])
	}
	return t
}

// minimize returns a failing part of a list. No half, quarter and so on of the part can be removed
// (Zeller's ddmin).
func minimize[T any](list []T, fails func([]T) bool) []T {
	for n := 2; len(list) > 1; {
		size := (len(list) + n - 1) / n
		reduced := false
		for at := 0; at < len(list); at += size {
			rest := slices.Concat(list[:at], list[min(at+size, len(list)):])
			if len(rest) > 0 && fails(rest) {
				list, reduced = rest, true
				n = max(2, n-1)
				break
			}
		}
		if !reduced {
			if size == 1 {
				break
			}
			n = min(len(list), 2*n)
		}
	}
	return list
}

// shorten removes ranges of a file, large ones first.
func shorten(b []byte, fails func([]byte) bool) []byte {
	for size := len(b) / 2; size > 0; size /= 2 {
		for at := 0; at+size <= len(b); {
			less := slices.Concat(b[:at], b[at+size:])
			if fails(less) {
				b = less
			} else {
				at += size
			}
		}
	}
	return b
}
