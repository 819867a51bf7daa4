package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

// switchGap is the minimum time in ns between two records for a thread to count as off its
// processor. Calls of the program take less.
const switchGap = 5000

// addSwitches copies a recording and adds files of perf. uftrace writes these only if it may read
// the events of the scheduler. In the copy, threads are off their processors between records that
// are far apart.
func addSwitches(from, to string) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}
	rec, err := uftrace.Open(to)
	if err != nil {
		return err
	}
	defer rec.Close()
	var list [2][]record.Record
	for i, s := range rec.Streams(record.Options{}) {
		last, tid := uint64(0), rec.Tasks()[i].TID
		err := record.InStreamOrder([]*uftrace.Stream{s}, func(recs []record.Record, _ []uftrace.Entry) error {
			for j := range recs {
				now := recs[j].Time
				if last > 0 && now > last+switchGap {
					list[i%2] = append(list[i%2], record.Record{Time: last + 100, ID: uftrace.EventSchedOut, Task: tid},
						record.Record{Time: now - 100, ID: uftrace.EventSchedIn, Task: tid})
				}
				last = now
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	for cpu := range list {
		if err := os.WriteFile(filepath.Join(to, fmt.Sprintf("perf-cpu%d.dat", cpu)), perfFile(list[cpu]),
			0o644); err != nil {
			return err
		}
	}
	return allowPerf(filepath.Join(to, "info"))
}

// perfFile returns switches in the format of perf (uftrace.md 1.9).
func perfFile(list []record.Record) []byte {
	slices.SortStableFunc(list, func(a, b record.Record) int { return cmp.Compare(a.Time, b.Time) })
	var out bytes.Buffer
	for _, r := range list {
		misc := uint16(0)
		if r.ID == uftrace.EventSchedOut {
			misc = 0x2000
		}
		binary.Write(&out, binary.LittleEndian, struct {
			Kind       uint32
			Misc, Size uint16
			PID, TID   int32
			Time       uint64
		}{14, misc, 24, r.Task, r.Task, r.Time})
	}
	return out.Bytes()
}

// allowPerf sets the bit of an info file that declares files of perf.
func allowPerf(path string) error {
	info, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	const features = 16 // offset in the file
	binary.LittleEndian.PutUint64(info[features:],
		binary.LittleEndian.Uint64(info[features:])|uint64(uftrace.FeatPerfEvent))
	return os.WriteFile(path, info, 0o644)
}
