package tables_test

import (
	"testing"

	"github.com/tracec/tracec/export/tables"
	"github.com/tracec/tracec/internal/testkit/scripted"
)

// TestBlockIO checks the rules of docs/spec/tables.md section 6. 0x700000 is 7:0, 0xfe00001 is
// 254:1.
func TestBlockIO(t *testing.T) {
	for _, c := range []struct{ name, columns, events, want string }{
		{"a request", "ts ts_end dev sector sectors bytes rwbs operation error tid asker_tid queued queue scheduler started done", `
			0 100 7 block_bio_queue 0xfe00001 80 8 RA
			0 105 7 block_getrq 0xfe00001 80 8 RA
			0 106 7 block_io_start 0xfe00001 80 8 4096 RA
			0 110 7 block_rq_insert 0xfe00001 80 8 4096 RA
			1 120 8 block_rq_issue 0xfe00001 80 8 4096 RA
			0 200 0 block_rq_complete 0xfe00001 80 8 -5 RA
			0 210 0 block_io_done 0xfe00001 80 0 0 RA`,
			"120 200 254:1 80 8 4096 RA read EIO 8 7 100 20 10 106 210"},
		{"only what the device does", "ts ts_end reason operation asker_tid queue done", `
			0 100 7 block_rq_complete 0x700000 8 8 0 W
			1 120 8 block_rq_issue 0x700000 8 8 4096 W
			0 200 0 block_rq_complete 0x700000 8 8 0 W
			1 220 8 block_rq_issue 0x700000 16 8 4096 D`, `
			- 100 open_begin write - - -
			120 200 - write - - -
			220 - open_end discard - - -`},
		{"parts", "ts ts_end sector sectors parts", `
			0 100 7 block_rq_issue 0x700000 8 24 0 R
			0 110 7 block_rq_issue 0x700000 64 8 0 R
			0 120 7 block_rq_complete 0x700000 8 8 0 R
			0 130 7 block_rq_complete 0x700000 64 8 0 R
			0 140 7 block_rq_complete 0x700000 16 16 0 R`, `
			110 130 64 8 1
			100 140 8 24 2`},
		{"the device did not take it", "ts ts_end issues queue", `
			0 90 7 block_rq_insert 0x700000 8 8 0 R
			0 100 7 block_rq_issue 0x700000 8 8 0 R
			0 110 7 block_rq_requeue 0x700000 8 8 R
			0 120 7 block_rq_insert 0x700000 8 8 0 R
			0 130 7 block_rq_issue 0x700000 8 8 0 R
			0 140 7 block_rq_complete 0x700000 8 8 0 R`,
			"100 140 2 10"},
		{"issued twice", "ts ts_end reason", `
			0 100 7 block_rq_issue 0x700000 8 8 0 R
			0 110 7 block_rq_issue 0x700000 8 8 0 R
			0 120 7 block_rq_complete 0x700000 8 8 0 R`, `
			100 - replaced
			110 120 -`},
		{"merges", "sector sectors merged asker_tid", `
			0 10 7 block_bio_queue 0x700000 8 8 W
			0 11 7 block_getrq 0x700000 8 8 W
			0 20 8 block_bio_queue 0x700000 16 8 W
			0 21 8 block_bio_backmerge 0x700000 16 8 W
			0 30 8 block_bio_queue 0x700000 0 8 W
			0 31 8 block_bio_frontmerge 0x700000 0 8 W
			0 40 8 block_bio_queue 0x700000 24 8 W
			0 41 8 block_getrq 0x700000 24 8 W
			0 50 8 block_bio_queue 0x700000 32 8 W
			0 51 8 block_bio_backmerge 0x700000 32 8 W
			0 60 8 block_rq_merge 0x700000 24 16 0 W
			0 70 8 block_bio_queue 0x700000 40 8 W
			0 71 8 block_bio_backmerge 0x700000 40 8 W
			0 80 8 block_rq_issue 0x700000 0 48 0 W
			0 90 8 block_rq_complete 0x700000 0 48 0 W`,
			"0 48 5 7"},
		{"flushes", "ts ts_end reason rwbs operation asker_tid started done", `
			0 10 7 block_bio_queue 0x700000 0 0 FWS
			0 11 7 block_getrq 0x700000 0 0 FWS
			0 12 7 block_io_start 0x700000 0 0 0 FWS
			0 20 8 block_rq_issue 0x700000 0 0 0 FF
			1 21 8 block_bio_queue 0x700000 0 0 FWS
			1 22 8 block_getrq 0x700000 0 0 FWS
			1 23 8 block_io_start 0x700000 0 0 0 FWS
			1 24 8 block_rq_issue 0x700000 0 8 4096 R
			0 30 0 block_rq_complete 0x700000 0xffffffffffffffff 0 0 FF
			0 31 0 block_io_done 0x700000 0 0 0 FF
			0 32 0 block_rq_complete 0x700000 0 0 0 WS
			0 33 0 block_io_done 0x700000 0 0 0 WS
			1 34 8 block_rq_complete 0x700000 0 8 0 R
			0 40 8 block_rq_issue 0x700000 0 0 0 FF
			0 41 0 block_rq_complete 0x700000 0xffffffffffffffff 0 0 FF
			0 42 0 block_io_done 0x700000 0 0 0 FF
			0 43 0 block_rq_complete 0x700000 0 0 0 WS
			0 44 0 block_io_done 0x700000 0 0 0 WS`, `
			20 30 - FF flush - - 31
			- 32 unpaired FWS flush 7 12 33
			24 34 - R read - - -
			40 41 - FF flush - - 42
			- 43 unpaired FWS flush 8 23 44`},
		{"a write after a flush", "ts ts_end rwbs operation", `
			0 10 7 block_bio_queue 0x700000 8 8 FWFS
			0 11 7 block_getrq 0x700000 8 8 FWFS
			0 20 8 block_rq_issue 0x700000 0 0 0 FF
			0 30 0 block_rq_complete 0x700000 0xffffffffffffffff 0 0 FF
			0 40 8 block_rq_issue 0x700000 8 8 4096 WFS
			0 50 8 block_rq_complete 0x700000 8 8 0 WFS`, `
			20 30 FF flush
			40 50 WFS write`},
		{"a loss", "ts ts_end reason gap_inside", `
			0 90 7 block_rq_insert 0x700000 16 8 0 R
			0 100 7 block_rq_issue 0x700000 8 8 0 R
			0 120 7 lost=3 block_rq_complete 0x700000 8 8 0 R
			0 130 7 block_rq_complete 0x700000 16 8 0 R
			0 140 7 block_rq_complete 0x700000 24 8 0 R`, `
			100 120 - 1
			- 130 lost 1
			- 140 lost 0`},
		{"another device", "dev sector tid asker_tid queue", `
			0 10 7 block_bio_queue 0xfd00000 8 8 R
			0 11 7 block_bio_remap 0x800000 108 8 0xfd00000 8 R
			1 15 8 block_bio_queue 0x800000 108 8 R
			1 16 8 block_getrq 0x800000 108 8 R
			1 20 8 block_rq_issue 0x800000 108 8 4096 R
			1 30 8 block_rq_complete 0x800000 108 8 0 R`,
			"8:0 108 8 7 10"},
		{"another device, and again", "asker_tid queue", `
			0 10 7 block_bio_queue 0xfd00000 8 8 R
			0 11 7 block_bio_remap 0x800000 108 8 0xfd00000 8 R
			1 15 8 block_bio_queue 0x800000 108 8 R
			1 16 8 block_bio_queue 0x800000 108 8 R
			1 17 8 block_getrq 0x800000 108 8 R
			1 20 8 block_rq_issue 0x800000 108 8 4096 R
			1 30 8 block_rq_complete 0x800000 108 8 0 R`,
			"8 4"},
		{"two of one sector", "ts ts_end reason asker_tid", `
			0 10 7 block_getrq 0x700000 8 8 R
			0 11 8 block_getrq 0x700000 8 8 R
			0 20 8 block_rq_issue 0x700000 8 8 4096 R
			0 30 8 block_rq_complete 0x700000 8 8 0 R
			0 40 8 block_rq_issue 0x700000 8 8 4096 R
			0 50 8 block_rq_complete 0x700000 8 8 0 R
			0 60 8 block_getrq 0x700000 8 8 R`, `
			20 30 - 7
			40 50 - 8
			- - open_end 8`},
		{"only what is counted", "ts ts_end reason asker_tid started done", `
			0 10 7 block_io_start 0x700000 8 8 4096 R
			0 20 8 block_io_done 0x700000 8 0 0 R
			0 30 8 block_io_done 0x700000 8 0 0 R`,
			"- - not_recorded 7 10 20"},
		{"the completion is not recorded", "ts ts_end reason done", `
			0 10 7 block_io_start 0x700000 8 8 4096 R
			0 15 7 block_rq_issue 0x700000 8 8 4096 R
			0 20 8 block_io_done 0x700000 8 0 0 R`,
			"15 - not_recorded 20"},
	} {
		t.Run(c.name, func(t *testing.T) {
			check(t, tables.BlockIO, scripted.Open(t, scripted.Block, c.events), c.columns, c.want)
		})
	}
}

// TestBlockIONotRecorded: not all events of requests are recorded.
func TestBlockIONotRecorded(t *testing.T) {
	rec := scripted.Open(t, without(scripted.Block, "block_rq_issue"), `
		0 100 7 block_rq_complete 0x700000 8 8 0 W
		0 110 7 block_rq_insert 0x700000 16 8 4096 W
		0 120 7 block_rq_complete 0x700000 16 8 0 W`)
	check(t, tables.BlockIO, rec, "ts ts_end reason queued", `
		- 100 not_recorded -
		- 120 not_recorded 110`)
}
