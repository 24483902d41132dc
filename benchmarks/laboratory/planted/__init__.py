"""Planted defects: for each rule, runs that only this rule keeps from ending worse."""
