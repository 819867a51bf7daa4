package ftrace_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/internal/testkit/tracefile"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

// An event is the result of a walk for a record.
type event struct {
	Time uint64
	ID   uint32
	Task int32
	Lost int64
	Data int // bytes
}

// machines are all machines with different pages.
var machines = []tracefile.Machine{{Word: 8}, {Word: 4}, {Big: true, Word: 8}, {Big: true, Word: 4}}

// oneCPU wraps pages into a file of one processor.
func oneCPU(m tracefile.Machine, size int, pages ...[]byte) *tracefile.File {
	return &tracefile.File{
		Machine: m, Version: 7, PageSize: size,
		Ftrace: []string{tracefile.Format("print", 5)},
		Systems: []tracefile.System{{Name: "test",
			Formats: []string{tracefile.Format("one", 301), tracefile.Format("two", 302)}}},
		Buffers: []tracefile.Buffer{{Clock: "[local] global",
			CPUs: []tracefile.CPU{{ID: 0, Pages: bytes.Join(pages, nil)}}}},
	}
}

func openBytes(t testing.TB, b []byte) *ftrace.Recording {
	t.Helper()
	rec, err := ftrace.OpenReaderAt(bytes.NewReader(b), int64(len(b)), "test.dat")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { rec.Close() })
	return rec
}

func walk(t testing.TB, streams []record.Stream[record.None]) []event {
	t.Helper()
	var got []event
	for _, s := range streams {
		for {
			batch, err := s.Next()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range batch.Records {
				got = append(got, event{r.Time, r.ID, r.Task, r.Lost, len(r.Data)})
			}
		}
	}
	return got
}

const stamp = 1000

