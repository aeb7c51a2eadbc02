"""What people look at: boards in the terminal and as pictures, and reports."""
