package summary

import (
	"cmp"
	"slices"
	"strings"

	"github.com/tracec/tracec/report"
)

// sortKeys compares rows by one key of -s: larger values first, names ascending.
var sortKeys = map[string]func(a, b *row) int{
	"total":        func(a, b *row) int { return cmp.Compare(b.total.sum, a.total.sum) },
	"total_avg":    func(a, b *row) int { return cmp.Compare(b.total.mean(b.calls), a.total.mean(a.calls)) },
	"total_min":    func(a, b *row) int { return cmp.Compare(b.total.min, a.total.min) },
	"total_max":    func(a, b *row) int { return cmp.Compare(b.total.max, a.total.max) },
	"total_stdv":   func(a, b *row) int { return cmp.Compare(b.total.deviation(b.calls), a.total.deviation(a.calls)) },
	"total_min_ts": func(a, b *row) int { return cmp.Compare(b.total.minAt, a.total.minAt) },
	"total_max_ts": func(a, b *row) int { return cmp.Compare(b.total.maxAt, a.total.maxAt) },
	"self_min_ts":  func(a, b *row) int { return cmp.Compare(b.self.minAt, a.self.minAt) },
	"self_max_ts":  func(a, b *row) int { return cmp.Compare(b.self.maxAt, a.self.maxAt) },
	"self":         func(a, b *row) int { return cmp.Compare(b.self.sum, a.self.sum) },
	"self_avg":     func(a, b *row) int { return cmp.Compare(b.self.mean(b.calls), a.self.mean(a.calls)) },
	"self_min":     func(a, b *row) int { return cmp.Compare(b.self.min, a.self.min) },
	"self_max":     func(a, b *row) int { return cmp.Compare(b.self.max, a.self.max) },
	"self_stdv":    func(a, b *row) int { return cmp.Compare(b.self.deviation(b.calls), a.self.deviation(a.calls)) },
	"call":         func(a, b *row) int { return cmp.Compare(b.calls, a.calls) },
	"size":         func(a, b *row) int { return cmp.Compare(b.size, a.size) },
	"func":         func(a, b *row) int { return strings.Compare(a.name, b.name) },
}

// sortFields returns the keys of -s. With --avg-total and --avg-self the keys avg, min and max
// refer to that time.
func sortFields(opts *Options) ([]string, error) {
	prefix, list := "", "total"
	switch {
	case opts.Table.AvgTotal:
		prefix, list = "total_", "avg"
	case opts.Table.AvgSelf:
		prefix, list = "self_", "avg"
	}
	if opts.Table.Sort != "" {
		list = opts.Table.Sort
	}
	var keys []string
	for _, key := range strings.Split(list, ",") {
		name := strings.ReplaceAll(key, "-", "_")
		if prefix != "" && (name == "avg" || name == "min" || name == "max" || name == "stdv") {
			name = prefix + name
		}
		if sortKeys[name] == nil || !opts.Table.Like19 &&
			(strings.HasSuffix(name, "_stdv") || strings.HasSuffix(name, "_ts")) {
			return nil, report.Usagef("invalid sort key: %s", opts.Table.Sort)
		}
		keys = append(keys, name)
	}
	return keys, nil
}

// functionOrder returns the comparisons of rows for -s.
func functionOrder(opts *Options) ([]func(a, b *row) int, error) {
	keys, err := sortFields(opts)
	order := make([]func(a, b *row) int, len(keys))
	for i, key := range keys {
		order[i] = sortKeys[key]
	}
	return order, err
}

// sortFunctions sorts rows by the keys, and by name if they are equal.
func sortFunctions(rows []*row, order []func(a, b *row) int) {
	slices.SortFunc(rows, func(a, b *row) int {
		for _, compare := range order {
			if c := compare(a, b); c != 0 {
				return c
			}
		}
		return strings.Compare(a.name, b.name)
	})
}
