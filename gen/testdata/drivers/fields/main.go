// Fields is a user's program. It prints the contents of traces from typed events.
package main

import (
	"bufio"
	"context"
	"fmt"
	"log"
	"os"

	"generated/fields/app"

	"github.com/tracec/tracec/runtime/bind"
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
	rec, err := lttng.Open(dir)
	if err != nil {
		return err
	}
	defer rec.Close()
	d, err := app.Bind(rec, app.KernelSyscallEntryEvent, app.KernelIdleEvent, app.KernelPrintkEvent, app.FSRenameEvent,
		app.NetSocketEvent, bind.All(), bind.Unfit(func(marker string, err error) { fmt.Fprintln(out, marker, err) }))
	if err != nil {
		return err
	}
	for r, e := range d.Events(context.Background(), record.Options{}) {
		switch e := e.(type) {
		case *app.KernelSyscallEntry:
			fmt.Fprint(out, "syscall ", uint64(e.IP), " ", e.SyscallID)
		case *app.KernelIdle:
			fmt.Fprint(out, "idle")
		case *app.KernelPrintk:
			fmt.Fprintf(out, "printk %x %s %d %d", uint64(e.IP), e.Text, e.Level, uint64(e.Count))
		case *app.FSRename:
			fmt.Fprintf(out, "rename %s %s %d %d %d", e.From, e.To, e.Inode, e.Mode, int64(e.At))
		case *app.NetSocket:
			fmt.Fprintf(out, "socket %d %d %d %s %d", e.Port, e.Addr, e.Kind, e.Name, e.Seq)
		default: // counts
			continue
		}
		text, ok := d.AppendText(nil, r, d.Entry(), nil)
		fmt.Fprintf(out, "%s %v\n", text, ok)
	}
	fmt.Fprintln(out, d.Stats())
	return d.Err()
}
