package ftrace_test

import (
	"encoding/binary"
	"hash/maphash"
	"testing"

	"github.com/tracec/tracec/runtime/ftrace"
)

// A summary represents all results of a walk.
type summary struct {
	Records int
	Lost    int
	Hash    uint64
	Formats int
	Damage  ftrace.DamageStats
}

var seed = maphash.MakeSeed()

// digest walks everything in time order.
func digest(t testing.TB, rec *ftrace.Recording) summary {
	t.Helper()
	var s summary
	var h maphash.Hash
	h.SetSeed(seed)
	m := rec.Merge(ftrace.StreamOptions{})
	for r := range m.All() {
		s.Records++
		if r.Lost != 0 {
			s.Lost++
		}
		var b [40]byte
		binary.LittleEndian.PutUint64(b[0:], r.Time)
		binary.LittleEndian.PutUint64(b[8:], uint64(r.Lost))
		binary.LittleEndian.PutUint32(b[16:], r.ID)
		binary.LittleEndian.PutUint32(b[20:], uint32(r.CPU))
		binary.LittleEndian.PutUint32(b[24:], uint32(r.Task))
		binary.LittleEndian.PutUint32(b[28:], uint32(r.Stream))
		binary.LittleEndian.PutUint64(b[32:], uint64(len(r.Data)))
		h.Write(b[:])
		h.Write(r.Data)
	}
	if err := m.Err(); err != nil {
		t.Fatal(err)
	}
	s.Hash = h.Sum64()
	s.Formats = len(rec.Formats())
	s.Damage = rec.DamageStats()
	return s
}
