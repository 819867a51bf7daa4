// Package lttng lowers the markers of LTTng. A marker has a payload, which its format describes,
// and a text, which the reader of its era, LTTV, printed (lttng.md 5.3 and 8.1).
package lttng
