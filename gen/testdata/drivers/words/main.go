// Words has decoders of the same structs that were made of recordings of 32 and of 64 bits. What one of them reads in
// place is what the other one moves.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"

	"generated/words32"
	"generated/words64"
	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/ftrace"
	"github.com/tracec/tracec/runtime/record"
)

func main() {
	for _, name := range os.Args[1:] {
		rec, err := ftrace.Open(name)
		if err != nil {
			log.Fatal(err)
		}
		a := lines(words32.Bind(rec, words32.OpenatEvent, words32.StackEvent, bind.Optional()))
		b := lines(words64.Bind(rec, words64.OpenatEvent, words64.StackEvent, bind.Optional()))
		if !slices.Equal(a, b) {
			log.Fatalf("%s:\n%s\n\n%s", name, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
		_, err = words32.Bind(rec, words32.SmallEvent)
		fmt.Println(len(a) > 100, errors.Is(err, bind.ErrNarrow))
		rec.Close()
	}
}

// lines has a line for each event.
func lines(d *bind.Decoder[record.None], err error) (list []string) {
	if err != nil {
		log.Fatal(err)
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		list = append(list, fmt.Sprint(r.Time, e))
	}
	if err := d.Err(); err != nil {
		log.Fatal(err)
	}
	return list
}
