package babeltrace

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/tracec/tracec/report"
)

// CounterOptions are the parameters of sink.utils.counter.
type CounterOptions struct {
	// Step is the minimum number of messages between two counts. If 0, only the last count is
	// printed.
	Step uint64
	// HideZero hides kinds of messages that do not occur.
	HideZero bool
}

// SetParams sets the parameters.
func (o *CounterOptions) SetParams(list []Param) (err error) {
	for _, p := range list {
		switch p.Name {
		case "step":
			if o.Step, err = strconv.ParseUint(strings.TrimPrefix(p.Value, "+"), 0, 64); err != nil {
				return report.Usagef("step=%s: want a number", p.Value)
			}
		case "hide-zero":
			if o.HideZero, err = parseSwitch(p); err != nil {
				return err
			}
		default:
			return report.Usagef("sink.utils.counter has no parameter %s", p.Name)
		}
	}
	return nil
}

// perBatch is the number of messages in a batch of babeltrace2. It prints counts between batches.
const perBatch = 15

// counts counts messages.
type counts struct {
	CounterOptions
	out     io.Writer
	of      [kinds]uint64
	all     uint64
	since   uint64 // the number of messages since the previous count
	printed uint64 // the number of all messages at the previous count
}

var kindNames = [kinds]string{"Event", "Stream beginning", "Stream end", "Packet beginning", "Packet end",
	"Discarded event", "Discarded packet"}

func (c *counts) add(k kind) (err error) {
	c.of[k]++
	c.all++
	c.since++
	if c.Step > 0 && c.all%perBatch == 0 && c.since >= c.Step {
		c.since = 0
		return c.print(true)
	}
	return nil
}

// end prints the last count.
func (c *counts) end() error {
	if c.all == c.printed && c.all > 0 {
		return nil
	}
	return c.print(false)
}

func (c *counts) print(more bool) error {
	var b bytes.Buffer
	line := func(n uint64, name string) {
		if n > 0 || !c.HideZero {
			fmt.Fprintf(&b, "%15d %s %s\n", n, name, plural(n))
		}
	}
	for k, n := range c.of {
		line(n, kindNames[k])
	}
	line(0, "Message iterator inactivity")
	fmt.Fprintf(&b, "%15d %s (TOTAL)\n", c.all, plural(c.all))
	if more {
		b.WriteByte('\n')
	}
	c.printed = c.all
	_, err := c.out.Write(b.Bytes())
	return err
}

func plural(n uint64) string {
	if n == 1 {
		return "message"
	}
	return "messages"
}
