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
// # Unknown times
//
// No time is invented. If the begin or the end of a row was not recorded, the row has a [Reason]
// instead. A sum over rows therefore covers only a part of the time. [Walk.Extent] returns the
// whole.
//
// # Units
//
// Times and durations are in nanoseconds, times as in record.Record.Time. If the clock of a
// recording has another unit (record.Machine.Ticks), they are in that unit.
//
// docs/spec/tables.md has the definitions, and those of other tools.
package tables
