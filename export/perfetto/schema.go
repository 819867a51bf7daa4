package perfetto

import (
	_ "embed"
	"sort"
	"strconv"
	"strings"
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
)

// messages has a line for each event of ftrace that Perfetto knows, sorted. A line has the name of
// the event and the number of the FtraceEvent field for its message. The system follows after @ if
// kernels 6.1, 6.12 or 7.2 have the event. Then follow the fields of the message by name, number
// and type: i int32, l int64, u uint32, v uint64, s string, b bytes, * repeated. testdata/schema.go
// generates it from the .proto files of Perfetto (August 2026, after v55).
//
//go:embed ftrace.txt
var messages string

// lines returns the lines of messages.
var lines = sync.OnceValue(func() []string { return strings.Split(strings.TrimSpace(messages), "\n") })

// message is Perfetto's message for an event of ftrace.
type message struct {
	number protowire.Number // number of the field of FtraceEvent
	system string           // system of the event; "" if unknown
	fields map[string]member
}

// member is a field of a message.
type member struct {
	number   protowire.Number
	kind     byte // letter as in messages
	repeated bool
}

// messageOf returns the message for an event, or nil.
func messageOf(event string) *message {
	list := lines()
	i := sort.Search(len(list), func(i int) bool { return list[i] >= event+" " })
	if i == len(list) {
		return nil
	}
	words := strings.Fields(list[i])
	if words[0] != event {
		return nil
	}
	m := &message{number: number(words[1]), fields: map[string]member{}}
	words = words[2:]
	if len(words) > 0 && words[0][0] == '@' {
		m.system, words = words[0][1:], words[1:]
	}
	for _, w := range words {
		name, spec, _ := strings.Cut(w, "=")
		spec, repeated := strings.CutSuffix(spec, "*")
		last := len(spec) - 1
		m.fields[name] = member{number(spec[:last]), spec[last], repeated}
	}
	return m
}

func number(s string) protowire.Number {
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil {
		panic("perfetto: ftrace.txt: " + err.Error())
	}
	return protowire.Number(n)
}
