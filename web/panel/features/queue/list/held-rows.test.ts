import { expect, test } from 'vitest';
import type { QueueEntry } from '#contract/queue.ts';
import { holdRows, topsOf } from './held-rows.ts';
import { sampleVisit } from '#web/panel/features/queue/visits/sample-visit.ts';
import type { Row } from './stages.ts';

const heightOf = (row: Row) => (row.kind === 'heading' ? 30 : 76);
const waiting: Row = { kind: 'heading', stage: 'waiting', count: 3, isOpen: true };
const needsYou: Row = { kind: 'heading', stage: 'needs-you', count: 1, isOpen: true };
const card = (visit: QueueEntry): Row => ({ kind: 'visit', visit });
const [ann, ben, cora] = [sampleVisit(), sampleVisit(), sampleVisit()];
const before = [waiting, ...[ann, ben, cora].map(card)];
const shown = topsOf(before, heightOf);
const hold = (rows: Row[], ...held: string[]) => holdRows(rows, shown, held, heightOf);

test('without a held card the new order is taken as it is', () => {
  const after = [waiting, card(cora), card(ann), card(ben)];
  expect(hold(after)).toEqual({ rows: after, displaced: new Set() });
});

test('a newcomer above a held card goes below it', () => {
  const dina = sampleVisit();
  const after = [waiting, ...[dina, ann, ben, cora].map(card)];
  const { rows, displaced } = hold(after, ben.id);
  expect(rows).toEqual([waiting, ...[dina, ann, ben, cora].map(card)].toSpliced(2, 2, card(ben), card(ann)));
  expect(topsOf(rows, heightOf).get(ben.id)).toBe(shown.get(ben.id));
  expect(displaced).toEqual(new Set([ben.id]));
});

test('a held card that rises to another stage stays where it is', () => {
  const { rows } = hold([needsYou, card(ben), waiting, card(ann), card(cora)], ben.id);
  expect(rows).toEqual([needsYou, waiting, card(ann), card(ben), card(cora)]);
});

test('a held card stays when all above it leave, as far as there are rows', () => {
  expect(hold([waiting, card(cora)], cora.id).rows).toEqual([waiting, card(cora)]);
});

test('two held cards both stay', () => {
  const after = [waiting, ...[cora, ben, ann].map(card)];
  expect(hold(after, ann.id, cora.id).rows).toEqual([waiting, ...[ann, ben, cora].map(card)]);
});

test('a card that was not shown before is not held', () => {
  const dina = sampleVisit();
  const after = [waiting, ...[dina, ann, ben, cora].map(card)];
  expect(hold(after, dina.id).rows).toEqual(after);
});
