//go:build ignore

// This program makes ftrace.txt, the messages of Perfetto for events of ftrace, from a table with a
// line for each field: message, field, number, type, label, separated by tabs. The table comes from
// protos/perfetto/trace/ftrace of Perfetto (Apache-2.0). Perfetto's files do not contain all systems
// of events. The systems come from kernels: lines like sched/sched_switch, made in the folder events
// of tracefs.
//
//	ls -d */*/ | sed 's|/$||' >systems
//	go run testdata/schema.go systems <ftrace.tsv >ftrace.txt
package main

import (
	"bufio"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
)

// letters are the letters for types of fields.
var letters = map[string]string{"int32": "i", "int64": "l", "uint32": "u", "uint64": "v", "string": "s", "bytes": "b"}

func main() {
	list, err := os.ReadFile(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	systems := map[string]string{} // by event
	for _, line := range strings.Fields(string(list)) {
		system, event, _ := strings.Cut(line, "/")
		if systems[event] != "" {
			system = "?" // several systems
		}
		systems[event] = system
	}
	fields := map[string][]string{} // by message
	events := [][3]string{}         // name, number and message
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		col := strings.Split(in.Text(), "\t")
		if len(col) != 5 {
			log.Fatalf("not five columns: %q", in.Text())
		}
		message, name, number, typ, label := col[0], col[1], col[2], col[3], col[4]
		if message == "FtraceEvent" && strings.HasSuffix(typ, "FtraceEvent") {
			events = append(events, [3]string{name, number, typ})
			continue
		}
		letter, ok := letters[typ]
		if !ok {
			continue
		}
		if label == "repeated" {
			letter += "*"
		}
		fields[message] = append(fields[message], name+"="+number+letter)
	}
	slices.SortFunc(events, func(a, b [3]string) int { return strings.Compare(a[0], b[0]) })
	for _, e := range events {
		line := []string{e[0], e[1]}
		if s := systems[e[0]]; s != "" && s != "?" {
			line = append(line, "@"+s)
		}
		fmt.Println(strings.Join(append(line, fields[e[2]]...), " "))
	}
}
