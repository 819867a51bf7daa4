package main

import "bytes"

// A clock checks the places of our lines that the reference lacks. No line before them may be
// later, and no line after them earlier. Lines without a time are not checked.
type clock struct {
	last  []byte // our last line
	added bool   // the reference did not have it
}

// inTime reports whether our line of a pair is not earlier than the previous one. It checks this
// only if the reference lacks one of the two.
func (c *clock) inTime(p pair) bool {
	if p.ours == nil {
		return true
	}
	alone := p.ref == nil
	ok := !alone && !c.added || !earlier(p.ours.text, c.last)
	c.last, c.added = append(c.last[:0], firstLine(p.ours.text)...), alone
	return ok
}

func firstLine(text []byte) []byte {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// earlier reports whether the event line a has an earlier time than b.
func earlier(a, b []byte) bool {
	x, okA := timeOf(firstLine(a))
	y, okB := timeOf(b)
	if !okA || !okB {
		return false
	}
	if len(x) != len(y) {
		return len(x) < len(y)
	}
	return bytes.Compare(x, y) < 0
}

// timeOf returns the digits of an event line's time.
func timeOf(line []byte) ([]byte, bool) {
	f, ok := cutEvent(line)
	if !ok {
		return nil, false
	}
	return bytes.TrimRight(line[f.time:f.rest], ": "), true
}
