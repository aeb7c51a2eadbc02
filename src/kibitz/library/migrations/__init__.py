"""Migrations of the schema, run when a library is opened. One file a revision; a revision that was committed stays."""
