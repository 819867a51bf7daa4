package sql

// Recognises reports whether a query is simple. A simple query is not answered by SQLite alone.
func (db *Database) Recognises(query string) bool { return db.simple(query) != nil }

// Plain sets whether SQLite answers all queries by itself.
func (db *Database) Plain(is bool) { db.plain = is }

// Little leaves no memory for groups and for joined tables.
func (db *Database) Little() { db.options.Memory = 4 }
