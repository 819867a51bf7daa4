package render

import (
	"strings"
	"time"
)

// Time64 appends seconds since 1970 as a date and a time of UTC: %ptT (lib/vsprintf.c, rtc_str).
// letters are the letters after the T. d prints only the date, t only the time. After these, r
// prints years since 1900 and months from 0, and s prints a blank instead of the T.
func Time64(dst []byte, _ *Env, v uint64, letters string) []byte {
	at := time.Unix(int64(v), 0).UTC()
	date, clock := !strings.HasPrefix(letters, "t"), !strings.HasPrefix(letters, "d")
	if !date || !clock {
		letters = letters[1:]
	}
	year, month, between := at.Year(), int(at.Month()), byte('T')
flags:
	for _, c := range []byte(letters) {
		switch c {
		case 'r':
			year, month = at.Year()-1900, int(at.Month())-1
		case 's':
			between = ' '
		default:
			break flags
		}
	}
	if date {
		dst = digits(append(digits(append(digits(dst, year, 4), '-'), month, 2), '-'), at.Day(), 2)
	}
	if date && clock {
		dst = append(dst, between)
	}
	if clock {
		dst = digits(append(digits(append(digits(dst, at.Hour(), 2), ':'), at.Minute(), 2), ':'), at.Second(), 2)
	}
	return dst
}

// digits appends a number with at least width digits.
func digits(dst []byte, n, width int) []byte {
	return Uint(dst, uint64(n), Spec{Verb: 'd', Zero: true, Width: width, Prec: -1})
}
