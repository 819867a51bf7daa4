// Package clock writes times of records, of which one second holds many: the text of the second is kept.
package clock

import "strconv"

// digits2 are the numbers 00 to 99.
const digits2 = "0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849" +
	"5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899"

const second = 1e9 // ns

// Clock writes times. The zero value is ready.
type Clock struct {
	begin uint64 // of the second that text is for, in ns
	ready bool
	size  int
	text  [24]byte
}

// split is the time within the second of t, whose text is then in c.
func (c *Clock) split(t uint64) (ns uint32) {
	if t < c.begin || t-c.begin >= second || !c.ready {
		c.begin, c.ready = t-t%second, true
		c.size = len(strconv.AppendUint(c.text[:0], t/second, 10))
	}
	return uint32(t - c.begin)
}

// AppendSeconds writes a time in ns as seconds and nine digits: 2416.281630192.
func (c *Clock) AppendSeconds(dst []byte, t uint64) []byte {
	ns := c.split(t)
	a, b := ns/100000, ns%100000 // four digits and five
	dst = append(dst, c.text[:c.size]...)
	return append(dst, '.',
		digits2[a/100*2], digits2[a/100*2+1], digits2[a%100*2], digits2[a%100*2+1],
		'0'+byte(b/10000), digits2[b/100%100*2], digits2[b/100%100*2+1], digits2[b%100*2], digits2[b%100*2+1])
}

// AppendNanoseconds writes a time in ns as it is: 2416281630192.
func (c *Clock) AppendNanoseconds(dst []byte, t uint64) []byte {
	if t < second {
		return strconv.AppendUint(dst, t, 10)
	}
	ns := c.split(t)
	a, b := ns/100000, ns%100000 // four digits and five
	dst = append(dst, c.text[:c.size]...)
	return append(dst,
		digits2[a/100*2], digits2[a/100*2+1], digits2[a%100*2], digits2[a%100*2+1],
		'0'+byte(b/10000), digits2[b/100%100*2], digits2[b/100%100*2+1], digits2[b%100*2], digits2[b%100*2+1])
}

// AppendMicroseconds writes a time in ns as microseconds and three digits: 2416281630.192.
func (c *Clock) AppendMicroseconds(dst []byte, t uint64) []byte {
	if t < second {
		dst = strconv.AppendUint(dst, t/1000, 10)
		ns := t % 1000
		return append(dst, '.', '0'+byte(ns/100), digits2[ns%100*2], digits2[ns%100*2+1])
	}
	ns := c.split(t)
	us, ns := ns/1000, ns%1000
	a, b := us/1000, us%1000
	dst = append(dst, c.text[:c.size]...)
	return append(dst,
		'0'+byte(a/100), digits2[a%100*2], digits2[a%100*2+1],
		'0'+byte(b/100), digits2[b%100*2], digits2[b%100*2+1], '.',
		'0'+byte(ns/100), digits2[ns%100*2], digits2[ns%100*2+1])
}
