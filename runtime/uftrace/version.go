package uftrace

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrVersion is the error for recordings of the years 2013 and 2014. Their records have 48 bytes.
var ErrVersion = errors.New("a recording with raw stack records of 48 bytes, which are not decoded")

// whatToDo is the end of messages about such recordings. No tool converts them.
const whatToDo = "replay it with that version, or record it again with 0.4 or later"

// checkVersion rejects versions older than the supported files (uftrace.md 1.1).
func checkVersion(version uint32) error {
	switch version {
	case 1, 2:
		return &Damage{File: "info", Offset: 8, Err: fmt.Errorf("%w: file version %d, of uftrace before 0.2 (2014); %s",
			ErrVersion, version, whatToDo)}
	case 3, 4:
		return nil
	}
	return &Damage{File: "info", Offset: 8, Err: fmt.Errorf("%w: file version %d is not 3 or 4", ErrFormat, version)}
}

// checkRecords distinguishes the two kinds of records of file version 3. Only the marker differs
// (uftrace.md 1.1). A recording with at least one file of the newer kind is read.
func (r *Recording) checkRecords() error {
	if r.info.Version != 3 {
		return nil
	}
	raw := ""
	for _, t := range r.threads.list {
		name := fmt.Sprintf("%d.dat", t.TID)
		f := r.openFile(name, true)
		head := make([]byte, 3*rawRecord)
		n, _ := f.readAt(head, 0)
		f.close()
		if n < rawRecord {
			continue
		}
		if r.mostMarked(head[:n]) {
			return nil
		}
		raw = name
	}
	if raw == "" {
		return nil
	}
	return &Damage{File: raw, Err: fmt.Errorf("%w: file version 3, of uftrace 0.2 or 0.3 (2014); %s", ErrVersion,
		whatToDo)}
}

const rawRecord = 48

// mostMarked reports whether a file begins with records of 16 bytes: most words at their places
// have the marker. Of other words, an eighth has it by chance.
func (r *Recording) mostMarked(head []byte) bool {
	var order binary.ByteOrder = binary.LittleEndian
	if r.info.BigEndian {
		order = binary.BigEndian
	}
	marked, all := 0, 0
	for ; len(head) >= recordSize; head = head[recordSize:] {
		all++
		if order.Uint64(head[8:])>>3&7 == recordMark {
			marked++
		}
	}
	return 2*marked > all
}
