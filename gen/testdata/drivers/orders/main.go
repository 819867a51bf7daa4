// Orders is a user's program: it prints what recordings of orders.c hold.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"generated/orders/app"

	"github.com/tracec/tracec/runtime/record"
	"github.com/tracec/tracec/runtime/uftrace"
)

//go:generate go tool tracec gen -text -pkg app -o app/app_gen.go first.data

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, dir := range os.Args[1:] {
		if err := show(out, dir); err != nil {
			log.Fatal(err)
		}
	}
}

type (
	rec = *record.Record
	ent = *uftrace.Entry
)

func show(out *bufio.Writer, dir string) error {
	r, err := uftrace.Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	d := &app.Decoder{}
	text := func(r rec, x ent) error {
		line, ok := d.AppendText(nil, r, x, nil)
		_, err := fmt.Fprintf(out, "\t%q %v\n", line, ok)
		return err
	}
	d.Order = func(r rec, x ent, v *app.OrderArgs) error {
		fmt.Fprintf(out, "order %s %d %d", v.Arg1, v.Arg2, v.Arg3)
		return text(r, x)
	}
	d.OrderReturn = func(r rec, x ent, v *app.OrderResult) error {
		fmt.Fprintf(out, "= %d", v.Retval)
		return text(r, x)
	}
	d.Price = func(r rec, x ent, v *app.PriceArgs) error {
		fmt.Fprintf(out, "price %d %g", v.Arg1, v.Fparg1)
		return text(r, x)
	}
	d.PriceReturn = func(r rec, x ent, v *app.PriceResult) error {
		_, err := fmt.Fprintf(out, "= %g\n", v.Retval)
		return err
	}
	d.Describe = func(r rec, x ent, v *app.DescribeArgs) error {
		fmt.Fprintf(out, "describe %d %q %q", v.Arg1, v.Arg2, v.Arg3)
		return text(r, x)
	}
	d.DescribeReturn = func(r rec, x ent, v *app.DescribeResult) error {
		_, err := fmt.Fprintf(out, "= %q\n", v.Retval)
		return err
	}
	d.Keep = func(r rec, x ent, v *app.KeepArgs) error {
		_, err := fmt.Fprintf(out, "keep %v %d\n", v.Arg1 != 0, v.Arg2)
		return err
	}
	d.Sum = func(r rec, x ent, v *app.SumArgs) error {
		_, err := fmt.Fprintf(out, "sum %d bytes\n", len(v.Arg1))
		return err
	}
	d.SumReturn = func(r rec, x ent, v *app.SumResult) error {
		_, err := fmt.Fprintf(out, "= %d\n", v.Retval)
		return err
	}
	d.Other = func(r rec, x ent) error {
		if x.Sym == nil || x.Kind != uftrace.Enter {
			return nil
		}
		_, err := fmt.Fprintf(out, "enter %s\n", x.Sym.Simple)
		return err
	}
	d.Short = func(r rec, x ent) error {
		_, err := fmt.Fprintf(out, "short %s\n", x.Sym.Simple)
		return err
	}
	d.Missing = func(function string, err error) { fmt.Fprintln(out, "missing", function, err) }
	if err := d.Run(context.Background(), r); err != nil {
		return err
	}
	inTime := d.Stats()
	d.Other, d.Missing = func(rec, ent) error { return nil }, func(string, error) {}
	d.Order, d.OrderReturn, d.Price = nil, nil, nil
	if err := d.RunStreams(context.Background(), r); err != nil {
		return err
	}
	fmt.Fprintf(out, "%+v, by task %+v\n", inTime, d.Stats())
	return nil
}
