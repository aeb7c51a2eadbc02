"""The face: what the browser gets. `face.add_face` puts it before the service; the pages are in `static/`."""
