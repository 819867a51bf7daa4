package columns

import "time"

// wall formats wall-clock times.
type wall struct {
	offset int64
	second int64
	text   []byte // text of the second
}

// append appends a time in the form of RFC 3339 with nine digits.
func (w *wall) append(dst []byte, t uint64) []byte {
	at := w.offset + int64(t)
	second, ns := at/1e9, at%1e9
	if ns < 0 {
		second, ns = second-1, ns+1e9
	}
	if second != w.second || w.text == nil {
		w.second, w.text = second, time.Unix(second, 0).UTC().AppendFormat(w.text[:0], "2006-01-02T15:04:05.")
	}
	dst = append(dst, w.text...)
	var digits [9]byte
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = byte('0' + ns%10)
		ns /= 10
	}
	return append(append(dst, digits[:]...), 'Z')
}
