package ctf

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
)

// Sizes of packets: the content of one, and all unwritten packets.
const (
	packetSize = 1 << 16
	bufferSize = 1 << 24
)

// stream is a file of packets for a processor or a thread.
type stream struct {
	name     string
	number   uint64
	cpu      int32 // -1 for a thread
	class    uint32
	buffer   []byte // the current packet; empty without events
	begin    uint64 // times of events in the packet
	end      uint64
	sequence uint64
	lost     uint64 // number of lost events so far
}

// contextAt is the offset of the packet context, after magic, UUID, class and number.
const contextAt = 4 + 16 + 4 + 8

// open begins a packet.
func (s *stream) open(uuid [16]byte, t uint64) {
	s.buffer = le.AppendUint32(s.buffer[:0], 0xc1fc1fc1)
	s.buffer = append(s.buffer, uuid[:]...)
	s.buffer = le.AppendUint32(s.buffer, s.class)
	s.buffer = le.AppendUint64(s.buffer, s.number)
	s.buffer = append(s.buffer, make([]byte, 6*8)...)
	if s.class == cpuStreams {
		s.buffer = le.AppendUint32(s.buffer, uint32(s.cpu))
	}
	s.begin = t
}

// flush writes the packet to its file. A file is open only meanwhile, since there may be many
// threads.
func (s *stream) flush(dir string) (err error) {
	if len(s.buffer) == 0 {
		return nil
	}
	bits := uint64(8 * len(s.buffer))
	for i, x := range [...]uint64{s.begin, s.end, bits, bits, s.sequence, s.lost} {
		le.PutUint64(s.buffer[contextAt+8*i:], x)
	}
	s.sequence++
	f, err := os.OpenFile(filepath.Join(dir, s.name), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = f.Write(s.buffer)
	if s.buffer = s.buffer[:0]; cap(s.buffer) > 2*packetSize {
		s.buffer = nil
	}
	return err
}

// streamName returns the name of the file of a processor or a thread.
func streamName(key [3]int32) string {
	name := "cpu"
	if key[0] == threadStreams {
		name = "thread"
	}
	if name += strconv.Itoa(int(key[1])); key[2] > 0 {
		name += "_" + strconv.Itoa(int(key[2]))
	}
	return name
}
