// Package sql answers SQL queries about recordings with SQLite.
//
//	db, err := sql.Open(ctx, []sql.Source{{Name: "trace.dat", Open: open}}, sql.Options{})
//	err = db.Query(ctx, "select thread, count(*) from sched_switch group by thread", rows)
//
// # Tables
//
// Each kind of event is a table with the name of the event. Its columns are
//
//	recording  the name of the Source; hidden unless there are several: select * omits it
//	ts         nanoseconds, as record.Record.Time; NULL from 2^63
//	cpu        the processor; NULL if unknown
//	tid        the thread; NULL if unknown
//	pid        the process of the thread; NULL if unknown
//	thread     the name of the thread; NULL if unknown
//	exit       1 for returns from a function, else 0: only if the recording has calls of functions
//
// and then the fields of the event, as in package columns: NAME_name after an enumeration, a column
// id.x for the member x of a structure, lists as JSON. Bytes are a BLOB. A field with the name of a
// column above is field_cpu. If two names differ in case only, the second has a number. A table has
// at most 1990 fields, SQLite's limit. Fields with one name but several types in several recordings
// are text.
//
// SQLite has no unsigned integers. An unsigned integer from 2^63 on is shown as the negative
// integer with the same 64 bits. Hexadecimal literals of SQLite do the same: ip =
// 0xffffffff81000000 finds an address, printf('%x', ip) prints it, and unsigned(ip) returns its
// decimal digits as a text.
//
// The table events has all events: ts, cpu, tid, pid, thread, system, name, lost, text, and exit
// and label if the recordings have them. The tables of package tables and the views of this package
// have their own columns. If several kinds of event have one name, or the name of one of these
// tables, the table of an event is SYSTEM_NAME. That name also works for all other events, and so
// do labels of AIX hooks. A hook without a template has no table. Its events are in the table
// events.
//
// A table is created when a query names it: sqlite_schema lists the tables created so far. A
// recording without the events of a table has no rows of it. If no recording has the events, the
// query is an error.
//
// # What is read
//
// Some conditions limit the reading of recordings: on ts, cpu, tid, recording, and on the name in
// events. They compare the column with an integer or a text by =, <, <=, >, >=, between or in.
// Tables of package tables read all events that they need. Columns that a query does not use are
// not decoded. A table that is read again, as in a join, is kept in memory with its used columns,
// if it fits.
//
// # Functions
//
// p50(x), p95(x) and p99(x) are aggregates: quantiles by nearest rank, as in tables.Distribution.
// They are exact for up to 1024 integers, and to one part in 512 beyond.
//
// # Limits
//
// A database is read-only: a query can only select. Options.Memory limits its memory, the context
// its time. Sorting large results uses temporary files.
//
// SQLite is translated to Go by modernc.org/sqlite, which does not build for every platform. On
// other platforms Open returns ErrPlatform.
package sql
