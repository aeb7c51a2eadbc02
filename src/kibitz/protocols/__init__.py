"""How other programs talk to Kibitz.

limits        what a stranger may ask for: length of lines, number of clients, time
line_server   lines over TCP, within those limits
answers       `Engine.answer` within those limits, for all protocols
json_lines    positions as JSON lines, answers as JSON lines
ubgi          the Universal Backgammon Interface over standard input and output
gnubg_socket  gnubg's external player, and its `board:` and `evaluation` requests
bei           the Backgammon Engine Interface
"""
