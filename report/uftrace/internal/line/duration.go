package line

// Width is the number of columns of a duration.
const Width = 10

// units are the units of durations (uftrace.md 2.1). The value of the previous unit is divided by
// divisor. From limit on, the next unit is used. The limit of minutes is 24: uftrace compares with
// the divisor of the next unit, and identical text must repeat that.
var units = [...]struct {
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

const noDuration = "          "

// AppendDuration appends a time in nanoseconds in 10 columns: `  1.902 us`. 0 is blank.
func AppendDuration(dst []byte, ns uint64) []byte {
	if ns == 0 {
		return append(dst, noDuration...)
	}
	return AppendUnit(dst, ns)
}

// AppendUnit is AppendDuration, but prints 0 as a number.
func AppendUnit(dst []byte, ns uint64) []byte {
	value, rest := ns, uint64(0)
	i := 0
	for ; ; i++ {
		value, rest = value/units[i].divisor, value%units[i].divisor
		if value < units[i].limit || i == len(units)-1 {
			break
		}
	}
	if value > 999 {
		value, rest = 999, 999
	}
	dst = appendPadded(dst, value, ' ')
	dst = append(dst, '.')
	dst = appendPadded(dst, rest, '0')
	return append(dst, units[i].name...)
}

// appendPadded appends a number below 1000 in three columns.
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
