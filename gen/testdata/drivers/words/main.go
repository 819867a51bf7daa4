// Words has decoders of the same structs that were made of recordings of 32 and of 64 bits. What one of them reads in place is what the other one moves.
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"

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
		var a, b []string
		d32 := words32.Decoder{
			Openat:   func(r *record.Record, e *words32.Openat) error { a = append(a, fmt.Sprint(r.Time, *e)); return nil },
			Stack:    func(r *record.Record, e *words32.Stack) error { a = append(a, fmt.Sprint(r.Time, *e)); return nil },
			Optional: true,
		}
		d64 := words64.Decoder{
			Openat:   func(r *record.Record, e *words64.Openat) error { b = append(b, fmt.Sprint(r.Time, *e)); return nil },
			Stack:    func(r *record.Record, e *words64.Stack) error { b = append(b, fmt.Sprint(r.Time, *e)); return nil },
			Optional: true,
		}
		if err := errors.Join(d32.Run(context.Background(), rec), d64.Run(context.Background(), rec)); err != nil {
			log.Fatal(err)
		}
		if len(a) != len(b) {
			log.Fatalf("%s: %d and %d events", name, len(a), len(b))
		}
		for i := range a {
			if a[i] != b[i] {
				log.Fatalf("%s:\n%s\n%s", name, a[i], b[i])
			}
		}
		small := words32.Decoder{Small: func(*record.Record, *words32.Small) error { return nil }}
		err = small.Run(context.Background(), rec)
		fmt.Println(len(a) > 100, errors.Is(err, bind.ErrNarrow))
		rec.Close()
	}
}
