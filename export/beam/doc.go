// Package beam reads recordings of any kind in pipelines of Apache Beam, and converts many of them
// to one data set of Parquet files on many machines.
//
//	p, s := beam.NewPipelineWithRoot()
//	rows := tracec.ReadTrace(s, tracec.Match(s, "gs://bucket/*.dat")) // PCollection of Row
//
// It is a separate module, so that other users do not depend on Beam. The command tracec-beam runs
// the pipeline [WriteDataSet]:
//
//	tracec-beam --input '/shared/recordings/*.dat' --output /shared/traces
//
// # Rows
//
// [ReadTrace] divides each recording into shards, each with about a million events of one
// processor. A worker reads a shard. A record is in exactly one shard. Recordings with records
// without a processor are divided by time only. Recordings of uftrace are one shard: their records
// are in files of threads, and losses in them have no time.
//
// Each recording is read once to divide it, and each shard opens it again. Rows are not ordered.
// The name of a thread (Row.Comm) comes from the recording's global names and from the shard
// itself. Switches of the scheduler on another processor, or before the shard, are not known there.
// For complete rows in the order of time, write a data set and query that.
//
// [ReadTraceFailures] also returns the unreadable parts. Only temporary failures end a bundle with
// an error, for example if a shard cannot open a recording that was opened before. The runner then
// tries again.
//
// # Data sets
//
// On workers, [WriteDataSet] writes each recording with parquet.WriteSource. The files, byte for
// byte, and the manifest equal the results of parquet.Write for the same recordings. An unreadable
// recording does not affect others: its entry in the manifest has the error. Damage is in the entry
// of the damaged recording. A bundle that is tried again replaces its own files, since names depend
// on the contents of the recording. So rows are not duplicated. The manifest is written after all
// recordings. Files that it does not name are then removed.
//
// A run that was killed can be repeated. It skips recordings that a manifest names without an
// error; without a manifest it skips nothing. Unreadable recordings are tried again. One pipeline
// may write to a data set at a time, and no other writer.
//
// # What works where
//
// Paths of recordings are local paths of files, packed recordings and directories. They may also be
// paths in any file system of Beam that the program imports: gs:// with tracec-beam, s3:// and
// others by importing them. From such a file system a file is copied to a temporary file (in
// $TMPDIR, for each shard). So directories, and files that belong together such as host and guest,
// must be packed there (.tar.gz, .tar.zst). The data set is in a folder that all workers access
// under one path. On one machine that is a disk, otherwise NFS, a mounted bucket that can rename,
// or the like. parquet.WriteSource renames.
//
// Only Prism has been tried. It is the runner in the process of the pipeline, for one machine. It
// is the default, and the tests use it. The command lines for others follow Beam's documentation
// and have not been tried:
//
//	# Flink: a job server, and workers that run in the containers of Beam's Go SDK or, with LOOPBACK, in this process
//	docker run --net=host apache/beam_flink1.19_job_server:latest --flink-master=flink:8081
//	tracec-beam --input '/shared/recordings/*.dat' --output /shared/traces --runner flink --endpoint localhost:8099 \
//		--environment_type DOCKER --environment_config apache/beam_go_sdk:2.77.0
//
//	# Dataflow: a container or machine image that mounts the folder of the data set is needed
//	tracec-beam --input 'gs://bucket/recordings/*.dat' --output /mnt/traces --runner dataflow --project PROJECT --region REGION \
//		--staging_location gs://bucket/staging --sdk_container_image IMAGE
//
// A bundle is one recording, or one shard. So writing a data set takes at least the time for the
// largest recording. A worker uses 64 MiB for each recording that it writes at once, plus the
// memory for reading the recording.
package beam
