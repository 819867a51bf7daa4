package facts

import "strconv"

// AppendLost appends the number of events lost in gaps: "lost 487 in 1 gap", "lost 12+ in 3 gaps"
// if some gaps have an unknown number, "lost an unknown number in 1 gap" if all have.
func AppendLost(out []byte, lost int64, unknown bool, gaps int64) []byte {
	out = append(out, "lost "...)
	switch {
	case unknown && lost == 0:
		out = append(out, "an unknown number"...)
	case unknown:
		out = append(strconv.AppendInt(out, lost, 10), '+')
	default:
		out = strconv.AppendInt(out, lost, 10)
	}
	out = strconv.AppendInt(append(out, " in "...), gaps, 10)
	if gaps == 1 {
		return append(out, " gap"...)
	}
	return append(out, " gaps"...)
}
