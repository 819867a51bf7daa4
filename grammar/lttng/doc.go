// Package lttng reads the formats of LTTng markers, the text in the second argument of
//
//	trace_mark(kernel, irq_entry, "ip %lu handler %p irq_id #2u%u", …)
//
// as traces from 2007 to 2011 hold it: printf conversions, each with an optional #-part that says
// how the value is stored (lttng.md 5.3). It gives no meaning to them.
package lttng
