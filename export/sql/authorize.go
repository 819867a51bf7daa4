//go:build (linux && (386 || amd64 || arm || arm64 || loong64 || ppc64le || riscv64 || s390x)) || darwin || (windows && (386 || amd64 || arm64)) || (freebsd && (386 || amd64 || arm || arm64)) || (openbsd && (386 || amd64 || arm64)) || (netbsd && amd64) || (illumos && amd64)

package sql

import (
	"strings"

	"modernc.org/sqlite"
)

// refusals holds names of the operations that queries must not use, for messages.
var refusals = map[sqlite.AuthorizerActionCode]string{
	sqlite.AuthInsert: "INSERT", sqlite.AuthUpdate: "UPDATE", sqlite.AuthDelete: "DELETE",
	sqlite.AuthPragma: "PRAGMA", sqlite.AuthAttach: "ATTACH or VACUUM", sqlite.AuthDetach: "DETACH",
	sqlite.AuthTransaction: "BEGIN or COMMIT", sqlite.AuthSavepoint: "SAVEPOINT",
	sqlite.AuthAlterTable: "ALTER", sqlite.AuthReindex: "REINDEX", sqlite.AuthAnalyze: "ANALYZE",
	sqlite.AuthCreateTable: "CREATE TABLE", sqlite.AuthCreateTempTable: "CREATE TABLE",
	sqlite.AuthCreateVTable: "CREATE VIRTUAL TABLE",
	sqlite.AuthCreateView:   "CREATE VIEW", sqlite.AuthCreateTempView: "CREATE VIEW",
	sqlite.AuthCreateIndex: "CREATE INDEX", sqlite.AuthCreateTempIndex: "CREATE INDEX",
	sqlite.AuthCreateTrigger: "CREATE TRIGGER", sqlite.AuthCreateTempTrigger: "CREATE TRIGGER",
}

// authorize rejects everything except queries. SQLite's defensive mode would not be enough: it
// allows ATTACH to create files, and VACUUM INTO to write them.
func (c *connection) authorize(
	action sqlite.AuthorizerActionCode, name, function, _, _ string,
) sqlite.AuthorizerReturnCode {
	switch action {
	case sqlite.AuthSelect, sqlite.AuthRead, sqlite.AuthRecursive:
		return sqlite.AuthorizerOK
	case sqlite.AuthFunction:
		if function != "load_extension" {
			return sqlite.AuthorizerOK
		}
		c.refuse("load_extension")
		return sqlite.AuthorizerDeny
	}
	if c.changes {
		return sqlite.AuthorizerOK
	}
	switch refused := refusals[action]; {
	case action == sqlite.AuthInsert && strings.HasPrefix(name, "sqlite_"):
		c.refuse("CREATE") // begins with writing the row of its schema
	case refused != "":
		c.refuse(refused)
	case name != "":
		c.refuse(name)
	default:
		c.refuse("the statement")
	}
	return sqlite.AuthorizerDeny
}

// refuse notes the first rejected operation.
func (c *connection) refuse(what string) {
	if c.refused == "" {
		c.refused = what
	}
}
