"""What is run around the package: what is published, and the site of the docs."""
