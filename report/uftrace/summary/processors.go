package summary

import (
	"errors"
	"io"
	"slices"
	"sort"
	"strconv"

	"github.com/tracec/tracec/report/uftrace/color"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
	"github.com/tracec/tracec/runtime/uftrace/callstack"
)

// maxProcessor bounds the numbers of processors. The kernel has at most 8192 (NR_CPUS), but a file
// name may contain any number.
const maxProcessor = 8192

// processors holds the processors that threads ran on, by callstack.Task.Index, from the schedule
// events of the perf files.
type processors [][]residence

// residence holds the times of a thread on a processor.
type residence struct {
	cpu   int32
	stays []stay // in time order
}

type stay struct{ from, to uint64 }

// readProcessors reads the perf files. Before its first sched-out a thread was on the processor of
// that event. From a sched-in to the next sched-out it is on the processor of the sched-in. A
// sched-in without a sched-out counts only for its own time, except the last one.
func readProcessors(rec *uftrace.Recording) (processors, error) {
	tasks := rec.Tasks()
	p := make(processors, len(tasks))
	byTID := make(map[int32]int, len(tasks))
	for i, t := range tasks {
		byTID[t.TID] = i
	}
	open := make([]*stay, len(tasks))
	var failed error
	for m := record.Merge(rec.PerfStreams(), nil); ; {
		run, _, err := m.NextRun()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		for k := range run {
			r := &run[k]
			i, known := byTID[r.Task]
			if !known || r.CPU < 0 || r.CPU >= maxProcessor {
				continue
			}
			switch r.ID {
			case callstack.SchedIn:
				if open[i] != nil {
					open[i].to = open[i].from
				}
				open[i] = p.add(i, r.CPU, stay{r.Time, ^uint64(0)})
			case callstack.SchedOut, callstack.SchedOutPreempt:
				if open[i] != nil {
					open[i].to, open[i] = r.Time, nil
				} else if len(p[i]) == 0 {
					p.add(i, r.CPU, stay{0, r.Time})
				}
			}
		}
	}
	return p, failed
}

// add adds a stay. The pointer is valid until the next stay of the same thread on the same
// processor.
func (p processors) add(thread int, cpu int32, s stay) *stay {
	i := slices.IndexFunc(p[thread], func(r residence) bool { return r.cpu == cpu })
	if i < 0 {
		i = len(p[thread])
		p[thread] = append(p[thread], residence{cpu: cpu})
	}
	r := &p[thread][i]
	r.stays = append(r.stays, s)
	return &r.stays[len(r.stays)-1]
}

// note adds the processors of a thread during a call to a row.
func (p processors) note(r *row, thread int, from, to uint64) {
	for i := range p[thread] {
		on := &p[thread][i]
		word, bit := int(on.cpu)/64, uint64(1)<<(on.cpu%64)
		if word < len(r.cpus) && r.cpus[word]&bit != 0 {
			continue
		}
		k := sort.Search(len(on.stays), func(k int) bool { return on.stays[k].to >= from })
		if k == len(on.stays) || on.stays[k].from > to {
			continue
		}
		for word >= len(r.cpus) {
			r.cpus = append(r.cpus, 0)
		}
		r.cpus[word] |= bit
	}
}

// processorColumn returns a column about processors. Without schedule events it shows "-".
func processorColumn(field, title string, text func([]uint64) []byte) column {
	return column{field, title, len(title), func(dst []byte, r *row, _ *color.Palette) []byte {
		value := []byte("-")
		if len(r.cpus) > 0 {
			value = text(r.cpus)
		}
		return appendCentred(dst, value, len(title))
	}, nil, false, nil, true}
}

// appendCentred appends a text, centred in width columns as uftrace does.
func appendCentred(dst, text []byte, width int) []byte {
	pad := max(width-len(text), 0)
	for range pad / 2 {
		dst = append(dst, ' ')
	}
	dst = append(dst, text...)
	for range pad - pad/2 {
		dst = append(dst, ' ')
	}
	return dst
}

func processorCount(set []uint64) []byte {
	return strconv.AppendInt(nil, int64(len(processorNumbers(set))), 10)
}

// processorMask formats the set as a hexadecimal number of at least eight digits.
func processorMask(set []uint64) []byte {
	var mask []byte
	for i := len(set) - 1; i >= 0; i-- {
		if len(mask) == 0 {
			width := 8
			if set[i]>>32 != 0 {
				width = 16
			}
			mask = appendHex(mask, set[i], width)
		} else {
			mask = appendHex(mask, set[i], 16)
		}
	}
	return mask
}

func appendHex(dst []byte, v uint64, width int) []byte {
	for i := width - 1; i >= 0; i-- {
		dst = append(dst, "0123456789abcdef"[v>>(4*i)&15])
	}
	return dst
}

// processorList formats the set as the kernel formats lists of processors: 0-2,5.
func processorList(set []uint64) []byte {
	var list []byte
	numbers := processorNumbers(set)
	for i := 0; i < len(numbers); i++ {
		if i > 0 {
			list = append(list, ',')
		}
		first := i
		for i+1 < len(numbers) && numbers[i+1] == numbers[i]+1 {
			i++
		}
		list = strconv.AppendInt(list, int64(numbers[first]), 10)
		if i > first {
			list = strconv.AppendInt(append(list, '-'), int64(numbers[i]), 10)
		}
	}
	return list
}

func processorNumbers(set []uint64) []int {
	var numbers []int
	for i, word := range set {
		for bit := range 64 {
			if word>>bit&1 != 0 {
				numbers = append(numbers, 64*i+bit)
			}
		}
	}
	return numbers
}
