package view_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/tracec/tracec"
	"github.com/tracec/tracec/export/view"
	"github.com/tracec/tracec/runtime/record"
)

// Serve the picture of a recording until the user presses Ctrl-C.
func Example() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	rec, err := tracec.Open(ctx, "trace.dat")
	if err != nil {
		log.Fatal(err)
	}
	defer rec.Close()
	s := view.New(func(o record.Options, more ...tracec.Option) (*tracec.Reader, error) {
		return tracec.NewReader(rec, append(more, tracec.WithRecords(o))...)
	}, view.Options{Title: "trace.dat"})
	if err := s.Listen(); err != nil {
		log.Fatal(err)
	}
	fmt.Println(s.URL()) // for a browser on this machine
	if err := s.Serve(ctx); err != nil {
		log.Fatal(err)
	}
	if err := s.Err(); err != nil {
		log.Print("not all of it was read: ", err)
	}
}
