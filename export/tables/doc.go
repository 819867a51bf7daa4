// Package tables computes tables from the events of a recording: how long threads waited for a
// processor, which system calls failed, what interrupts took. One row is one thing that lasted, or
// that happened, and takes several events to know.
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
// No begin and no end is invented. A row whose begin or end was not recorded has a [Reason] in its
// place. A sum over rows therefore covers only a part of the time. [Walk.Extent] has the whole
// time.
//
// # Units
//
// Times and durations are in nanoseconds, times as in record.Record.Time. Where the clock of a
// recording counts something else (record.Machine.Ticks), so do they.
//
// docs/spec/tables.md has the definitions, and what other tools mean by theirs.
package tables
