// Package parquet writes recordings as a data set of Parquet files, for DuckDB, Spark, ClickHouse
// and data frames.
//
//	m, err := parquet.Write(ctx, "traces", sources, parquet.Options{})
//
// There is one table per kind of event, partitioned by host, date and event. [Manifest], written
// last, names every file, loss and damage. The same input gives the same files.
//
// # Layout
//
//	traces/manifest.json
//	traces/recordings.csv
//	traces/host=web1/date=2026-11-21/event=sched.sched_switch/part-85030ca92a8d5547-00003.parquet
//
// There is one table for each event type, in the layout of Hive: host, date (UTC) and event are
// columns of the query. Values in paths are escaped as in Hive, and __HIVE_DEFAULT_PARTITION__ is
// an unknown value. The date is the date of the event, or the date of the recording if it has no
// wall-clock time. The name of a file has a hash of the contents of the recording and of the
// selection. The same input gives the same files with the same bytes, under any name and with any
// number of goroutines. (Other sizes of Options.Memory may give other row groups.) Small files of
// one table are merged at the end, even of different recordings: see [Manifest.Compact].
//
// The event is SYSTEM.NAME: sched.sched_switch of ftrace, aix.10C of AIX (the hook), CHANNEL.NAME
// of LTTng. Calls of functions from uftrace are in the two tables uftrace.call and uftrace.return,
// with the function as a column and arguments as a list of structures. A program has thousands of
// functions, and one query covers many of them. A return has the duration of its call. It also has
// self: the time of the call without inner calls and without time off the processor, as in uftrace
// report. Both are NULL if the call was not recorded. Losses of the recorder are in the table
// tracec.lost: a row precedes the event of its time. If a recording has more than 16384 event
// types, the last ones are in tracec.other.
//
// With Options.Wide there is one table of all events, without the partition of the event:
//
//	traces/host=web1/date=2026-11-21/part-1e9c7c5cd1f6dc20-00000.parquet
//
// # Derived tables
//
// With Options.Tables there are also the tables of [tables.All] for which the recording has events:
// tracec.sched_latency with each wait for a processor, tracec.syscalls with each system call, and
// so on. Package tables defines their columns and rows:
//
//	times, durations                          BIGINT, in the unit of time
//	tid, pid, cpu and names that end so       INTEGER
//	addresses                                 UBIGINT
//	other numbers, texts, true or false       BIGINT, VARCHAR, BOOLEAN
//
// Any of them may be NULL. recording is as below. If there is a column ts, wall is its wall-clock
// time. Rows are in the order in which they end. The date is the date of the begin, else of the
// end, else of the first event that the tables read. The recording is read once more for them, with
// the selection of [Source].Walk: with a selection of events, rows would lack their begin or end.
//
// A query of all tables also includes these rows. Their process is a text, the name of the process.
// The condition event not like 'tracec.%' excludes them.
//
// # Columns
//
//	time      BIGINT     Record.Time: ns of the recording's clock, or ticks (see the manifest)
//	wall      TIMESTAMP  the wall-clock time in ns; only if the recording has it
//	cpu       INTEGER    the processor; NULL if unknown
//	task      INTEGER    the thread
//	process   INTEGER    the process of the thread
//	comm      VARCHAR    the name of the thread
//	recording VARCHAR    the ID of the recording, as in the table of recordings
//
// The fields of the event follow as the recording declares them: integers of their width and sign,
// floats, texts, opaque bytes as BLOB, arrays and stacks as lists, structures as STRUCT. A
// structure that an event lacks is NULL. A field with named values, an enumeration or flags, has a
// second column: vec is a number and vec_name is TIMER. A field with the name of a column above, or
// of a partition, is field_comm. If two names differ in case only, the second gets a number.
// common_type and common_pid are omitted: they are event and task. An event without a description
// has its bytes in the column data.
//
// time is not a TIMESTAMP: recordings without wall-clock time would then have another type than
// others in one query. Times equal the times in all other exports and reports. wall costs about as
// much as time. It can join recordings of several machines.
//
// A value that a record does not have is NULL: an optional field, or a field beyond the end of a
// short record. Some rows would have NULL in a column that is never NULL in whole records. They are
// in a separate file, so that the other rows need no marks of present values. Texts are UTF-8.
// Other bytes are \x and two hexadecimal digits.
//
// Rows of a recording are in the order of time in each row group, and also across row groups if the
// recording is in order. Kernels of one data set may declare an event differently. Then files of
// one table have different columns, and queries need union_by_name.
//
// # Queries
//
//	D create view ev as select * from read_parquet('traces/*/*/*/*.parquet', hive_partitioning=true, union_by_name=true);
//	D select event, count(*) from ev group by all order by all;
//	D select comm, count(*) from 'traces/*/*/event=sched.sched_switch/*.parquet' group by all;
//	D create view lat as select * from read_parquet('traces/*/*/event=tracec.sched_latency/*.parquet', union_by_name=true);
//	D select thread, count(*), sum(dur), max(dur) from lat where wait = 'woken' group by all order by 3 desc;
//	D select function, sum(self) from ev where event = 'uftrace.return' group by all order by 2 desc;
//	D select function, args[1].text from ev where event = 'uftrace.call' and args[1].name = 'arg1';
//	D select r.path, count(*) from ev join 'traces/recordings.csv' r using (recording) group by all;
//	D select unnest(sources, recursive := true) from read_json('traces/manifest.json');
//
// # Manifest
//
// recordings.csv has a row for each recording: its ID, path, machine, clock, rows, first and last
// time. With a known wall-clock time it also has begin and end as TIMESTAMP. It is not Parquet, so
// that traces/**/*.parquet matches only events.
//
// manifest.json lists the contents of the data set and is written after the files. [Manifest]
// describes its members. A source has its path, size and SHA-256, the selection, the writer, the
// machine, a hash of the descriptions of its events, rows and times, and its files. It also has
// everything that is missing: losses, damage with file and offset, errors. Readers should ignore
// unknown members. Options.Resume skips sources in the manifest. A file that the manifest does not
// name is from an export that was killed. The next export removes it.
//
// # Files
//
// Encodings depend on the first rows of a file: dictionaries for repeated values, differences for
// times and other integers, zstd for everything. Row groups have at most 122880 rows, or 8 MiB
// before they are encoded (12 MiB of events). The largest table is encoded after each 8 MiB of
// input, so first row groups are smaller. Row groups have statistics, and pages have them in the
// index. Bloom filters cover task, process and all texts with a dictionary. They cost 0.4 % of the
// size and 2 % of the time.
//
// Rows wait for the rest of their row group in pieces of 512, as compact columns that other
// goroutines make. If there are many, they are compressed. Options.Memory bounds their original
// size: a recording of 400 MB takes less than 128 MiB altogether. If a recording has so many event
// types that all have few rows, they wait in a temporary file in the folder.
//
// [WriteSource] writes a single source, for distributing the work over machines. [Manifest.Merge]
// merges manifests.
package parquet