// pageCases has a row for every corner of the page format (ftrace.md 2.1, 2.2). Page size is 256.
var pageCases = []struct {
	name  string
	pages func(m tracefile.Machine) [][]byte
	want  []event
	// damage holds a part of each damage's text.
	damage []string
}{
	{
		name: "short records",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(0, m.Payload(301, 7)).Event(5, m.Payload(302, -1, 9)).Done()}
		},
		want: []event{{1000, 301, 7, 0, 8}, {1005, 302, -1, 0, 12}},
	},
	{
		name: "longest short record",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(1, m.Payload(301, 7, make([]uint32, 26)...)).Event(1,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1001, 301, 7, 0, 112}, {1002, 302, 7, 0, 8}},
	},
	{
		name: "record of one word has no task",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(1, m.Payload(301, 7)[:4]).Event(1, m.Payload(302, 7)).Done()}
		},
		want: []event{{1001, 301, -1, 0, 4}, {1002, 302, 7, 0, 8}},
	},
	{
		name: "length word",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Long(3, m.Payload(301, 7)).Long(4,
				append(m.Payload(302, 8), 1, 2, 3)).Done()}
		},
		want: []event{{1003, 301, 7, 0, 8}, {1007, 302, 8, 0, 12}}, // rounded up to 4
	},
	{
		name: "length word 0 ends the page",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{
				m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Head(0, 0).Word(0).Bytes(make([]byte, 64)).Done(),
				m.NewPage(256, 2000).Event(0, m.Payload(302, 7)).Done(),
			}
		},
		want: []event{{1001, 301, 7, 0, 8}, {2000, 302, 7, 0, 8}},
	},
	{
		name: "padding without delta ends the page",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Head(29,
				0).Bytes(bytes.Repeat([]byte{0xff}, 40)).Done()}
		},
		want: []event{{1001, 301, 7, 0, 8}},
	},
	{
		name: "discarded events add their delta",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Discard(1, 12).Discard(40, 8).Event(2,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1001, 301, 7, 0, 8}, {1044, 302, 7, 0, 8}},
	},
	{
		name: "padding longer than the page is clamped",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{
				m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Head(29, 3).Word(0xfffffff0).Event(1,
					m.Payload(302, 7)).Done(),
				m.NewPage(256, 2000).Event(0, m.Payload(302, 7)).Done(),
			}
		},
		want: []event{{1001, 301, 7, 0, 8}, {2000, 302, 7, 0, 8}},
	},
	{
		name: "time extend",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(0, m.Payload(301, 7)).Extend(5<<27+6).Event(10,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1000, 301, 7, 0, 8}, {1016 + 5<<27, 302, 7, 0, 8}},
	},
	{
		name: "zeroed time extend at the beginning",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Extend(0).Event(0, m.Payload(301, 7)).Done()}
		},
		want: []event{{1000, 301, 7, 0, 8}},
	},
	{
		name: "absolute stamp",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(0, m.Payload(301, 7)).Stamp(1<<40+3).Event(4,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1000, 301, 7, 0, 8}, {1<<40 + 7, 302, 7, 0, 8}},
	},
	{
		name: "absolute stamp takes the top bits over",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, 3<<59|100).Event(0, m.Payload(301, 7)).Stamp(200).Event(4,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{3<<59 | 100, 301, 7, 0, 8}, {3<<59 | 204, 302, 7, 0, 8}},
	},
	{
		name: "absolute stamp wraps",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{
				m.NewPage(256, 4<<59-5).Event(0, m.Payload(301, 7)).Stamp(10).Event(4, m.Payload(302, 7)).Done(),
				m.NewPage(256, 1<<59-5).Event(0, m.Payload(301, 7)).Stamp(10).Event(4, m.Payload(302, 7)).Done(),
			}
		},
		want: []event{
			{4<<59 - 5, 301, 7, 0, 8}, {4<<59 + 14, 302, 7, 0, 8},
			{1<<59 - 5, 301, 7, 0, 8}, {1<<59 + 14, 302, 7, 0, 8},
		},
	},
	{
		name: "absolute stamp of a clock that went back a little",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(0, m.Payload(301, 7)).Stamp(990).Event(0,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1000, 301, 7, 0, 8}, {990, 302, 7, 0, 8}},
	},
	{
		name: "empty page",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Done(), m.NewPage(256, 2000).Event(0, m.Payload(301, 7)).Done()}
		},
		want: []event{{2000, 301, 7, 0, 8}},
	},
	{
		name: "events lost, not counted",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Missed(-1).Event(0, m.Payload(301, 7)).Event(1,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1000, 301, 7, record.LostUnknown, 8}, {1001, 302, 7, 0, 8}},
	},
	{
		name: "events lost and counted",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Missed(819).Extend(4).Event(0, m.Payload(301, 7)).Event(1,
				m.Payload(302, 7)).Done()}
		},
		want: []event{{1004, 301, 7, 819, 8}, {1005, 302, 7, 0, 8}},
	},
	{
		name: "count of lost events does not fit",
		pages: func(m tracefile.Machine) [][]byte {
			p := m.NewPage(256, stamp).Missed(819)
			rest := (256 - m.Header() - 12 - 4) / 4
			p.Event(0, m.Payload(301, 7))
			return [][]byte{p.Long(0, m.Payload(302, 7, make([]uint32, rest-1-2)...)).Done()}
		},
		want: nil, // by machine, below
	},
	{
		name: "events lost before an empty page",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Missed(4).Done(),
				m.NewPage(256, 2000).Missed(5).Event(0, m.Payload(301, 7)).Done()}
		},
		want: []event{{2000, 301, 7, 9, 8}},
	},
	{
		name: "record crosses commit",
		pages: func(m tracefile.Machine) [][]byte {
			p := m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Event(1, m.Payload(302, 7))
			p.Commit = 20
			return [][]byte{p.Done(), m.NewPage(256, 2000).Event(0, m.Payload(302, 7)).Done()}
		},
		want:   []event{{1001, 301, 7, 0, 8}, {2000, 302, 7, record.LostUnknown, 8}},
		damage: []string{"an event that ends within"},
	},
	{
		name: "long record crosses commit",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{
				m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Head(0, 1).Word(4000).Bytes(m.Payload(302, 7)).Done(),
				m.NewPage(256, 2000).Event(0, m.Payload(302, 7)).Done(),
			}
		},
		want:   []event{{1001, 301, 7, 0, 8}, {2000, 302, 7, record.LostUnknown, 8}},
		damage: []string{"an event that ends within"},
	},
	{
		name: "length word below its own size",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Head(0, 1).Word(3).Bytes(m.Payload(302, 7)).Done()}
		},
		damage: []string{"an event that ends within"},
	},
	{
		name: "record without room for its type",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Head(0, 1).Word(4).Event(1, m.Payload(302, 7)).Done()}
		},
		damage: []string{"room for its type"},
	},
	{
		name: "time extend crosses commit",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Head(30, 1).Done()}
		},
		want:   []event{{1001, 301, 7, 0, 8}},
		damage: []string{"an event that ends within"},
	},
	{
		name: "commit larger than the page",
		pages: func(m tracefile.Machine) [][]byte {
			p := m.NewPage(256, stamp).Event(1, m.Payload(301, 7))
			p.Commit = 300
			return [][]byte{p.Done(), m.NewPage(256, 2000).Event(0, m.Payload(302, 7)).Done()}
		},
		want:   []event{{2000, 302, 7, record.LostUnknown, 8}},
		damage: []string{"a ring-buffer page"},
	},
	{
		name: "last page is cut",
		pages: func(m tracefile.Machine) [][]byte {
			p := m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Event(1, m.Payload(302, 7)).Event(1,
				m.Payload(301, 7)).Done()
			return [][]byte{p[:m.Header()+24+6]}
		},
		want:   []event{{1001, 301, 7, 0, 8}, {1002, 302, 7, 0, 8}},
		damage: []string{"6 more bytes of a page"},
	},
	{
		name: "last page is cut in its header",
		pages: func(m tracefile.Machine) [][]byte {
			return [][]byte{m.NewPage(256, stamp).Event(1, m.Payload(301, 7)).Done(), make([]byte, 10)}
		},
		want:   []event{{1001, 301, 7, 0, 8}},
		damage: []string{"a ring-buffer page"},
	},
}

