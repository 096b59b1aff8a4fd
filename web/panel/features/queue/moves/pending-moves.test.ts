import { expect, test } from 'vitest';
import { applyMove } from './pending-moves.ts';
import { sampleVisit } from '#web/panel/features/queue/visits/sample-visit.ts';

const by = { at: '2026-03-02T14:00:00.000Z', by: 'Dana Whitlock' };

test('an invite shows at once, with who made it and since when', () => {
  const visit = applyMove(sampleVisit({ stillWaitingAt: by.at }), { move: 'invite', ...by });
  expect(visit).toMatchObject({ statusCode: 'INVITED', invitedAt: by.at, statusAt: by.at, stillWaitingAt: null });
  expect(visit.actedBy).toEqual({ kind: 'staff', name: 'Dana Whitlock' });
});

test('undoing a move to History at once returns the patient to the status before', () => {
  const invited = sampleVisit({ statusCode: 'INVITED' });
  const ended = applyMove(invited, { move: 'finish', reason: 'no-show', ...by });
  expect(ended).toMatchObject({ statusCode: 'DOCTOR_CANCELLED', statusBefore: 'INVITED', endReason: 'no-show' });
  expect(applyMove(ended, { move: 'moveBack', ...by })).toMatchObject({
    statusCode: 'INVITED',
    endReason: null,
    endedAt: null,
  });
});

test('a pending move is not applied to a visit that the server has already moved', () => {
  const gone = sampleVisit({ statusCode: 'PATIENT_CANCELLED' });
  expect(applyMove(gone, { move: 'invite', ...by })).toBe(gone);
});

test('calling someone who is on the way again keeps them on the way', () => {
  const visit = applyMove(sampleVisit({ statusCode: 'GOING', statusAt: '2026-03-02T13:30:00.000Z' }), {
    move: 'remind',
    ...by,
  });
  expect(visit).toMatchObject({ statusCode: 'GOING', statusAt: '2026-03-02T13:30:00.000Z', invitedAt: by.at });
});
