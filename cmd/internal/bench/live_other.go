//go:build !linux

package main

import (
	"context"
	"errors"
)

func makeLoad(string) error { return errors.ErrUnsupported }

func (options) live() ([]liveResult, error) { return nil, errors.ErrUnsupported }

func decodeLive(context.Context, string) error { return errors.ErrUnsupported }

func catLive(context.Context, string) error { return errors.ErrUnsupported }
