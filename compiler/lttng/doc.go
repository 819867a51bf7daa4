// Package lttng lowers the markers of LTTng: the payload that a format describes, and the text that
// the reader of the era, LTTV, printed of it (lttng.md 5.3 and 8.1).
package lttng
