// Package tables computes tables from the events of a recording: how long threads waited for a
// processor, which system calls failed, how long interrupts took. Each row is computed from several
// events, such as a begin and an end.
//
//	for row, err := range tables.SchedLatency.Rows(ctx, rec) {
//		if err != nil {
//			log.Fatal(err)
//		}
//		if dur, ok := row.Dur(); ok {
//			fmt.Println(row.Thread.Name, dur)
//		}
//	}
//
// A [Table] has typed rows and a list of columns, which read the same rows by name: for SQL, files
// and text. Rows come in the order of their ends. Several tables share one reading of the
// recording: see [Walk].
//
// # What is not known
//
// No time is invented. If the begin or the end of a row was not recorded, the row has a [Reason]
// instead. A sum over rows therefore covers only a part of the time. [Walk.Extent] returns the
// whole.
//
// # Units
//
// Times and durations are in nanoseconds, times as in record.Record.Time. Where the clock of a
// recording counts something else (record.Machine.Ticks), so do they.
//
// docs/spec/tables.md has the definitions, and what other tools mean by theirs.
package tables
