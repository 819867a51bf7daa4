package callstack

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// condition is the condition of if: on an argument, for a filter or notrace: "arg1 == 2"
// (uftrace-replay(1), TRIGGERS). The zero value is always true.
type condition struct {
	arg   int // from 1
	op    operator
	value int64
}

type operator uint8

const (
	equal operator = iota
	unequal
	less
	lessEqual
	greater
	greaterEqual
)

// operators are in the order in which they are searched for.
var operators = []struct {
	text string
	op   operator
}{{"==", equal}, {"!=", unequal}, {"<=", lessEqual}, {">=", greaterEqual}, {"<", less}, {">", greater}}

// parseCondition reads argN OP NUMBER. doubt is empty if s is a valid condition.
func parseCondition(s string) (c condition, doubt string) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(s), "arg")
	digits := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
	n, err := strconv.ParseUint(rest[:digits], 10, 8)
	if !ok || err != nil || n == 0 {
		return c, strconv.Quote(s) + " is not a condition: if: takes arg1==2, with one of == != < <= > >="
	}
	c.arg = int(n)
	rest = strings.TrimSpace(rest[digits:])
	for _, o := range operators {
		number, ok := strings.CutPrefix(rest, o.text)
		if !ok {
			continue
		}
		c.op = o.op
		number = strings.TrimSpace(number)
		c.value, err = strconv.ParseInt(number, 0, 64)
		if err != nil { // addresses use all bits
			var bits uint64
			bits, err = strconv.ParseUint(number, 0, 64)
			c.value = int64(bits)
		}
		if err != nil {
			return condition{}, strconv.Quote(number) + " is not a number"
		}
		return c, ""
	}
	return condition{}, strconv.Quote(s) + " has none of the operators == != < <= > >="
}

// Check reports an invalid condition of a filter or trigger. uftrace lets all calls pass in this
// case.
func (f *Functions) Check() error {
	for _, list := range f.lists() {
		for _, item := range strings.Split(strings.Join(list, ";"), ";") {
			_, words, _ := strings.Cut(item, "@")
			for word := range strings.SplitSeq(words, ",") {
				text, ok := strings.CutPrefix(word, "if:")
				if !ok {
					continue
				}
				if _, doubt := parseCondition(text); doubt != "" {
					return errors.New(strconv.Quote(item) + ": " + doubt)
				}
			}
		}
	}
	return nil
}

// holds reports whether a call meets the condition. It returns false for a call whose argument was
// not recorded. (uftrace 0.19 takes a missing argument as 0, and an int of -1 as 4294967295.)
func (c condition) holds(sym *uftrace.Symbol, r *record.Record, bigEndian bool) bool {
	if sym == nil {
		return false
	}
	v, spec, ok := sym.Integer(c.arg, r.Data, bigEndian)
	if !ok {
		return false
	}
	unused := 64 - 8*spec.Size
	same := v == uint64(c.value)<<unused>>unused
	var below bool
	switch spec.Format {
	case 'd', 'i', 'e', 'c':
		signed := int64(v<<unused) >> unused
		// an int in a wide register, printed in this form (uftrace.md 2.4)
		if spec.Format == 'd' && v > 0xffff0000 && v <= 0xffffffff {
			signed = int64(int32(v))
			same = same || signed == c.value
		}
		below = signed < c.value
	default:
		below = c.value >= 0 && v < uint64(c.value)
	}
	switch c.op {
	case equal:
		return same
	case unequal:
		return !same
	case less:
		return below && !same
	case lessEqual:
		return below || same
	case greater:
		return !below && !same
	}
	return !below || same
}
