// Orders is a user's program. It prints the contents of recordings of orders.c.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"log"
	"os"

	"generated/orders/app"

	"github.com/tracec/tracec/runtime/bind"
	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

//go:generate go tool tracec gen -text -pkg app -o app/app_gen.go first.data

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, dir := range os.Args[1:] {
		if err := open(out, dir); err != nil {
			log.Fatal(err)
		}
	}
}

func open(out *bufio.Writer, dir string) error {
	rec, err := uftrace.Open(dir)
	if err != nil {
		return err
	}
	defer rec.Close()
	opts := []bind.Option{
		app.OrderEvent, app.OrderReturnEvent, app.PriceEvent, app.PriceReturnEvent, app.DescribeEvent, app.DescribeReturnEvent,
		app.KeepEvent, app.SumEvent, app.SumReturnEvent, bind.All(),
		bind.Unfit(func(function string, err error) { fmt.Fprintln(out, "missing", function, err) }),
	}
	d, err := app.Bind(rec, opts...)
	if err != nil {
		return err
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		show(out, d, r, e)
	}
	some, err := byTask(out, rec, opts[3:]...)
	fmt.Fprintf(out, "%+v, by task %+v\n", d.Stats(), some)
	return errors.Join(d.Err(), err)
}

// byTask prints one task after the other.
func byTask(out io.Writer, rec *uftrace.Recording, opts ...bind.Option) (bind.Stats, error) {
	d, err := app.Bind(rec, append(opts, bind.Unfit(func(string, error) {}))...)
	if err != nil {
		return bind.Stats{}, err
	}
	each := func(d *app.Decoder, events iter.Seq2[*record.Record, any]) (text bytes.Buffer, err error) {
		for r, e := range events {
			if e != nil {
				show(&text, d, r, e)
			}
		}
		return text, nil
	}
	err = bind.Parallel(context.Background(), d, bind.Slicing{Streams: true}, each, func(text bytes.Buffer) error {
		_, err := text.WriteTo(out)
		return err
	})
	return d.Stats(), err
}

// show prints an event, and the text of some.
func show(out io.Writer, d *app.Decoder, r *record.Record, e any) {
	if print(out, d.Entry(), e) {
		line, ok := d.AppendText(nil, r, d.Entry(), nil)
		fmt.Fprintf(out, "\t%q %v\n", line, ok)
	}
}

// print prints an event. It returns true if the text of the event must follow.
func print(out io.Writer, x *uftrace.Entry, e any) (text bool) {
	switch v := e.(type) {
	case *app.OrderArgs:
		fmt.Fprintf(out, "order %s %d %d", v.Arg1, v.Arg2, v.Arg3)
		return true
	case *app.OrderResult:
		fmt.Fprintf(out, "= %d", v.Retval)
		return true
	case *app.PriceArgs:
		fmt.Fprintf(out, "price %d %g", v.Arg1, v.Fparg1)
		return true
	case *app.PriceResult:
		fmt.Fprintf(out, "= %g\n", v.Retval)
	case *app.DescribeArgs:
		fmt.Fprintf(out, "describe %d %q %q", v.Arg1, v.Arg2, v.Arg3)
		return true
	case *app.DescribeResult:
		fmt.Fprintf(out, "= %q\n", v.Retval)
	case *app.KeepArgs:
		fmt.Fprintf(out, "keep %v %d\n", v.Arg1 != 0, v.Arg2)
	case *app.SumArgs:
		fmt.Fprintf(out, "sum %d bytes\n", len(v.Arg1))
	case *app.SumResult:
		fmt.Fprintf(out, "= %d\n", v.Retval)
	case *bind.Short:
		fmt.Fprintf(out, "short %s\n", x.Sym.Simple)
	default: // a function without values, or one that is not decoded
		if x.Sym != nil && x.Kind == uftrace.Enter {
			fmt.Fprintf(out, "enter %s\n", x.Sym.Simple)
		}
	}
	return false
}