func TestPages(t *testing.T) {
	for _, c := range pageCases {
		for _, m := range machines {
			for _, compression := range []string{"", "zstd", "zlib"} {
				t.Run(fmt.Sprintf("%s/big=%v,word=%d,%s", c.name, m.Big, m.Word, compression), func(t *testing.T) {
					f := oneCPU(m, 256, c.pages(m)...)
					f.Compression = compression
					rec := openBytes(t, f.Bytes())
					got := walk(t, rec.Streams(ftrace.StreamOptions{}))
					want := c.want
					if c.name == "count of lost events does not fit" {
						long := 256 - m.Header() - 12 - 8
						want = []event{{1000, 301, 7, record.LostUnknown, 8}, {1000, 302, 7, 0, long}}
					}
					if d := cmp.Diff(want, got); d != "" {
						t.Errorf("(-want +got):\n%s", d)
					}
					checkDamage(t, rec, c.damage)
				})
			}
		}
	}
}

// checkDamage compares each damage with a part of its expected text. If the damage is a range of
// the file, it must have its length.
func checkDamage(t *testing.T, rec *ftrace.Recording, want []string) {
	t.Helper()
	got := rec.Damage()
	if len(got) != len(want) {
		t.Errorf("damage %v, want %q", got, want)
		return
	}
	for i, d := range got {
		if !strings.Contains(d.Error(), want[i]) || d.File != "test.dat" || d.Skipped == 0 || d.Part != "CPU 0" {
			t.Errorf("damage %+v (%v), want %q", d, d, want[i])
		}
		if !errors.Is(d, ftrace.ErrCorrupt) && !errors.Is(d, ftrace.ErrTruncated) {
			t.Errorf("%v is of no known kind", d)
		}
	}
}
