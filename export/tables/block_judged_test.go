package tables_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tracec/tracec/export/tables"
)

// TestBlockIOPerfetto: the times in which the statistics count requests equal Perfetto's slices
// block_io. Perfetto ignores sectors: a block_io_done ends the slice of its device that began last
// (testdata/differences.md). The times of our rows, combined in the same way, are its slices.
func TestBlockIOPerfetto(t *testing.T) {
	for _, name := range []string{"block-loop", "all-mix"} {
		t.Run(name, func(t *testing.T) {
			type count struct {
				time uint64
				dev  int
				done bool
			}
			var judge, ours []string
			for _, row := range lines(t, judgement(t, name, "perfetto-block_io.tsv")) {
				judge = append(judge, fmt.Sprint(row["ts"], " ", row["dur"], " ", row["dev"]))
			}
			var counts []count
			for row, err := range tables.BlockIO.Rows(t.Context(), recording(t, name)) {
				if err != nil {
					t.Fatal(err)
				}
				var major, minor int
				fmt.Sscanf(row.Device, "%d:%d", &major, &minor)
				counts = append(counts, count{row.Times.Done, major<<20 | minor, true})
				if row.Op == "FF" {
					continue // the kernel's own flush of a device: its begin is not counted
				}
				counts = append(counts, count{row.Times.Started, major<<20 | minor, false})
				if (row.Op == "FWS") != (row.NoBegin == tables.Unpaired) || row.Times.Started >= row.Times.Done {
					t.Errorf("%+v", row)
				}
			}
			slices.SortFunc(counts, func(a, b count) int { return cmp.Compare(a.time, b.time) })
			open := map[int][]uint64{}
			for _, c := range counts {
				stack := open[c.dev]
				switch {
				case !c.done:
					open[c.dev] = append(stack, c.time)
				case len(stack) > 0:
					begin := stack[len(stack)-1]
					open[c.dev] = stack[:len(stack)-1]
					ours = append(ours, fmt.Sprint(begin, " ", c.time-begin, " ", c.dev))
				}
			}
			same(t, judge, ours)
		})
	}
}

// request is a request in the text of trace-cmd.
type request struct {
	issue, asked, insert int64
	issuer, asker        string
	op                   string
}

// TestBlockIOText: requests equal the requests in the text of trace-cmd. Except for flushes, a
// device and a sector have one request at a time.
func TestBlockIOText(t *testing.T) {
	for _, name := range []string{"block-loop", "all-mix"} {
		t.Run(name, func(t *testing.T) {
			requests := map[string]*request{}
			merged := map[string]int{} // by thread
			var judge, ours []string
			for _, e := range reported(t, name) {
				if !strings.HasPrefix(e.name, "block_") || strings.HasSuffix(e.name, "_buffer") ||
					strings.HasSuffix(e.name, "plug") {
					continue
				}
				fields := strings.Fields(e.rest) // dev rwbs [bytes (cmd)] sector + count
				plus := 0
				for i, f := range fields {
					if f == "+" {
						plus = i
						break
					}
				}
				key, count := fields[0]+" "+fields[plus-1], fields[plus+1]
				if count == "0" { // flushes and io_done
					continue
				}
				q := requests[key]
				if q == nil {
					q = &request{}
					requests[key] = q
				}
				switch e.name {
				case "block_bio_queue":
					*q = request{asked: e.time, asker: e.thread}
				case "block_bio_backmerge":
					merged[e.thread]++
					delete(requests, key)
				case "block_rq_insert":
					q.insert = e.time
				case "block_rq_issue":
					q.issue, q.issuer, q.op = e.time, e.thread, fields[1]
				case "block_rq_complete":
					judge = append(judge, fmt.Sprintf("%s %s %s %d %d %d %d %s %s",
						key, count, q.op, q.issue, e.time, q.asked, q.insert, tid(q.issuer), tid(q.asker)))
					delete(requests, key)
				}
			}
			all := 0
			for row, err := range tables.BlockIO.Rows(t.Context(), recording(t, name)) {
				if err != nil {
					t.Fatal(err)
				}
				if all += int(row.Merged); row.Sectors == 0 {
					continue
				}
				if row.Issues != 1 || row.Parts != 1 || row.Error != 0 || row.GapInside {
					t.Errorf("%+v", row)
				}
				ours = append(ours, fmt.Sprintf("%s %d %d %s %d %d %d %d %d %d",
					strings.Replace(row.Device, ":", ",", 1), row.Sector, row.Sectors, row.Op, row.Begin, row.End,
					row.Times.Queued, row.Times.Inserted, row.Thread.TID, row.Asker.TID))
			}
			same(t, judge, ours)
			for _, n := range merged {
				all -= n
			}
			if all != 0 {
				t.Errorf("%d more pieces are merged than the text has", all)
			}
		})
	}
}

// tid returns the number of a thread in a text: NAME-NUMBER.
func tid(thread string) string { return thread[strings.LastIndex(thread, "-")+1:] }
