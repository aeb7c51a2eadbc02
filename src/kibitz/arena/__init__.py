"""The arena: engines play each other, and the statistics say how strong they are.

rules        money games or matches, with or without the cube
specs        players by name: 'kibitz:2', 'kibitz:beginner', 'gnubg:0', 'tabula', 'ubgi:COMMAND'
gnubg        GNU Backgammon as a separate process, over its socket
ubgi_engine  any UBGI engine over its standard input and output
bgsage       the bgsage package, where it is installed
referee      one money game or match between two players (`kibitz.play.players`)
native       our own players by their native half
processes    how the programs of others are started
runner       many pairs with duplicate dice: processes, failures, resumable log
statistics   points per game, intervals, pairs, sequential test
log, export  JSON lines, .mat
league       all pairs of a list; publish: the page of results
"""
