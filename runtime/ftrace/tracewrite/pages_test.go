package tracewrite_test

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/ftrace/tracewrite"
	"github.com/tracec/tracec/runtime/record"
)

const format = "name: ev\nID: 7\nformat:\n" +
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n" +
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\nprint fmt: \"x\"\n"

type sample struct {
	Time uint64
	Lost int64
	Data []byte
}

// samples draws records that need every form of an event: short, long, far apart in time, backwards
// in time, and after a gap.
func samples(r *rand.Rand, n int, o binary.ByteOrder) []sample {
	var list []sample
	t := uint64(1e12)
	for range n {
		s := sample{Data: make([]byte, 8+4*r.IntN(40))}
		o.PutUint16(s.Data, 7)
		o.PutUint32(s.Data[4:], r.Uint32N(1000))
		for i := 8; i < len(s.Data); i++ {
			s.Data[i] = byte(r.Uint32())
		}
		switch r.IntN(12) {
		case 0:
			t += 1<<27 + uint64(r.IntN(1000))
		case 1:
			t += 1<<40 + uint64(r.IntN(1000))
		case 2:
			t -= 1000
		case 3:
			s.Lost = int64(1 + r.IntN(1000))
		case 4:
			s.Lost = -1
		default:
			t += uint64(r.IntN(1 << 27))
		}
		s.Time = t
		list = append(list, s)
	}
	return list
}

// TestPages checks that the reader finds the written records, for every byte order and size.
func TestPages(t *testing.T) {
	for _, tt := range []struct {
		order      tracewrite.ByteOrder
		word, size int
	}{{binary.LittleEndian, 8, 4096}, {binary.BigEndian, 8, 4096}, {binary.LittleEndian, 4, 4096},
		{binary.BigEndian, 4, 65536}, {binary.LittleEndian, 8, 512}} {
		big := tt.order.Uint16([]byte{0, 1}) == 1
		f, _ := ftrace.ParseFormat("test", format)
		raw, err := ftrace.NewRawPages("", []*ftrace.Format{f}, big, tt.word, tt.size)
		if err != nil {
			t.Fatal(err)
		}
		want := samples(rand.New(rand.NewPCG(1, uint64(tt.size))), 3000, tt.order)
		var got []sample
		count := 0
		p := tracewrite.NewPages(tt.order, tt.word, tt.size, func(page []byte) error {
			count++
			if len(page) != tt.size {
				t.Fatalf("a page of %d bytes", len(page))
			}
			if missing, err := raw.Enter(page); err != nil || missing != 0 {
				t.Fatal(missing, err)
			}
			for {
				var r record.Record
				_, _, ok, err := raw.Next(&r)
				if err != nil {
					t.Fatal(err)
				}
				if !ok {
					return nil
				}
				got = append(got, sample{r.Time, r.Lost, bytes.Clone(r.Data)})
			}
		})
		for _, s := range want {
			if err := p.Add(s.Time, s.Lost, s.Data); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Flush(); err != nil {
			t.Fatal(err)
		}
		lostCounts(want, got)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%v, word %d, pages of %d: %s", tt.order, tt.word, tt.size, d[:min(len(d), 2000)])
		}
		if p.Count() != count {
			t.Errorf("%d pages, counted %d", count, p.Count())
		}
	}
}

// lostCounts makes a count unknown that did not fit after the data of a full page, as in the
// kernel.
func lostCounts(want, got []sample) {
	for i := range min(len(want), len(got)) {
		if want[i].Lost > 0 && got[i].Lost == -1 {
			want[i].Lost = -1
		}
	}
}

// TestPagesTooLong checks that a record too long for a page is rejected, and that the next one is
// written.
func TestPagesTooLong(t *testing.T) {
	pages := 0
	p := tracewrite.NewPages(binary.LittleEndian, 8, 256, func([]byte) error { pages++; return nil })
	if err := p.Add(1, 0, make([]byte, 240)); err == nil {
		t.Error("a record of 240 bytes was taken")
	}
	if err := p.Add(1, 0, make([]byte, 232)); err != nil {
		t.Error(err)
	}
	if err := p.Flush(); err != nil || pages != 1 {
		t.Error(pages, err)
	}
}
