package command_test

import "github.com/tracec/tracec/internal/command/exports"

// Tests of this package run the whole command.
func init() { exports.Add() }
