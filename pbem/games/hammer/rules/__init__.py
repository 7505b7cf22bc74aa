"""The rules of Hammer of the Scots 4.0: a pure state machine. Where each story lives:

==================  ============================================================================================
facts               what is printed: areas, borders, blocks, deck
board               where every block stands (immutable), occupancy, contested areas
variants            the options and editions by name
frame               the base of all procedures; the law that a frame holds nothing hidden; what stands inside what
scenarios           which years each lasts, who stands where (8.1-8.3)
setup, year         the first position; the year, the game turn and their order (3.x, 7.0)
deal_123            when cards are dealt again (an option)
acts                what Player 1 and Player 2 do: which event or move an order sets off (3.1)
asked               what law knows of the seat that is asked: a small part of a view
move_law, moves     which moves are legal and why not (4.0-4.7, rallying); making them, border marks, main attacks
groups              which attackers are one group (5.32)
events              Herald, Pillage, Sea Move, Truce, Victuals
crown               coronation and the return of the king (6.2), the defections they cause
battles             which battle is next; who stands in front and who in reserve (5.1, 5.32, 5.33); event battles
battle_law          what the blocks of a letter may be ordered to do in their combat turns (5.31)
battle, hits        one battle: reveal, Celtic unity, rounds, turns, fire, hits, captures, eliminations (5.2-5.8)
ratings             combat ratings, the home bonus, schiltroms (2.12, 1.4)
norse               where the Norse may be (4.7)
retreat_law         where blocks may retreat or regroup to (5.5, 5.6, 4.7)
retreats, regroup   their going there
raids               border raids (5.9)
victory             who has won (9.x); `settled` and `final` for the winter of the last year
winter*, levy       the Winter Turn (7.1-7.8), called as the frame `Winter("begin")`, done when the next year may be dealt
view, position      masks for each seat; the position format
facts_told          every kind of fact, with its fields
==================  ============================================================================================

**For the winter.** `Year.do_winter` calls `Winter("begin")`. What a frame asks is answered through the tables of questions
(`..questions`): name -> Question, with `options`, `why_not`, `default` and `read`, all from
the view. What the asked seat needs besides its own blocks goes through the frame's `particulars`. A noble put home gets
`known=1` (everybody sees where he is) until the next Game Turn begins. When the game may be decided (the last year of `scenarios`):
after 7.2 `victory.settled(board)`, after 7.6 `victory.final(board)`, each through `victory.declare(run, result)`.
"""
