package ctf_test

import (
	"encoding/binary"
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/tracec/tracec/runtime/ctf"
	"github.com/tracec/tracec/runtime/record"
)

// TestSlices compares the slices of all sizes with one walk.
func TestSlices(t *testing.T) {
	files := fstest.MapFS{"metadata": {Data: []byte(smallMetadata)}}
	for stream := range uint64(3) {
		var data []byte
		for i := range uint64(40) {
			data = append(data, smallPacket(stream, i*(stream+1), i*i)...)
		}
		data[20*packetSize+headSize+20*int(stream)] = 0xfe // damages an event
		files[fmt.Sprint("s", stream)] = &fstest.MapFile{Data: data}
	}
	var data []byte
	for i := range uint64(60) {
		b := smallPacket(3, i, i/25*3)
		if i%15 > 0 {
			idle(b)
		}
		data = append(data, b...)
	}
	files["s3"] = &fstest.MapFile{Data: data}
	for _, o := range []record.Options{{}, {IDs: []uint32{2}}, {IDs: []uint32{0}}, {Since: 5050, Until: 60000}} {
		want, damage, _ := read(t, files, o)
		for _, size := range []int64{1, 5000, 20000} {
			rec, err := ctf.OpenFS(files, "trace")
			if err != nil {
				t.Fatal(err)
			}
			o.Workers = 2
			list := rec.Slices(o, size)
			if len(list) < 2 {
				t.Errorf("%d slices of %d bytes", len(list), size)
			}
			var got, bad []string
			err = record.InSlices(t.Context(), list, 2,
				func(_ int, s record.Slice[ctf.Entry]) (lines []string, err error) {
					m := s.Merge()
					for r, e := range m.All() {
						lines = append(lines, line(r, e))
					}
					return lines, m.Err()
				}, func(lines []string) error { got = append(got, lines...); return nil })
			for _, d := range rec.Damage() {
				bad = append(bad, d.Error())
			}
			if diff := cmp.Diff(want, got) + cmp.Diff(damage, bad); err != nil || diff != "" {
				t.Errorf("%+v in %d slices of %d: %v (-want +got):\n%.2000s", o, len(list), size, err, diff)
			}
		}
	}
}

// TestSlicesOfBits cuts a stream whose events share bytes, so that places in the file do not
// distinguish them.
func TestSlicesOfBits(t *testing.T) {
	const text = `/* CTF 1.8 */ trace { major = 1; minor = 8; byte_order = le; };
clock { name = c; }; typealias integer { size = 64; } := u64; typealias integer { size = 64; map = clock.c.value; } := t64;
stream { packet.context := struct { t64 timestamp_begin; t64 timestamp_end; u64 content_size; u64 packet_size; };
event.header := struct { integer { size = 1; } id; integer { size = 3; map = clock.c.value; } timestamp; }; };
event { name = a; id = 0; }; event { name = b; id = 1; };
`
	const events, size = 64, 32 + 64/2
	files := fstest.MapFS{"metadata": {Data: []byte(text)}}
	for stream := range uint64(2) {
		var data []byte
		for i := range uint64(200) {
			begin := i*64 + stream*33
			for _, v := range []uint64{begin, begin + 64, size * 8, size * 8} {
				data = binary.LittleEndian.AppendUint64(data, v)
			}
			now := func(k byte) byte { return (byte(begin) + k) % 8 }
			for k := range byte(events / 2) {
				data = append(data, k%2|now(2*k)<<1|(k/2%2|now(2*k+1)<<1)<<4)
			}
		}
		files[fmt.Sprint("s", stream)] = &fstest.MapFile{Data: data}
	}
	for _, o := range []record.Options{{}, {IDs: []uint32{1}}} {
		want, _, _ := read(t, files, o)
		if len(want) < 2*200*events/4 {
			t.Fatalf("%d events", len(want))
		}
		rec, err := ctf.OpenFS(files, "trace")
		if err != nil {
			t.Fatal(err)
		}
		o.Workers = 2
		list := rec.Slices(o, 1000)
		var got []string
		if err = record.InSlices(t.Context(), list, 2,
			func(_ int, s record.Slice[ctf.Entry]) (record.Slice[ctf.Entry], error) {
				return s, s.Merge().EachRun(func([]record.Record, []ctf.Entry) error { return nil })
			}, func(s record.Slice[ctf.Entry]) error {
				for r, e := range s.MergeAgain().All() { // from the place where the slice began
					got = append(got, line(r, e))
				}
				return nil
			}); err != nil || len(list) < 2 {
			t.Fatalf("%d slices: %v", len(list), err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%+v (-want +got):\n%.2000s", o, diff)
		}
	}
}
