//go:build !linux

package main

import (
	"errors"
	"os"
	"time"
)

// canMeasure refuses: each system reports what a process uses in another way.
func canMeasure() error { return errors.New("benchmarks are measured on Linux only") }

func usageOf(*os.ProcessState) (int64, time.Duration) { panic("canMeasure was not asked") }

func cpuTime() time.Duration { panic("canMeasure was not asked") }

func forgetPeak() {}
