// Package lttng parses the formats of LTTng markers, the text in the second argument of
//
//	trace_mark(kernel, irq_entry, "ip %lu handler %p irq_id #2u%u", …)
//
// in traces from 2007 to 2011. A format has printf conversions, each with an optional #-part that
// declares the storage of the value (lttng.md 5.3). The package does not interpret them.
package lttng
