package lttng

// The dialect Seed is the literal layout of the document "The LTTng trace format" of 2008/06/02. No
// program wrote it, and there is nothing to compare with (lttng.md 2 and 10). Where the document is
// silent, Seed is as 1.0:
//
//   - The header is the header of 1.0 except for start_time: two words of 32 bits, seconds and
//     nanoseconds. It has 101 bytes.
//   - Events have a byte for the facility and one for the event instead of the id of 16 bits. The
//     id in a core_marker_id is facility << 8 | event. The core events are 0 to 3 of
//     facility 0.
//   - control/facilities contains markers, as in the document, and not loads of facilities as in
//     0.x.
//   - Ids 8 to 127 are for compact events. Their words are as in 1.0.
//   - Times are by the old formula. The formula of the document,
//     start_time + (tsc - start_tsc)·(freq/freq_scale), has its factor upside down, and the wall
//     clock as an origin, which no reader used.
//   - Text is the text of 1.0.

// bytePairs reports whether ids consist of a facility and an event.
func (d Dialect) bytePairs() bool { return d == V07 || d == V08 || d == Seed }
