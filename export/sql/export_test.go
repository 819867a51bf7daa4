package sql

// Recognises reports whether a query is simple: SQLite does not answer it alone.
func (db *Database) Recognises(query string) bool { return db.simple(query) != nil }

// Plain has SQLite answer all queries itself, or no longer.
func (db *Database) Plain(is bool) { db.plain = is }

// Little leaves no memory for groups and for tables that are joined.
func (db *Database) Little() { db.options.Memory = 4 }
