"""What an answer may rest on, read into sheets and made quick to look up."""
