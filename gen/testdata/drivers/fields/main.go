// Fields is a user's program: it prints what traces hold, by typed callbacks.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"generated/fields/app"

	"github.com/tracec/tracec/runtime/lttng"
	"github.com/tracec/tracec/runtime/record"
)

//go:generate go tool tracec gen -text -pkg app -o app/app_gen.go -events kernel.*,fs.*,socket trace

func main() {
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	for _, dir := range os.Args[1:] {
		if err := show(out, dir); err != nil {
			log.Fatal(err)
		}
	}
}

func show(out *bufio.Writer, dir string) error {
	type (
		rp = *record.Record
		xp = *lttng.Entry
	)
	rec, err := lttng.Open(dir)
	if err != nil {
		return err
	}
	defer rec.Close()
	d := &app.Decoder{}
	text := func(r rp, x xp) error {
		b, ok := d.AppendText(nil, r, x, nil)
		_, err := fmt.Fprintf(out, "%s %v\n", b, ok)
		return err
	}
	d.KernelSyscallEntry = func(r rp, x xp, e *app.KernelSyscallEntry) error {
		fmt.Fprint(out, "syscall ", uint64(e.IP), " ", e.SyscallID)
		return text(r, x)
	}
	d.KernelIdle = func(r rp, x xp) error {
		fmt.Fprint(out, "idle")
		return text(r, x)
	}
	d.KernelPrintk = func(r rp, x xp, e *app.KernelPrintk) error {
		fmt.Fprintf(out, "printk %x %s %d %d", uint64(e.IP), e.Text, e.Level, uint64(e.Count))
		return text(r, x)
	}
	d.FSRename = func(r rp, x xp, e *app.FSRename) error {
		fmt.Fprintf(out, "rename %s %s %d %d %d", e.From, e.To, e.Inode, e.Mode, int64(e.At))
		return text(r, x)
	}
	d.NetSocket = func(r rp, x xp, e *app.NetSocket) error {
		fmt.Fprintf(out, "socket %d %d %d %s %d", e.Port, e.Addr, e.Kind, e.Name, e.Seq)
		return text(r, x)
	}
	d.Other = func(rp, xp) error { return nil } // counts
	d.Missing = func(marker string, err error) { fmt.Fprintln(out, marker, err) }
	if err := d.Run(context.Background(), rec); err != nil {
		return err
	}
	fmt.Fprintln(out, d.Stats())
	return nil
}
