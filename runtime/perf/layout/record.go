package layout

import (
	"sync"

	"github.com/tracec/tracec/runtime/perf"
)

// records are the fields of the types of records, without their trailers (perf.md 3). Types that
// perf writes itself have only their bytes.
var records = sync.OnceValue(makeRecords)

func makeRecords() map[perf.Kind][]Value {
	return map[perf.Kind][]Value{
		perf.Mmap: {id("pid"), id("tid"), address("addr"), address("len"), address("pgoff"), text("filename")},
		// file_id is the device, the inode and its generation, or a build id. A bit of the header
		// decides which.
		perf.Mmap2: {
			id("pid"), id("tid"), address("addr"), address("len"), address("pgoff"), bytes("file_id", 24),
			number("prot", 4), hex(number("flags", 4)), text("filename"),
		},
		perf.Lost:          {number("id", 8), number("lost", 8)},
		perf.Comm:          {id("pid"), id("tid"), text("comm")},
		perf.Exit:          ended,
		perf.Fork:          ended,
		perf.Throttle:      throttled,
		perf.Unthrottle:    throttled,
		perf.Aux:           {number("aux_offset", 8), number("aux_size", 8), hex(number("flags", 8))},
		perf.ItraceStart:   {id("pid"), id("tid")},
		perf.LostSamples:   {number("lost", 8)},
		perf.SwitchCPUWide: {id("next_prev_pid"), id("next_prev_tid")},
		perf.Namespaces: {
			id("pid"), id("tid"), list("namespaces", structure("", number("dev", 8), number("inode", 8))),
		},
		perf.Ksymbol: {address("addr"), number("len", 4), number("type", 2), hex(number("flags", 2)), text("name")},
		perf.BPFEvent: {
			number("type", 2), hex(number("flags", 2)), number("id", 4), bytes("tag", 8),
		},
		perf.Cgroup:            {number("id", 8), text("path")},
		perf.AuxOutputHWID:     {number("hw_id", 8)},
		perf.CallchainDeferred: {number("cookie", 8), list("callchain", address(""))},
	}
}

var (
	ended     = []Value{id("pid"), id("ppid"), id("tid"), id("ptid"), number("time", 8)}
	throttled = []Value{number("time", 8), number("id", 8), number("stream_id", 8)}
)
