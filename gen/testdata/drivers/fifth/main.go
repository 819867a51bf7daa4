// Fifth is a program over a container that tracec does not know.
package main

import (
	"context"
	"fmt"
	"log"

	"generated/app"
	"generated/fifth/pigeon"

	"github.com/tracec/tracec/runtime/record"
)

func main() {
	rec := &pigeon.Recording{Messages: []pigeon.Message{
		{"status", []byte{255, 255, 255, 255}},
		{"arrival", []byte("east\x00\x00\x00\x00\x00\x00\x00\x01\x00")},
		{"lost", nil},
		{"status", []byte{1}},
	}}
	d := app.Decoder{
		Status: func(_ *record.Record, x *pigeon.Entry, e *app.Status) error {
			fmt.Println(x.Bird, "status", e.Code)
			return nil
		},
		Arrival: func(_ *record.Record, x *pigeon.Entry, e *app.Arrival) error {
			fmt.Printf("%d arrival %s %d\n", x.Bird, e.Loft, e.At)
			return nil
		},
		Other: func(r *record.Record, x *pigeon.Entry) error {
			fmt.Println(x.Bird, "other", len(r.Data))
			return nil
		},
	}
	if err := d.Run(context.Background(), rec); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%+v\n", d.Stats())
	var w app.Walk
	for r, e := range app.ArrivalEvents(rec, &w) {
		text, _ := d.AppendText(nil, r, nil, nil)
		fmt.Printf("%s, %s\n", e.Loft, text)
	}
	for _, u := range app.Events(rec, &w) {
		switch {
		case u.Arrival != nil:
			fmt.Println(w.Entry().Bird, u.Kind == app.KindArrival, string(u.Arrival.Loft), u.Status)
		case u.Kind == app.KindStatus:
			fmt.Println(w.Entry().Bird, u.Status.Code, u.Arrival)
		}
	}
	fmt.Printf("%+v %v\n", w.Stats(), w.Err())
	unions := app.Events(rec, &w)
	for _, u := range unions { // a loop within it leaves it as it is
		outer, bird := *u, w.Entry().Bird
		for range unions {
		}
		if *u != outer || w.Entry().Bird != bird {
			log.Fatalf("%v became %v by a loop within", outer, *u)
		}
	}
}
