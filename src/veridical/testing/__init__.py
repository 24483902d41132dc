"""What tests and the demo need and production does not."""
