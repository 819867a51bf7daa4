package sql

// Recognises reports whether a query is answered by a table of groups.
func (db *Database) Recognises(query string) bool { return db.groups(query) != nil }

// Plain has SQLite answer all queries itself, or no longer.
func (db *Database) Plain(is bool) { db.plain = is }
