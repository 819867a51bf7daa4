// Fields is a user's program: it prints what traces hold, by typed callbacks.
package main

import (
	"bufio"
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
	text := func(r rp) {
		b, ok := d.AppendText(nil, r, nil)
		fmt.Fprintf(out, "%s %v\n", b, ok)
	}
	d.KernelSyscallEntry = func(r rp, _ xp, e *app.KernelSyscallEntry) {
		fmt.Fprint(out, "syscall ", uint64(e.IP), " ", e.SyscallID)
		text(r)
	}
	d.KernelIdle = func(r rp, _ xp) {
		fmt.Fprint(out, "idle")
		text(r)
	}
	d.KernelPrintk = func(r rp, _ xp, e *app.KernelPrintk) {
		fmt.Fprintf(out, "printk %x %s %d %d", uint64(e.IP), e.Text, e.Level, uint64(e.Count))
		text(r)
	}
	d.FSRename = func(r rp, _ xp, e *app.FSRename) {
		fmt.Fprintf(out, "rename %s %s %d %d %d", e.From, e.To, e.Inode, e.Mode, int64(e.At))
		text(r)
	}
	d.NetSocket = func(r rp, _ xp, e *app.NetSocket) {
		fmt.Fprintf(out, "socket %d %d %d %s %d", e.Port, e.Addr, e.Kind, e.Name, e.Seq)
		text(r)
	}
	d.Missing = func(marker string, err error) { fmt.Fprintln(out, marker, err) }
	if err := d.Run(rec); err != nil {
		return err
	}
	fmt.Fprintln(out, d.Stats())
	return nil
}
