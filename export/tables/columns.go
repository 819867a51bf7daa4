package tables

// null is a missing value.
var null = Value{Null: true}

func integer(v int64) Value { return Value{Int: v} }

func text(s string) Value {
	if s == "" {
		return null
	}
	return Value{Text: s}
}

func boolean(b bool) Value {
	if b {
		return Value{Int: 1}
	}
	return Value{}
}

// id returns the value of an id. Negative ids are null.
func id(n int32) Value {
	if n < 0 {
		return null
	}
	return Value{Int: int64(n)}
}

// spans returns the common columns of tables with durations, and then the table's own.
func spans[R any](row func(*R) *Row, own ...column[R]) []column[R] {
	return append(append([]column[R]{
		{Column{"ts", "begin; NULL if unknown", Time}, func(r *R) Value {
			if row(r).NoBegin != Known {
				return null
			}
			return integer(int64(row(r).Begin))
		}},
		{Column{"dur", "duration; NULL if its begin or end is unknown", Duration}, func(r *R) Value {
			d, ok := row(r).Dur()
			if !ok {
				return null
			}
			return integer(int64(d))
		}},
		{Column{"ts_end", "end; NULL if unknown", Time}, func(r *R) Value {
			if row(r).NoEnd != Known {
				return null
			}
			return integer(int64(row(r).End))
		}},
		{Column{"reason", "why ts or dur is NULL", Text}, func(r *R) Value { return text(row(r).reason()) }},
	}, who(row)...), own...)
}

// instants returns the common columns of tables without durations, and then the table's own.
func instants[R any](row func(*R) *Row, own ...column[R]) []column[R] {
	return append(append([]column[R]{
		{Column{"ts", "time", Time}, func(r *R) Value { return integer(int64(row(r).Begin)) }},
	}, who(row)...), own...)
}

// who returns the columns of the processor and the thread.
func who[R any](row func(*R) *Row) []column[R] {
	return []column[R]{
		{Column{"cpu", "the processor", Integer}, func(r *R) Value { return id(row(r).CPU) }},
		{Column{"tid", "the thread", Integer}, func(r *R) Value { return row(r).Thread.tid() }},
		{Column{"pid", "the process; NULL if unknown", Integer}, func(r *R) Value {
			if th := row(r).Thread; th != nil {
				return id(th.PID)
			}
			return null
		}},
		{Column{"thread", "the name of the thread", Text}, func(r *R) Value { return row(r).Thread.text() }},
		{Column{"process", "the name of the process", Text}, func(r *R) Value {
			if th := row(r).Thread; th != nil {
				return text(th.Process())
			}
			return null
		}},
	}
}

// tid and text return the id and the name of a thread that may be nil.
func (t *Thread) tid() Value {
	if t == nil {
		return null
	}
	return id(t.TID)
}

func (t *Thread) text() Value {
	if t == nil {
		return null
	}
	return text(t.Name)
}
