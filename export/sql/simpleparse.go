package sql

import (
	"slices"
	"strconv"
	"strings"
)

// For a virtual table, SQLite takes much longer to fetch rows, and to sort them for groups, than it
// takes to make them. So this package itself answers simple queries of the forms
//
//	select COLUMN, … or * from TABLE [where CONDITION and …] [limit N]
//	select KEY or AGGREGATE, … from TABLE
//	[where CONDITION and …] [group by KEY, …] [order by …] [limit N]
//
// The parser here rejects a query with any part that it does not know. SQLite then answers that
// query.

// simpleQuery is a query of these forms.
type simpleQuery struct {
	table string
	items []item
	keys  []operand
	where []test
	order []ordering
	limit int64 // -1 for no limit
}

// operand is a column, or the number of an item.
type operand struct {
	column string
	number int // from 1; 0 for columns
}

// item is a column of the answer.
type item struct {
	function string // in lower case; "" for a column
	column   string // argument of the function; * for count(*), and for all columns
	alias    string
	text     string // as written
}

// test is a condition of a query: an operator and the literals that it compares with.
type test struct {
	column string
	op     string // = <> < <= > >= between in, notin, null, notnull
	values []any  // int64 or string
}

// ordering is a term of order by.
type ordering struct {
	of   item // may also be a number, an alias or a key in column
	rank int
	desc bool
}

// simpleParser parses a simpleQuery.
type simpleParser struct {
	scanner *scanner
	query   string
	tok     token
	bad     bool // the query has another form
}

// parseSimple returns the parts of a query, or nil if it has another form.
func parseSimple(query string) *simpleQuery {
	p := &simpleParser{scanner: newScanner(query), query: query}
	p.advance()
	q := simpleQuery{limit: -1}
	p.expect("select")
	for more := true; more; more = p.symbol(",") {
		q.items = append(q.items, p.item(true))
	}
	p.expect("from")
	q.table = p.name()
	if p.keyword("where") {
		for more := true; more; more = p.keyword("and") {
			q.where = append(q.where, p.test())
		}
	}
	if p.keyword("group") {
		p.expect("by")
		for more := true; more; more = p.symbol(",") {
			q.keys = append(q.keys, p.operand())
		}
	}
	if p.keyword("order") {
		p.expect("by")
		for more := true; more; more = p.symbol(",") {
			q.order = append(q.order, p.ordering())
		}
	}
	if p.keyword("limit") {
		q.limit = p.integer()
	}
	for p.symbol(";") {
	}
	if p.bad || p.tok.kind != ender {
		return nil
	}
	return &q
}

func (p *simpleParser) advance() { p.tok = p.scanner.next() }

// keyword takes a keyword if it is next.
func (p *simpleParser) keyword(w string) bool {
	if p.tok.kind != word || fold(p.tok.text) != w {
		return false
	}
	p.advance()
	return true
}

func (p *simpleParser) expect(w string) { p.bad = !p.keyword(w) || p.bad }

// symbol takes a symbol if it is next.
func (p *simpleParser) symbol(s string) bool {
	if p.bad || p.tok.kind != symbol || p.tok.text != s {
		return false
	}
	p.advance()
	return true
}

// notNames are the keywords that cannot be names without quotes (parse.y of SQLite, %fallback), and
// keywords that may follow a name.
var notNames = strings.Fields("add all alter and as autoincrement between case check collate commit constraint create " +
	"current_date current_time current_timestamp default deferrable delete distinct drop else escape except exists false " +
	"foreign from group having in index insert intersect into is isnull join limit not nothing notnull null on or order " +
	"primary references returning select set table then to transaction true union unique update using values when where " +
	"asc desc nulls offset filter over like glob regexp match indexed cast with window natural left right full inner outer cross")

// name takes a name.
func (p *simpleParser) name() string {
	t := p.tok
	if t.kind != identifier && (t.kind != word || slices.Contains(notNames, fold(t.text))) {
		p.bad = true
		return ""
	}
	p.advance()
	return t.text
}

// item takes a column or an aggregate, and its alias.
func (p *simpleParser) item(aliases bool) item {
	from, to := p.tok.from, p.tok.to
	if aliases && p.symbol("*") {
		return item{column: "*", text: "*"}
	}
	plain := p.tok.kind == word
	i := item{column: p.name()}
	if plain && p.symbol("(") {
		i.function = fold(i.column)
		if p.symbol("*") {
			i.column = "*"
		} else {
			i.column = p.name()
		}
		to = p.tok.to
		p.bad = !p.symbol(")") || p.bad
	}
	i.text = p.query[from:to]
	if aliases && (p.keyword("as") || p.tok.kind == identifier || p.tok.kind == word && fold(p.tok.text) != "from") {
		i.alias = p.name()
	}
	return i
}

// operand takes a column or a number.
func (p *simpleParser) operand() operand {
	if p.tok.kind == number {
		return operand{number: int(p.integer())}
	}
	return operand{column: p.name()}
}

// ordering takes a term of order by.
func (p *simpleParser) ordering() (o ordering) {
	if p.tok.kind == number {
		o.rank = int(p.integer())
	} else {
		o.of = p.item(false)
	}
	if !p.keyword("asc") {
		o.desc = p.keyword("desc")
	}
	return o
}

// integer takes a decimal integer.
func (p *simpleParser) integer() int64 {
	v, err := strconv.ParseInt(p.tok.text, 10, 64)
	p.bad = p.bad || p.tok.kind != number || err != nil || strings.Contains(p.tok.text, "_")
	p.advance()
	return v
}

// literal takes an integer or a text.
func (p *simpleParser) literal() any {
	if p.tok.kind == text {
		s := p.tok.text
		p.advance()
		return s
	}
	if p.symbol("-") {
		return -p.integer()
	}
	return p.integer()
}

// operators are the comparisons of conditions.
var operators = map[string]string{"=": "=", "==": "=", "<>": "<>", "!=": "<>", "<": "<", "<=": "<=", ">": ">",
	">=": ">="}

// test takes a condition.
func (p *simpleParser) test() test {
	t := test{column: p.name()}
	op, compares := operators[p.tok.text]
	switch {
	case p.tok.kind == symbol && compares:
		p.advance()
		t.op, t.values = op, []any{p.literal()}
	case p.keyword("between"):
		t.op, t.values = "between", []any{p.literal()}
		p.expect("and")
		t.values = append(t.values, p.literal())
	case p.keyword("is"):
		if t.op = "null"; p.keyword("not") {
			t.op = "notnull"
		}
		p.expect("null")
	default:
		if t.op = "in"; p.keyword("not") {
			t.op = "notin"
		}
		p.expect("in")
		p.bad = !p.symbol("(") || p.bad
		for more := true; more; more = p.symbol(",") {
			t.values = append(t.values, p.literal())
		}
		p.bad = !p.symbol(")") || p.bad
	}
	return t
}
