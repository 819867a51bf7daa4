//go:build !linux

package main

import (
	"errors"
	"os"
	"time"
)

// canMeasure refuses: what a process uses is told in another way by each system.
func canMeasure() error { return errors.New("benchmarks are measured on Linux only") }

func usageOf(*os.ProcessState) (int64, time.Duration) { panic("canMeasure was not asked") }

func cpuTime() time.Duration { panic("canMeasure was not asked") }
