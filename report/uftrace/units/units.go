// Package units writes durations the way uftrace does (uftrace.md 2.1).
package units

// Width is the number of columns of a duration.
const Width = 10

// steps are the units: what the value of the unit before is divided by, and the value from which on
// the next unit is taken. Minutes end at 24: uftrace compares with the divisor of the next unit,
// and identical text must repeat that.
var steps = [...]struct {
	name    string
	divisor uint64
	limit   uint64
}{
	{" us", 1000, 1000},
	{" ms", 1000, 1000},
	{"  s", 1000, 60},
	{"  m", 60, 24},
	{"  h", 24, ^uint64(0)},
}

const blanks = "          "

// AppendDuration appends a time in nanoseconds in 10 columns: `  1.902 us`. 0 is blank.
func AppendDuration(dst []byte, ns uint64) []byte {
	if ns == 0 {
		return append(dst, blanks...)
	}
	return AppendUnit(dst, ns)
}

// AppendUnit is AppendDuration that shows 0 as a number.
func AppendUnit(dst []byte, ns uint64) []byte {
	value, rest := ns, uint64(0)
	i := 0
	for ; ; i++ {
		value, rest = value/steps[i].divisor, value%steps[i].divisor
		if value < steps[i].limit || i == len(steps)-1 {
			break
		}
	}
	if value > 999 {
		value, rest = 999, 999
	}
	dst = appendPadded(dst, value, ' ')
	dst = append(dst, '.')
	dst = appendPadded(dst, rest, '0')
	return append(dst, steps[i].name...)
}

// appendPadded writes a number below 1000 in three columns.
func appendPadded(dst []byte, v uint64, pad byte) []byte {
	a, b, c := byte('0'+v/100), byte('0'+v/10%10), byte('0'+v%10)
	if v < 100 {
		a = pad
	}
	if v < 10 {
		b = pad
	}
	return append(dst, a, b, c)
}
