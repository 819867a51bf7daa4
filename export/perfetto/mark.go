package perfetto

import "bytes"

// isMark reports whether a text has the form of atrace: see encoder.isMark. The letters and their
// fields are from Android's libcutils (trace.h) and from Perfetto's systrace parser.
func isMark(text []byte) bool {
	if len(text) == 0 {
		return false
	}
	if text[0] == 'E' && len(text) == 1 {
		return true
	}
	fields := bytes.Count(text, []byte{'|'})
	if len(text) < 3 || text[1] != '|' {
		return false
	}
	pid, rest, _ := bytes.Cut(text[2:], []byte{'|'})
	if !isNumber(pid) {
		return false
	}
	switch text[0] {
	case 'E':
		return fields == 1 || len(rest) == 0
	case 'B', 'I':
		return fields >= 2 && len(rest) > 0
	case 'C', 'S', 'F':
		at := bytes.LastIndexByte(rest, '|')
		return fields >= 3 && at > 0 && isNumber(bytes.TrimPrefix(rest[at+1:], []byte{'-'}))
	}
	return false
}

func isNumber(b []byte) bool {
	for _, c := range b {
		if c < '0' || c > '9' {
			return false
		}
	}
	return 0 < len(b) && len(b) < 19
}
