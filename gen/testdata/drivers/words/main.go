// Words has decoders of the same structs that were made from recordings of 32 and of 64 bits. The
// records of the first recording are relocated for the second decoder. Words of the second
// recording are too wide for the first decoder.
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
		wide := lines(words64.Bind(rec, words64.OpenatEvent, words64.StackEvent, bind.Optional()))
		dec, err := words32.Bind(rec, words32.OpenatEvent, words32.StackEvent, bind.Optional())
		narrow := errors.Is(err, bind.ErrNarrow)
		if !narrow {
			if list := lines(dec, err); !slices.Equal(list, wide) {
				log.Fatalf("%s:\n%s\n\n%s", name, strings.Join(list, "\n"), strings.Join(wide, "\n"))
			}
		}
		fmt.Println(len(wide) > 100, narrow)
		rec.Close()
	}
}

// lines returns a line for each event.
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
