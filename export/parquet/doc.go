// Package parquet writes recordings as a data set of Parquet files, for DuckDB,
// Spark, ClickHouse and data frames.
//
//	m, err := parquet.Write(ctx, "traces", sources, parquet.Options{})
//
// There is one table per kind of event, partitioned by host, date and event.
// [Manifest], written last, names every file, loss and damage. The same input
// gives the same files.
//
// # Layout
//
//	traces/manifest.json
//	traces/recordings.csv
//	traces/host=web1/date=2026-11-21/event=sched.sched_switch/part-85030ca92a8d5547-00003.parquet
//
// There is one table for each kind of event, in the way of Hive: host, date (UTC) and event are
// columns of the query. Values in paths are escaped as Hive does, and __HIVE_DEFAULT_PARTITION__ is
// a value that the recording does not say. The date is that of the event; of a recording without
// the clock on the wall, of the recording. The name of a file has a hash of the contents of the
// recording and of what of it was chosen: the same input gives the same files with the same bytes,
// whatever they were called, and with any number of goroutines. (Other sizes of Options.Memory may
// give other row groups.) Small files of one table are put together when all is written, those of
// different recordings too: see [Manifest.Compact].
//
// The event is SYSTEM.NAME: sched.sched_switch of ftrace, aix.10C of AIX (the hook), CHANNEL.NAME
// of LTTng. Calls of functions that uftrace recorded are the two tables uftrace.call and
// uftrace.return, with the function as a column and arguments as a list of structures, since a
// program has thousands of functions, and one question is about many of them. A return has the
// duration of its call and self, the part of it that was neither in calls within nor off the
// processor, as uftrace report counts it; both are NULL where the call was not recorded. What the
// recorder has lost is the table tracec.lost: a row comes before the event of its time. Of more
// than 16384 kinds of events in one recording, the last are in tracec.other.
//
// With Options.Wide there is one table of all events, without the partition of the event:
//
//	traces/host=web1/date=2026-11-21/part-1e9c7c5cd1f6dc20-00000.parquet
//
// # Columns
//
//	time      BIGINT     Record.Time: ns of the recording's clock, or ticks (see the manifest)
//	wall      TIMESTAMP  the same by the clock on the wall, ns; only where the recording says it
//	cpu       INTEGER    the processor; NULL where the recording does not say
//	task      INTEGER    the thread
//	process   INTEGER    the process of the thread
//	comm      VARCHAR    the name of the thread
//	recording VARCHAR    the ID of the recording, as the table of recordings has it
//
// Then come the fields of the event as the recording declares them: integers of their width and
// sign, floats, texts, opaque bytes as BLOB, arrays and stacks as lists. A field with names of
// values, an enumeration or flags, has a second column beside it: vec is a number and vec_name is
// TIMER. A field that is called like one of the columns above, or like a partition, is field_comm;
// of two fields that differ in the case of letters only, the second gets a number. common_type and
// common_pid are left out: they are event and task. An event that nothing describes has its bytes
// in the column data.
//
// time is not a TIMESTAMP: recordings without the clock on the wall would have another type than
// others in one query. A time is the one that all other exports and reports have. wall costs about
// as much as time; it is what recordings of several machines are joined by.
//
// A value that a record does not have is NULL: a field that the record is too short for, an
// optional one. Rows in which a column of the table would be NULL that never is in whole records
// are in a file of their own, so that the others need no marks of what is there. Texts are UTF-8;
// other bytes are \x and two hexadecimal digits.
//
// Rows of a recording are in the order of time in each row group, and across them as far as the
// recording itself is. Kernels of one data set may declare an event differently. Then files of one
// table have different columns, and queries say union_by_name.
//
// # Queries
//
//	D create view ev as select * from read_parquet('traces/*/*/*/*.parquet', hive_partitioning=true, union_by_name=true);
//	D select event, count(*) from ev group by all order by all;
//	D select comm, count(*) from 'traces/*/*/event=sched.sched_switch/*.parquet' group by all;
//	D select function, sum(self) from ev where event = 'uftrace.return' group by all order by 2 desc;
//	D select function, args[1].text from ev where event = 'uftrace.call' and args[1].name = 'arg1';
//	D select r.path, count(*) from ev join 'traces/recordings.csv' r using (recording) group by all;
//	D select unnest(sources, recursive := true) from read_json('traces/manifest.json');
//
// # Manifest
//
// recordings.csv has a row for each recording: its ID, path, machine, clock, rows, first and last
// time, and, where it says the clock on the wall, begin and end as TIMESTAMP. It is no Parquet, so
// that traces/**/*.parquet are events alone.
//
// manifest.json says what the data set holds and is written after the files: see [Manifest] for its
// members, which are those of the JSON. A source has its path, size and SHA-256, what of it was
// chosen, who wrote it, the machine, a hash of the descriptions of its events, rows and times, each
// file, and what is missing: losses, damage with file and offset, errors. Readers should ignore
// members that they do not know. With Options.Resume what it has is not done again. A file that it
// does not name is left of an export that was killed; the next one removes it.
//
// # Files
//
// Encodings are chosen by the first rows of a file: dictionaries for what repeats, differences for
// times and other integers, zstd for all. Row groups have at most 122880 rows, or 8 MiB before they
// are encoded (12 MiB of events). The largest table is encoded after each 8 MiB that are read, so
// that first row groups are smaller. Statistics are those of row groups and, in the index, of
// pages. Bloom filters are of task, process and all texts that have a dictionary; they cost 0.4 %
// of the size and 2 % of the time.
//
// Rows wait for the others of their row group in pieces of 512, as columns of few bytes that other
// goroutines make, and compressed when there are many. Options.Memory bounds them as they were
// before that: a recording of 400 MB takes less than 128 MiB altogether. Where there are so many
// kinds of events that all have few rows, they wait in a temporary file in the folder.
//
// [WriteSource] writes one source by itself, for those who spread the work over machines;
// [Manifest.Merge] puts manifests together.
package parquet
