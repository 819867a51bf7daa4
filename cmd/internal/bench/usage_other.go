//go:build !linux

package main

import (
	"errors"
	"os"
	"time"
)

// canMeasure returns an error, because each system reports resource use in another way.
func canMeasure() error { return errors.New("benchmarks are measured on Linux only") }

func usageOf(*os.ProcessState) (int64, time.Duration) { panic("canMeasure was not asked") }

func cpuTime() time.Duration { panic("canMeasure was not asked") }

func forgetPeak() {}
