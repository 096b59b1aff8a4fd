import { expect, test } from 'vitest';
import { expectedTextingMoves } from '#testing/fixtures/expected-moves.ts';
import { actionOfMove, moveOfAction, moves, textsPatient, type Move, type StaffMove } from './queue.ts';

test.each(Object.keys(actionOfMove) as StaffMove[])(
  'the action that requests %s means that move, in every status that allows it',
  (move) => {
    for (const status of moves[move].from) expect(moveOfAction(actionOfMove[move], status)).toBe(move);
  },
);

test('the moves that text the patient are the invitations and the reminder', () => {
  expect((Object.keys(moves) as Move[]).filter(textsPatient)).toEqual(expectedTextingMoves);
});
