package tables_test

import (
	"testing"

	"github.com/tracec/tracec/export/tables"
)

// TestBlockIO: rules of docs/spec/tables.md section 6. 0x700000 is 7:0, 0xfe00001 is 254:1.
func TestBlockIO(t *testing.T) {
	for _, c := range []struct{ name, columns, events, want string }{
		{"a request", "ts ts_end dev sector sectors bytes rwbs operation error tid asker_tid queued queue scheduler started done", `
			100 0 7 block_bio_queue 0xfe00001 80 8 RA
			105 0 7 block_getrq 0xfe00001 80 8 RA
			106 0 7 block_io_start 0xfe00001 80 8 4096 RA
			110 0 7 block_rq_insert 0xfe00001 80 8 4096 RA
			120 1 8 block_rq_issue 0xfe00001 80 8 4096 RA
			200 0 0 block_rq_complete 0xfe00001 80 8 -5 RA
			210 0 0 block_io_done 0xfe00001 80 0 0 RA`,
			"120 200 254:1 80 8 4096 RA read EIO 8 7 100 20 10 106 210"},
		{"only what the device does", "ts ts_end reason operation asker_tid queue done", `
			100 0 7 block_rq_complete 0x700000 8 8 0 W
			120 1 8 block_rq_issue 0x700000 8 8 4096 W
			200 0 0 block_rq_complete 0x700000 8 8 0 W
			220 1 8 block_rq_issue 0x700000 16 8 4096 D`, `
			- 100 open_begin write - - -
			120 200 - write - - -
			220 - open_end discard - - -`},
		{"parts", "ts ts_end sector sectors parts", `
			100 0 7 block_rq_issue 0x700000 8 24 0 R
			110 0 7 block_rq_issue 0x700000 64 8 0 R
			120 0 7 block_rq_complete 0x700000 8 8 0 R
			130 0 7 block_rq_complete 0x700000 64 8 0 R
			140 0 7 block_rq_complete 0x700000 16 16 0 R`, `
			110 130 64 8 1
			100 140 8 24 2`},
		{"the device did not take it", "ts ts_end issues queue", `
			90 0 7 block_rq_insert 0x700000 8 8 0 R
			100 0 7 block_rq_issue 0x700000 8 8 0 R
			110 0 7 block_rq_requeue 0x700000 8 8 R
			120 0 7 block_rq_insert 0x700000 8 8 0 R
			130 0 7 block_rq_issue 0x700000 8 8 0 R
			140 0 7 block_rq_complete 0x700000 8 8 0 R`,
			"100 140 2 10"},
		{"issued twice", "ts ts_end reason", `
			100 0 7 block_rq_issue 0x700000 8 8 0 R
			110 0 7 block_rq_issue 0x700000 8 8 0 R
			120 0 7 block_rq_complete 0x700000 8 8 0 R`, `
			100 - replaced
			110 120 -`},
		{"merges", "sector sectors merged asker_tid", `
			10 0 7 block_bio_queue 0x700000 8 8 W
			11 0 7 block_getrq 0x700000 8 8 W
			20 0 8 block_bio_queue 0x700000 16 8 W
			21 0 8 block_bio_backmerge 0x700000 16 8 W
			30 0 8 block_bio_queue 0x700000 0 8 W
			31 0 8 block_bio_frontmerge 0x700000 0 8 W
			40 0 8 block_bio_queue 0x700000 24 8 W
			41 0 8 block_getrq 0x700000 24 8 W
			50 0 8 block_bio_queue 0x700000 32 8 W
			51 0 8 block_bio_backmerge 0x700000 32 8 W
			60 0 8 block_rq_merge 0x700000 24 16 0 W
			70 0 8 block_bio_queue 0x700000 40 8 W
			71 0 8 block_bio_backmerge 0x700000 40 8 W
			80 0 8 block_rq_issue 0x700000 0 48 0 W
			90 0 8 block_rq_complete 0x700000 0 48 0 W`,
			"0 48 5 7"},
		{"flushes", "ts ts_end reason rwbs operation asker_tid started done", `
			10 0 7 block_bio_queue 0x700000 0 0 FWS
			11 0 7 block_getrq 0x700000 0 0 FWS
			12 0 7 block_io_start 0x700000 0 0 0 FWS
			20 0 8 block_rq_issue 0x700000 0 0 0 FF
			21 1 8 block_bio_queue 0x700000 0 0 FWS
			22 1 8 block_getrq 0x700000 0 0 FWS
			23 1 8 block_io_start 0x700000 0 0 0 FWS
			24 1 8 block_rq_issue 0x700000 0 8 4096 R
			30 0 0 block_rq_complete 0x700000 0xffffffffffffffff 0 0 FF
			31 0 0 block_io_done 0x700000 0 0 0 FF
			32 0 0 block_rq_complete 0x700000 0 0 0 WS
			33 0 0 block_io_done 0x700000 0 0 0 WS
			34 1 8 block_rq_complete 0x700000 0 8 0 R
			40 0 8 block_rq_issue 0x700000 0 0 0 FF
			41 0 0 block_rq_complete 0x700000 0xffffffffffffffff 0 0 FF
			42 0 0 block_io_done 0x700000 0 0 0 FF
			43 0 0 block_rq_complete 0x700000 0 0 0 WS
			44 0 0 block_io_done 0x700000 0 0 0 WS`, `
			20 30 - FF flush - - 31
			- 32 unpaired FWS flush 7 12 33
			24 34 - R read - - -
			40 41 - FF flush - - 42
			- 43 unpaired FWS flush 8 23 44`},
		{"a write after a flush", "ts ts_end rwbs operation", `
			10 0 7 block_bio_queue 0x700000 8 8 FWFS
			11 0 7 block_getrq 0x700000 8 8 FWFS
			20 0 8 block_rq_issue 0x700000 0 0 0 FF
			30 0 0 block_rq_complete 0x700000 0xffffffffffffffff 0 0 FF
			40 0 8 block_rq_issue 0x700000 8 8 4096 WFS
			50 0 8 block_rq_complete 0x700000 8 8 0 WFS`, `
			20 30 FF flush
			40 50 WFS write`},
		{"a loss", "ts ts_end reason gap_inside", `
			90 0 7 block_rq_insert 0x700000 16 8 0 R
			100 0 7 block_rq_issue 0x700000 8 8 0 R
			LOST 120 0 7 block_rq_complete 0x700000 8 8 0 R
			130 0 7 block_rq_complete 0x700000 16 8 0 R
			140 0 7 block_rq_complete 0x700000 24 8 0 R`, `
			100 120 - 1
			- 130 lost 1
			- 140 lost 0`},
		{"another device", "dev sector tid asker_tid queue", `
			10 0 7 block_bio_queue 0xfd00000 8 8 R
			11 0 7 block_bio_remap 0x800000 108 8 0xfd00000 8 R
			15 1 8 block_bio_queue 0x800000 108 8 R
			16 1 8 block_getrq 0x800000 108 8 R
			20 1 8 block_rq_issue 0x800000 108 8 4096 R
			30 1 8 block_rq_complete 0x800000 108 8 0 R`,
			"8:0 108 8 7 10"},
		{"another device, and again", "asker_tid queue", `
			10 0 7 block_bio_queue 0xfd00000 8 8 R
			11 0 7 block_bio_remap 0x800000 108 8 0xfd00000 8 R
			15 1 8 block_bio_queue 0x800000 108 8 R
			16 1 8 block_bio_queue 0x800000 108 8 R
			17 1 8 block_getrq 0x800000 108 8 R
			20 1 8 block_rq_issue 0x800000 108 8 4096 R
			30 1 8 block_rq_complete 0x800000 108 8 0 R`,
			"8 4"},
		{"two of one sector", "ts ts_end reason asker_tid", `
			10 0 7 block_getrq 0x700000 8 8 R
			11 0 8 block_getrq 0x700000 8 8 R
			20 0 8 block_rq_issue 0x700000 8 8 4096 R
			30 0 8 block_rq_complete 0x700000 8 8 0 R
			40 0 8 block_rq_issue 0x700000 8 8 4096 R
			50 0 8 block_rq_complete 0x700000 8 8 0 R
			60 0 8 block_getrq 0x700000 8 8 R`, `
			20 30 - 7
			40 50 - 8
			- - open_end 8`},
		{"only what is counted", "ts ts_end reason asker_tid started done", `
			10 0 7 block_io_start 0x700000 8 8 4096 R
			20 0 8 block_io_done 0x700000 8 0 0 R
			30 0 8 block_io_done 0x700000 8 0 0 R`,
			"- - not_recorded 7 10 20"},
		{"the completion is not recorded", "ts ts_end reason done", `
			10 0 7 block_io_start 0x700000 8 8 4096 R
			15 0 7 block_rq_issue 0x700000 8 8 4096 R
			20 0 8 block_io_done 0x700000 8 0 0 R`,
			"15 - not_recorded 20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, tables.BlockIO, madeOf(t, c.events), c.columns, c.want)
		})
	}
}

// TestBlockIONotRecorded: requests are followed by the events that there are.
func TestBlockIONotRecorded(t *testing.T) {
	rec := madeOf(t, `
		100 0 7 block_rq_complete 0x700000 8 8 0 W
		110 0 7 block_rq_insert 0x700000 16 8 4096 W
		120 0 7 block_rq_complete 0x700000 16 8 0 W`, "block_rq_issue")
	check(t, tables.BlockIO, rec, "ts ts_end reason queued", `
		- 100 not_recorded -
		- 120 not_recorded 110`)
}
