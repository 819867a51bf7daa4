package main

import "github.com/spf13/cobra"

func newGen() *cobra.Command { return &cobra.Command{Use: "gen"} }

func list(cmd *cobra.Command, args []string, o any) error { return nil }

func completeEvents(cmd *cobra.Command, args []string, s string) ([]string, cobra.ShellCompDirective) {
	return nil, 0
}
