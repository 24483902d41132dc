"""What imports of other tools' semantic models keep, against facts that were read by hand."""
