package main

import (
	"io"
	"os"

	"github.com/tracec/tracec/runtime/ftrace"
)

// Names in the table.
const (
	plainRead = "sequential read"
	pageWalk  = "page walk"
	timeWalk  = "page walk and merge"
	typedCPU  = "typed decode, CPU order"
	typedTime = "typed decode, time order"
	fewTyped  = "one event in a hundred, CPU order"
	fewTimed  = "one event in a hundred, time order"
	hookWalk  = "walk"
	hookTyped = "typed decode"
	hookText  = "generated text"
	hookPlain = "interpreted text"

	hookReport = "tracec trcrpt"
	drawnHooks = "drawn hooks: "
	// hookTemplates is the file of templates of the hooks.
	hookTemplates = "cmd/internal/bench/templates/busy.trcfmt"
)

// measurements in the order of the table.
var measurements = []measurement{
	{plainRead, "1 MiB blocks, nothing else", readPlain},
	{pageWalk, "every record of every CPU, its id and payload found", walkPages},
	{timeWalk, "the same records in time order", walkTime},
	{typedCPU, "30 kinds of events (6 of 7 records), of which four fields are read", decodeCPU},
	{typedTime, "the same in time order", decodeTime},
	{fullStruct, "one kind of event, of which 3 of the 7 fields of its struct are read, CPU order", decodeFull},
	{ownStruct, "the same in a struct of the user's that has these 3 only (gen -into)", decodeOwn},
	{fewTyped, "one kind of events (1 of 107 records)", fewCPU},
	{fewTimed, "the same in time order", fewTime},
	{sparse, "the records of `" + sparseEvent + "` in time order", sparsePlain},
	{sparseIndex, "that `tracec index` writes", sparseIndexed},
}

// hookMeasurements are the measurements of the AIX stream, in the order of their table.
var hookMeasurements = []measurement{
	{hookWalk, "every event in time order, its id, time and data found", walkHooks},
	{hookTyped, "every event, of which four values are read", decodeHooks},
	{hookText, "the text of every event, by tracec gen", textHooks},
	{hookPlain, "the same text by the interpreter", interpretHooks},
}

// readPlain reads the file as fast as the system can. Everything else takes longer.
func readPlain(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	buf := make([]byte, 1<<20)
	for {
		if _, err := f.Read(buf); err == io.EOF {
			return 0, nil
		} else if err != nil {
			return 0, err
		}
	}
}

// sink keeps the compiler from dropping the results of loops.
var sink uint64

// walkPages visits every record, CPU after CPU.
func walkPages(path string) (events int64, err error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitAll(rec.Streams(ftrace.StreamOptions{}))
}

// walkTime visits every record in time order.
func walkTime(path string) (events int64, err error) {
	rec, err := ftrace.Open(path)
	if err != nil {
		return 0, err
	}
	defer rec.Close()
	return visitMerged(rec.Merge(ftrace.StreamOptions{}))
}
