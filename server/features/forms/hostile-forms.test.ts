import { afterAll, beforeAll, expect, test } from 'vitest';
import { formsSettings, queue } from '#contract/index.ts';
import { arrivalForm } from '#testing/forms.ts';
import { hostileQuestionnaires } from '#testing/hostile-questionnaires.ts';
import { openHouse, type TestHouse } from '#testing/house.ts';

let house: TestHouse;
beforeAll(async () => {
  house = await openHouse();
});
afterAll(() => house.close());

const load = (text: string, as = house.maple, check = true) =>
  house.call(formsSettings.loadForm, { body: { text, check } }, { as });

test.each(Object.entries(hostileQuestionnaires))(
  '%s is refused with a finding while another office reads its queue',
  async (_what, make) => {
    const stranger = await house.office();
    let isOver = false;
    const answer = load(JSON.stringify(make()), stranger, false).finally(() => (isOver = true));
    let slowestMs = 0;
    while (!isOver) {
      const from = performance.now();
      expect(await house.call(queue.listQueue, { query: {} })).toMatchObject({ status: 200 });
      slowestMs = Math.max(slowestMs, performance.now() - from);
      await new Promise((done) => setTimeout(done, 20));
    }
    const { status, body } = await answer;
    expect(status).toBe(200);
    expect(body.form).toBeNull();
    expect(body.findings.filter(({ severity }) => severity === 'error')).not.toEqual([]);
    // Sending 1.4 MB through the test's own client takes a while too.
    expect(slowestMs).toBeLessThan(1_500);
  },
);

test('a questionnaire that is too slow names the expression it was at', async () => {
  const { body } = await load(JSON.stringify(hostileQuestionnaires['nested FHIRPath']?.()));
  expect(body.findings).toEqual([
    expect.objectContaining({ code: 'takes_too_long', severity: 'error', detail: expect.stringContaining('.select(') }),
  ]);
});

test('one office’s slow questionnaires do not hold up another office’s', async () => {
  const stranger = await house.office();
  const slow = JSON.stringify(hostileQuestionnaires['nested FHIRPath']?.());
  const slowOnes = Promise.all([1, 2, 3].map(() => load(slow, stranger)));
  let isOver = false;
  void slowOnes.finally(() => (isOver = true));
  expect((await load(JSON.stringify(arrivalForm))).body.becomes).toMatchObject({ formType: 'arrival' });
  expect(isOver).toBe(false);
  expect((await slowOnes).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('more questionnaires at once than may wait are refused with a time to try again', async () => {
  const office = await house.office();
  const slow = JSON.stringify(hostileQuestionnaires['nested FHIRPath']?.());
  const replies = await Promise.all(Array.from({ length: 26 }, (_, i) => load(i === 0 ? slow : '{}', office)));
  const refused = replies.filter(({ status }) => status !== 200);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, body, headers } of refused) {
    expect([status, body.code]).toEqual([503, 'overloaded']);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  }
});

test('an office loads at most 30 questionnaires in ten minutes, and its audit log has each of them', async () => {
  const [office, other] = [await house.office(), await house.office()];
  for (let i = 0; i < 30; i++) expect((await load('{}', office)).status).toBe(200);
  const { status, body, headers } = await load('{}', office);
  expect([status, body.code]).toEqual([429, 'too_many_tries']);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect((await load('{}', other)).status).toBe(200);
  const entries = await house.record(office);
  expect(entries.filter(({ action }) => action === 'form.check')).toHaveLength(30);
  expect(entries.at(-1)).toMatchObject({ action: 'form.load', outcome: 'too_many_tries' });
});
