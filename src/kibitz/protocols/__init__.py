"""How other programs talk to Kibitz."""
