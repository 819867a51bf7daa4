package aix

import (
	"bytes"
	"encoding/binary"
)

// Fact is a property that a Context tracks.
type Fact uint8

// The facts. Names, paths and system calls are texts, the others are numbers.
const (
	FactPID        Fact = iota // process
	FactTID                    // thread
	FactCPU                    // processor
	FactPriority               // of a thread
	FactDepth                  // number of active interrupts of a processor
	FactTotalCPUs              // processors of the system
	FactTracedCPUs             // number of traced processors
	FactSVCAddress             // of the current system call of a thread; 0 means no system call
	FactSVC                    // its name
	FactProcess                // name of a process
	FactExecPath               // path of the program of a process; its last part is the name unless that is given

	firstText = FactSVC
)

// Place is the place of a fact in a hook. It counts as templates do, so that one Layout serves
// programs of both word sizes. Word 0 is the hook word. Its last two bytes are the hook data. Word
// 1 is the first data word. In a generic hook the buffer begins with word 2. Words have 4 bytes in
// 32-bit hooks and 8 in 64-bit hooks.
type Place struct {
	Fact Fact
	Word int
	Byte int // offset from the beginning of the word
	// Size is in bytes, from 1 to 8. If it is 0, it is a whole word, or for texts everything up to
	// a NUL or the end of the event.
	Size int
}

// Role is the subject of the facts of a hook.
type Role uint8

// The roles.
const (
	RoleInfo     Role = iota // the process and the thread that the hook names
	RoleCurrent              // the thread that recorded the hook
	RoleDispatch             // the thread that the hook names, which runs on the entry's processor from then on
	RoleFork                 // the process that the hook names: a child of the current one, whose names it inherits
)

// Layout describes the facts of a hook and their places.
type Layout struct {
	ID     uint16 // in its form of 16 bits: 0x1060 for hook 106
	Sub    int    // the subhook; for a generic 32-bit hook, which has none, the data word; -1 for any
	Role   Role
	Places []Place
}

// Layouts describes the places of the data that a Context tracks: process and thread in DISPATCH
// (106, 10C), EXEC (134), FORK (139), KTHREAD CREATE (465) and the process list of hook 00A. Their
// payloads are not published, so Layouts is empty by default. Users with access to a system's own
// template file can write them down.
type Layouts struct {
	hooks map[uint16][]Layout
	// known has a bit for each id in hooks, so that other events cost only one load.
	known [1 << 10]uint64
}

// NewLayouts returns a table. If there are several layouts for a hook, the first that fits is used.
func NewLayouts(list ...Layout) *Layouts {
	l := &Layouts{hooks: map[uint16][]Layout{}}
	for _, layout := range list {
		l.hooks[layout.ID] = append(l.hooks[layout.ID], layout)
		l.known[layout.ID>>6] |= 1 << (layout.ID & 63)
	}
	return l
}

// has reports whether there is a layout for a hook.
func (l *Layouts) has(id uint32) bool {
	return l != nil && id <= 0xFFFF && l.known[id>>6]&(1<<(id&63)) != 0
}

// of returns the layout of an event, for a hook that has layouts. It returns nil if no layout fits.
func (l *Layouts) of(id uint32, data []byte, e *Entry) *Layout {
	list := l.hooks[uint16(id)]
	for i := range list {
		if list[i].Sub < 0 || list[i].Sub == int(subhook(data, e)) {
			return &list[i]
		}
	}
	return nil
}

// subhook returns the number that distinguishes the kinds of a hook. It is the hook data. For a
// generic 32-bit hook, whose hook data are a length, it is the low half of the data word. This is
// our reading of hooks 003 and 00A.
func subhook(data []byte, e *Entry) uint16 {
	if e.Env() == Env32Generic && len(data) >= 8 {
		return binary.BigEndian.Uint16(data[6:])
	}
	return e.HookData
}

// bytes returns the bytes at the place, or nil if the event is too short.
func (p *Place) bytes(data []byte, e *Entry) []byte {
	word := e.Env().HeadSize()
	at := p.Word*word + p.Byte
	size := p.Size
	switch {
	case at < 0 || at > len(data) || size < 0:
		return nil
	case size == 0 && p.Fact >= firstText:
		size = len(data) - at
	case size == 0:
		size = word
	}
	if size > len(data)-at {
		return nil
	}
	return data[at : at+size]
}

// number reads a big-endian integer of 1 to 8 bytes.
func (p *Place) number(data []byte, e *Entry) (v uint64, ok bool) {
	b := p.bytes(data, e)
	if len(b) == 0 || len(b) > 8 {
		return 0, false
	}
	for _, x := range b {
		v = v<<8 | uint64(x)
	}
	return v, true
}

// text reads up to the first NUL.
func (p *Place) text(data []byte, e *Entry) ([]byte, bool) {
	b := p.bytes(data, e)
	if b == nil {
		return nil, false
	}
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b, true
}
