import { randomUUID } from 'node:crypto';
import type { TextReply, TextReport } from '#contract/texting.ts';
import type { House } from '#server/ctx.ts';
import { textCommands } from '#server/features/texting/commands.ts';
import { sendClaimed, takeDue, usualPace, type Pace } from '#server/features/texting/sending.ts';
import { queueText, type NewText } from '#server/features/texting/index.ts';
import type { Desk } from '#server/kit/command.ts';
import { callBack, reportDue, type Post } from '#server/providers/sms/local-reports.ts';
import type { Sms } from '#server/providers/sms/port.ts';
import type { TestHouse, TestOffice } from './house.ts';

/** A pace for tests: leases that are over at once, no patience. */
export const quickPace: Pace = { ...usualPace, leaseMs: 40, answerWithinMs: 20, giveUpAfterMs: 200 };

/** Sends everything that is due now, as one worker would; answers how many it took. */
export async function sendDueTexts(house: House, pace: Pace = usualPace, name = 'test'): Promise<number> {
  const worker = { name, pace };
  const due = await takeDue(house, worker, 1_000);
  await Promise.all(due.map((text) => sendClaimed(house, worker, text)));
  return due.length;
}

/** What `script/anteroom texts release` does. */
export async function releaseHeldTexts(house: House): Promise<void> {
  const release = textCommands.find(({ name }) => name === 'texts release');
  if (!release) throw new Error('there is no command texts release');
  await release.run({ house, say: () => undefined } as unknown as Desk, {
    words: [],
    options: {},
    switches: new Set(['limited']),
  });
}

/** The same house with a carrier that behaves otherwise. */
export function withCarrier(house: House, changes: Partial<Sms>): House {
  return { ...house, providers: { ...house.providers, sms: { ...house.providers.sms, ...changes } } };
}

/** A text of an office that is not about a visit. */
export async function addText(t: TestHouse, given: Partial<NewText> & { office?: TestOffice } = {}): Promise<string> {
  const { office = t.maple, ...text } = given;
  const scope = t.scopeOf(office);
  return scope.transaction((tx) =>
    queueText(tx, scope, {
      kind: 'message',
      visitId: null,
      patientId: null,
      toPhone: '+16465550188',
      body: 'Hello',
      ...text,
    }),
  );
}

/** The ledger's row of a text. */
export const textRow = (t: TestHouse, id: string, office = t.maple) =>
  t.inOffice(office, (tx) => tx.selectFrom('text').selectAll().where('id', '=', id).executeTakeFirstOrThrow());

/** The newest text about a visit. */
export const textOfVisit = (t: TestHouse, visitId: string, office = t.maple) =>
  t.inOffice(office, (tx) =>
    tx
      .selectFrom('text')
      .selectAll()
      .where('visitId', '=', visitId)
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow(),
  );

/** What the local carrier took for a number. */
export const takenFor = (t: TestHouse, phone: string) =>
  t.owner.selectFrom('dev.outbox').selectAll().where('recipient', '=', phone).orderBy('at').execute();

/** Calls of the local carrier go to the app under test. */
export const postTo = ({ app }: TestHouse): Post => {
  return async (url, headers, payload) => (await app.inject({ method: 'POST', url, headers, payload })).statusCode;
};

/** The carrier reports on everything that is due now. */
export const carrierReports = (t: TestHouse) => reportDue(t.house, postTo(t));

/** One signed report. */
export const report = (t: TestHouse, said: TextReport) => callBack(t.house, postTo(t), '/api/sms/status', said);

/** A patient's phone texts the office. */
export async function patientTexts(
  t: TestHouse,
  from: string,
  body: string,
  given: Partial<TextReply> & { office?: TestOffice } = {},
): Promise<number> {
  const { office = t.maple, ...rest } = given;
  const { textNumber } = await t.inOffice(office, (tx) =>
    tx.selectFrom('office').select('textNumber').executeTakeFirstOrThrow(),
  );
  return callBack(t.house, postTo(t), '/api/sms/inbound', {
    providerId: randomUUID(),
    from,
    to: textNumber,
    body,
    ...rest,
  });
}
