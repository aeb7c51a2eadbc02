"""Engines: what ranks plays and judges positions."""
