"""What travels between the stages: plain, typed values with no behaviour of their own."""
