// Fifth is a program over a container that tracec does not know.
package main

import (
	"context"
	"fmt"
	"iter"
	"log"

	"generated/app"
	"generated/fifth/pigeon"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
)

func main() {
	rec := &pigeon.Recording{Messages: []pigeon.Message{
		{"status", []byte{255, 255, 255, 255}},
		{"arrival", []byte("east\x00\x00\x00\x00\x00\x00\x00\x01\x00")},
		{"lost", nil},
		{"status", []byte{1}},
	}}
	d, err := app.Bind(rec, bind.All())
	if err != nil {
		log.Fatal(err)
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		text, ok := d.AppendText(nil, r, d.Entry(), nil)
		fmt.Println(d.Entry().Bird, line(e), ok, string(text))
	}
	fmt.Printf("%+v %v\n", d.Stats(), d.Err())
	arrivals(rec)
}

func line(e any) string {
	switch e := e.(type) {
	case *app.Status:
		return fmt.Sprint("status ", e.Code)
	case *app.Arrival:
		return fmt.Sprintf("arrival %s %d", e.Loft, e.At)
	case *bind.Short:
		return "short"
	}
	return "other"
}

// arrivals requests one event: in a loop within a loop, which does not change the event of the
// outer loop, and in parallel.
func arrivals(rec *pigeon.Recording) {
	d, err := app.Bind(rec, app.ArrivalEvent)
	if err != nil {
		log.Fatal(err)
	}
	within := d.Clone()
	for _, e := range d.Events(context.Background(), record.Options{}) {
		before, bird := line(e), d.Entry().Bird
		for range within.Events(context.Background(), record.Options{}) {
		}
		if line(e) != before || d.Entry().Bird != bird {
			log.Fatalf("%s became %s by a loop within", before, line(e))
		}
	}
	each := func(d *app.Decoder, events iter.Seq2[*record.Record, any]) (text string, err error) {
		for _, e := range events {
			text += fmt.Sprintln(d.Entry().Bird, line(e))
		}
		return text, nil
	}
	end := func(text string) error {
		fmt.Print(text)
		return nil
	}
	if err := bind.Parallel(context.Background(), d, bind.Slicing{Streams: true}, each, end); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", d.Stats())
}
