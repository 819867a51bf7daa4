// Package beam reads recordings of any kind in pipelines of Apache Beam, and turns many of them
// into one data set of Parquet files on many machines.
//
//	p, s := beam.NewPipelineWithRoot()
//	rows := tracec.ReadTrace(s, tracec.Match(s, "gs://bucket/*.dat")) // PCollection of Row
//
// It is a module of its own, so that nobody else pays for Beam. The command tracec-beam is the
// pipeline [WriteDataSet]:
//
//	tracec-beam --input '/shared/recordings/*.dat' --output /shared/traces
//
// # Rows
//
// [ReadTrace] divides each recording into shards, one for each processor and about a million of its
// events, and a worker reads a shard. A record is in exactly one shard. Recordings with records
// that do not say their processor are divided by time only. Those of uftrace are one shard: their
// records are in files of threads, and gaps in them have no time.
//
// Each recording is walked once to be divided, and each shard opens it again. Rows come in no
// order. The name of a thread (Row.Comm) is what the recording says for the whole of it and what
// the shard itself tells: a switch of the scheduler on another processor, or before the shard, is
// not seen. To have whole rows in the order of time, write a data set and query that.
//
// [ReadTraceFailures] returns what could not be read beside the rows. Only what may pass, such as a
// shard that cannot be opened after the recording could be, ends a bundle with an error, and the
// runner tries again.
//
// # Data sets
//
// [WriteDataSet] has a worker write each recording by parquet.WriteSource. The files, byte for
// byte, and the manifest are those that parquet.Write makes of the same recordings. A recording
// that cannot be read costs itself: its entry in the manifest has the error, and damage is in the
// entry of a recording that has it. A bundle that is tried again replaces its own files, since
// names are of the contents of the recording, and rows do not double. The manifest is written when
// all recordings are done, and what it does not name is then removed.
//
// A run that was killed is run again. What a manifest names without an error is not done again;
// without a manifest all is. Recordings that could not be read are tried again. One pipeline may
// write to a data set at a time, and no other writer.
//
// # What works where
//
// Paths of recordings are local ones, of files, packed recordings and directories, or in any file
// system of Beam that the program imports: gs:// with tracec-beam, s3:// and others by importing
// them. From those a file is fetched to a temporary one (in $TMPDIR, for each shard), so that
// directories, and files that belong together such as host and guest, have to be packed (.tar.gz,
// .tar.zst) there. The data set is in a folder that all workers see under one path: a disk on one
// machine, otherwise NFS, a mounted bucket that can rename, or the like. parquet.WriteSource
// renames.
//
// Tried is Prism, the runner in the process of the pipeline, which is the default and what the
// tests use; it is for one machine. The command lines for others follow Beam's documentation and
// have not been tried:
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
// A bundle is one recording, or one shard. The largest recording bounds how long a data set takes;
// memory of a worker is 64 MiB for each recording that it writes at once, and what the recording
// needs to be read.
package beam
