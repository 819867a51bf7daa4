// Package beam has transforms for Apache Beam, with which pipelines read recordings of any kind on many machines: [ReadTrace] yields events as rows, and
// [WriteDataSet] writes the data set of Parquet files that package parquet describes. The command tracec-beam is a pipeline of the second.
//
//	p, s := beam.NewPipelineWithRoot()
//	files := tracebeam.Match(s, "/traces/*.dat")
//	rows := tracebeam.ReadTrace(s, files, tracebeam.Options{Events: []string{"sched:*"}})
//	names := beam.ParDo(s, func(r tracebeam.Row) string { return r.System + ":" + r.Event }, rows)
//	counts := stats.Count(s, names)
//
// # Shards
//
// ReadTrace splits recordings into shards, which are reshuffled so that they spread over the workers: one for each processor of a recording, and in each Options.Slices
// pieces of time of the same length. An event is in exactly one shard: windows are half open, and those that do not say their processor
// are in a shard of their own kind of recording: recordings of uftrace, whose calls say none, are not split by processors. A shard of ftrace begins at the first page of its
// window, so that an event which a processor has recorded out of order, later than a page that begins after it, can be missed when Slices is more than one; see
// ftrace.StreamOptions.
//
// # Files
//
// A path is one of any file system that the program has linked in (import _ ".../io/filesystem/gcs"). Those of the local system are read in place, directories
// too; others are copied to a temporary file of the worker, so that directories of uftrace and of LTTng have to be packed there: a .tar.zst is read as it is.
// WriteDataSet writes to a folder that all workers see under the same path, such as one of a network file system.
//
// # Failures
//
// A recording that cannot be read is a row of the manifest with the reason, and costs nothing else; what is damaged is there with the places. Beam runs a bundle again that fails or
// whose worker dies: names of files follow from the contents of the recording, and a second try replaces the files of the first. A pipeline that is killed is run
// again: what the manifest has is kept. The manifest is written at the end, by one worker; files that it does not name are of no data set, and the next
// export removes them.
//
// The data set is that of tracec export --to parquet, byte for byte but for the path and the tool in the manifest.
//
// # Runners
//
// Tested on Prism, which comes with the SDK and runs in the process. Flink and Spark take the program through a job server, with workers that have the binary:
//
//	tracec-beam --input '/traces/*.dat' --output /sets/web --runner universal --endpoint localhost:8099 \
//	    --environment_type PROCESS --environment_config '{"command":"/opt/beam/boot"}'
//
// Dataflow stages the binary itself, and the files are in a bucket:
//
//	tracec-beam --input 'gs://traces/*.dat' --output /mnt/sets/web --runner dataflow --project P --region R --staging_location gs://bucket/staging
//
// Neither was tried here.
package beam
