package main

import (
	"fmt"
	"math/bits"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// comparisons are the prefixes that need only the two texts, the reference's first.
var comparisons = map[string]func(x, y string) bool{
	"num": func(x, y string) bool { return sameNumber(x, y, 0) },
	"hex": func(x, y string) bool {
		return sameNumber(strings.TrimPrefix(x, "0x"), strings.TrimPrefix(y, "0x"), 16)
	},
	"word":     func(x, y string) bool { return sameModulo(x, 0, y, 0, 1<<32-1) },
	"byte":     func(x, y string) bool { return sameModulo(x, 0, y, 0, 1<<8-1) },
	"hexdec":   func(x, y string) bool { return sameModulo(x, 16, y, 10, 1<<64-1) },
	"dechex":   func(x, y string) bool { return sameModulo(x, 10, y, 16, 1<<64-1) },
	"code":     func(x, y string) bool { code, ok := number(x, 10); return ok && y == string(rune(code)) },
	"words":    func(x, y string) bool { return sameWords(x, y, false) },
	"bigwords": func(x, y string) bool { return sameWords(x, y, true) },
	"each4":    func(x, y string) bool { return sameCount(x, y, 4) },
	"each8":    func(x, y string) bool { return sameCount(x, y, 8) },
	"bytes":    sameBytes,
	"sectors":  func(x, y string) bool { n, ok := number(x, 10); return ok && y == strconv.FormatUint(n/512, 10) },
	"turned":   sameTurned,
	"args":     sameArgs,
	"neg":      sameNegative,
	"pre":      strings.HasPrefix,
	"cut":      func(x, y string) bool { return strings.HasPrefix(y, x) },
	"list":     sameList,
	"text":     sameText,
	"dev":      sameDevice,
}

// sameTurned compares "1a37c10000000000" with "0xc1371a".
func sameTurned(x, y string) bool {
	a, okA := number(x, 16)
	b, okB := number(y, 0)
	return okA && okB && bits.ReverseBytes64(a) == b
}

func sameNegative(x, y string) bool {
	a, okA := number(x, 0)
	b, okB := number(y, 0)
	return okA && okB && a == -b
}

// sameDevice compares "266338352" with "254,48".
func sameDevice(x, y string) bool {
	d, ok := number(x, 10)
	return ok && y == fmt.Sprintf("%d,%d", d>>20, d&(1<<20-1))
}

// sameList compares "00:0a" with "0x0,0xa".
func sameList(x, y string) bool {
	notHex := func(c rune) bool { return !strings.ContainsRune("0123456789abcdef", c) }
	a := strings.FieldsFunc(strings.ReplaceAll(x, "0x", " "), notHex)
	b := strings.FieldsFunc(strings.ReplaceAll(y, "0x", " "), notHex)
	return slices.EqualFunc(a, b, func(x, y string) bool { return sameNumber(x, y, 16) })
}

// sameText compares "ab" with "0x61,0x62,0x0,…".
func sameText(text, list string) bool {
	for word := range strings.SplitSeq(list, ",") {
		b, ok := number(word, 0)
		switch {
		case !ok || b > 255:
			return text == "" && list == ""
		case text == "" || text[0] != byte(b):
			return text == "" && b == 0
		}
		text = text[1:]
	}
	return text == ""
}

// sameWords compares "01, 00, 00, 00, 02, 00, 00, 00" with "0x1,0x2".
func sameWords(bytes, list string, big bool) bool {
	b := strings.FieldsFunc(bytes, func(c rune) bool { return c == ',' || c == ' ' })
	words := strings.FieldsFunc(list, func(c rune) bool { return c == ',' })
	if len(b) != 4*len(words) {
		return false
	}
	for i, word := range words {
		four := b[4*i : 4*i+4]
		digits := four[3] + four[2] + four[1] + four[0]
		if big {
			digits = strings.Join(four, "")
		}
		if !sameModulo(digits, 16, word, 0, 1<<32-1) {
			return false
		}
	}
	return true
}

// sameCount compares a number with the number of groups of size bytes in a list "01, 00, …".
func sameCount(number, list string, size int) bool {
	n, err := strconv.Atoi(number)
	return err == nil && len(strings.FieldsFunc(list, func(c rune) bool { return c == ',' || c == ' ' })) == n*size
}

// sameBytes compares "61 62 00" with "ab".
func sameBytes(list, text string) bool {
	for word := range strings.FieldsSeq(list) {
		b, err := strconv.ParseUint(word, 16, 8)
		if err != nil {
			return false
		}
		if b == 0 {
			break
		}
		if text == "" || text[0] != byte(b) {
			return false
		}
		text = text[1:]
	}
	return text == ""
}

// enumeratorName matches the name that the kernel adds to the value of an argument: "sgp=0
// [SGP_READ]".
var enumeratorName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

// sameArgs compares "fd=4294967196, s=(STRUCT)[0x1:0x2]" with "ffffff9c, 1, 2, 0".
func sameArgs(args, words string) bool {
	values := strings.FieldsFunc(args, func(c rune) bool {
		return c == ',' || c == ' ' || c == ':' || c == '[' ||
			c == ']'
	})
	ours := strings.FieldsFunc(words, func(c rune) bool { return c == ',' || c == ' ' })
	for _, v := range values {
		if i := strings.LastIndexByte(v, '='); i >= 0 {
			v = v[i+1:]
		}
		if v == "(STRUCT)" || v == "(UNION)" || enumeratorName.MatchString(v) {
			continue
		}
		if v == "..." {
			return len(ours) == 0
		}
		if len(ours) == 0 || !sameModulo(v, 0, ours[0], 16, 1<<64-1) {
			return false
		}
		ours = ours[1:]
	}
	return true
}

func sameModulo(x string, baseX int, y string, baseY int, mask uint64) bool {
	a, okA := number(x, baseX)
	b, okB := number(y, baseY)
	return okA && okB && a&mask == b&mask
}

func sameNumber(x, y string, base int) bool {
	a, okA := number(x, base)
	b, okB := number(y, base)
	return okA && okB && a == b
}

// number parses 0x12, 12 and -12 (as two's complement).
func number(s string, base int) (uint64, bool) {
	if u, err := strconv.ParseUint(s, base, 64); err == nil {
		return u, true
	}
	i, err := strconv.ParseInt(s, base, 64)
	return uint64(i), err == nil
}
