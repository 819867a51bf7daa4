package dump

import (
	"strconv"

	"github.com/tracec/tracec/report/uftrace/internal/line"
	"github.com/tracec/tracec/runtime/uftrace"
)

// callNames returns a cache for the texts of functions and addresses: `main(55f38a5d0276) depth: `.
func callNames(name func(*uftrace.Symbol) string) *line.Texts {
	return line.NewTexts(func(dst []byte, addr uint64,
		sym *uftrace.Symbol) []byte {
		return appendName(dst, addr, sym, name)
	})
}

// appendName appends name(address) and the text before the depth.
func appendName(dst []byte, addr uint64, sym *uftrace.Symbol, name func(*uftrace.Symbol) string) []byte {
	addr &= line.AddrMask
	if sym != nil {
		dst = append(dst, name(sym)...)
	} else {
		dst = append(dst, '<')
		dst = strconv.AppendUint(dst, addr, 16)
		dst = append(dst, '>')
	}
	dst = append(dst, '(')
	dst = strconv.AppendUint(dst, addr, 16)
	return append(dst, ") depth: "...)
}

// uftrace's names of the record types and of their payloads, by uftrace.Kind.
var (
	kindNames = [...]string{uftrace.Enter: "[entry]", uftrace.Leave: "[exit ]", uftrace.Lost: "[lost ]",
		uftrace.Event: "[event]"}
	payloadNames = [...]string{uftrace.Enter: "[args ] length =", uftrace.Leave: "[retval] length =",
		uftrace.Lost: "[lost ] length =", uftrace.Event: "[data ] length ="}
)

// prefixes holds the texts after the time, by kind: ` 32386: [entry] `.
type prefixes [len(kindNames)][]byte

// newPrefixes returns the prefixes of a thread. The column of the thread is wider by one since
// v0.17 (uftrace.md 2.6).
func newPrefixes(tid int32, wide bool, names *[len(kindNames)]string) (p prefixes) {
	for k, name := range names {
		p[k] = append(append(appendTID(nil, tid, wide), name...), ' ')
	}
	return p
}

// appendTID appends ` 32386: `.
func appendTID(dst []byte, tid int32, wide bool) []byte {
	width := 5
	if wide {
		width = 7
	}
	dst = append(dst, "  "...)
	var b [12]byte
	n := strconv.AppendInt(b[:0], int64(tid), 10)
	for i := len(n); i < width; i++ {
		dst = append(dst, ' ')
	}
	return append(append(dst, n...), ": "...)
}
