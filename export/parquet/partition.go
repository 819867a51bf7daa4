package parquet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"time"
)

// null is Hive's value of an unknown partition.
const null = "__HIVE_DEFAULT_PARTITION__"

// partition returns the folder of a part, relative to the data set, with slashes.
func partition(host, date, event string) string {
	dir := path.Join("host="+escape(host), "date="+escape(date))
	if event != "" {
		dir = path.Join(dir, "event="+escape(event))
	}
	return dir
}

// longest is the maximum length of a name in a file system, minus the prefix of the value.
const longest = 200

// escape returns a value for a path. Characters that Hive escapes, or that a file system forbids,
// become % and two digits. A value that is too long for a name is truncated and ends with its hash.
func escape(value string) string {
	if value == "" {
		return null
	}
	valid := appendValid(nil, value)
	var b []byte
	for _, c := range valid {
		switch {
		case c < ' ', c == 0x7f, c == '"', c == '#', c == '%', c == '\'', c == '*', c == '/', c == ':', c == '=',
			c == '?', c == '\\',
			c == '{', c == '[', c == ']', c == '^', c == '<', c == '>', c == '|':
			b = fmt.Appendf(b, "%%%02X", c)
		default:
			b = append(b, c)
		}
	}
	if len(b) > longest {
		sum := sha256.Sum256(valid)
		cut := longest - 17
		for cut > 0 && (b[cut-1] >= 0x80 || b[cut-1] == '%' || b[cut-2] == '%') {
			cut--
		}
		b = append(b[:cut], "~"+hex.EncodeToString(sum[:8])...)
	}
	return string(b)
}

// dateOf returns the day of a time in nanoseconds since 1970 UTC.
func dateOf(ns int64) string { return time.Unix(0, ns).UTC().Format(time.DateOnly) }

// fileName returns the name of a part of a source.
func fileName(id string, number int) string { return fmt.Sprintf("part-%s-%05d.parquet", id, number) }
