import type { Actor, OfficeScope, Services } from '#server/context.ts';
import { patientWordsStatement } from '#server/features/directory/index.ts';
import { savePatient } from '#server/features/queue/index.ts';
import { keywordAnswer, messageStatement } from '#server/features/texting/index.ts';
import { auditStatement } from '#server/kit/audit.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { runTogether } from '#server/kit/db/statements.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { officeRow, type OfficeRow } from '#server/office-row.ts';
import { morningClock } from './morning-clock.ts';
import { demoThreads, type DemoMessage, type DemoThread } from './threads.ts';

/** Texts that a phone could not get, and those that arrived. */
type Outcome = 'delivered' | 'failed';

/**
 * Adds the day's threads of a demo office. The texts are written as they would be after they went out: they count towards no limit of the
 * practice or the number, and the carrier is not called. A number that sent STOP on another day is left alone.
 */
export async function playThreads(
  services: Services,
  { officeId, npi, desk }: { officeId: string; npi: string; desk: Actor },
): Promise<void> {
  const { area = '', threads = [] } = demoThreads[npi] ?? {};
  const actors = { patient: { kind: 'patient', id: null, name: null }, practice: desk } as const;
  const scopeAt = (at: Date, from: DemoMessage['from']) =>
    officeScope({ ...services, now: () => at, auditNow: services.now }, officeId, actors[from], 'demo');
  const scope = scopeAt(services.now(), 'practice');
  await scope.transaction(async (tx) => {
    const office = await officeRow(tx, officeId);
    const stopped = await stoppedNumbers(tx, officeId);
    const longest = Math.max(0, ...threads.flatMap(({ messages }) => messages.map(({ minutesAgo }) => minutesAgo)));
    const ago = morningClock(services.now(), office.timeZone, longest);
    for (const [i, thread] of threads.entries()) {
      const phone = `+1${area}55501${90 + i}`;
      if (stopped.has(phone)) continue;
      await addPatient(tx, scope, thread, phone);
      for (const message of thread.messages)
        await addMessage(tx, scopeAt(ago(message.minutesAgo), message.from), { office, phone, message, thread });
    }
    await markAnsweredRead(tx, officeId);
    await runTogether(tx, { statements: [], hints: [{ office: officeId, type: 'messages' }] });
  });
}

/** Whoever answered has read. */
async function markAnsweredRead(tx: Tx, officeId: string): Promise<void> {
  await tx
    .updateTable('conversation')
    .set((eb) => ({ unread: 0, readSequence: eb.ref('lastSequence') }))
    .where('officeId', '=', officeId)
    .where('phone', 'like', '%555019_')
    .where('unanswered', '=', false)
    .execute();
}

async function stoppedNumbers(tx: Tx, officeId: string): Promise<Set<string>> {
  const rows = await tx.selectFrom('optOut').select('phone').where('officeId', '=', officeId).execute();
  return new Set(rows.map(({ phone }) => phone));
}

async function addPatient(tx: Tx, scope: OfficeScope, { who, language = 'en' }: DemoThread, phone: string) {
  const [firstName, lastName, birthDate] = who;
  const patientId = await savePatient(tx, scope, { firstName, lastName, birthDate, phone, language }, { rename: true });
  const words = patientWordsStatement(tx, scope, patientId, { people: [{ firstName, lastName, birthDate }], phone });
  await runTogether(tx, { statements: [words], hints: [] });
}

interface AddedMessage {
  office: OfficeRow;
  phone: string;
  message: DemoMessage;
  thread: DemoThread;
}

async function addMessage(tx: Tx, scope: OfficeScope, added: AddedMessage): Promise<void> {
  const { phone, message } = added;
  const { body, failed } = message;
  const isStop = message.from === 'patient' && body === 'STOP';
  const written = { phone, visitId: null, kind: 'message', body } as const;
  if (message.from === 'practice') {
    const text = textOf(tx, scope, added, body, failed ? 'failed' : 'delivered');
    const byName = scope.actor.name;
    await runTogether(tx, {
      statements: [text.statement, auditStatement(tx, scope, { action: 'message.send', subject: text.id })],
      last: [messageStatement(tx, scope, { ...written, sender: 'doctor', byName, text })],
      hints: [],
    });
    return;
  }
  const id = scope.id();
  const keyword = isStop ? 'stop' : null;
  await runTogether(tx, {
    statements: [auditStatement(tx, scope, { action: isStop ? 'text.stop' : 'message.receive', subject: id })],
    last: [messageStatement(tx, scope, { ...written, id, sender: 'patient', keyword })],
    hints: [],
  });
  if (isStop) await confirmStop(tx, scope, added);
}

/** The number opts out, which the program confirms with one text. */
async function confirmStop(tx: Tx, scope: OfficeScope, added: AddedMessage): Promise<void> {
  const { officeId, now } = scope;
  const { phone, office, thread } = added;
  const body = keywordAnswer('stop', true, thread.language ?? 'en')?.(office.name) ?? '';
  const text = textOf(tx, scope, added, body, 'delivered');
  await runTogether(tx, {
    statements: [tx.insertInto('optOut').values({ officeId, id: scope.id(), phone, at: now() }), text.statement],
    last: [messageStatement(tx, scope, { phone, visitId: null, sender: 'bot', kind: 'message', body, text })],
    hints: [],
  });
}

/** A text in the ledger, in its final state. */
function textOf(tx: Tx, scope: OfficeScope, { office, phone }: AddedMessage, body: string, state: Outcome) {
  const at = scope.now();
  const id = scope.id();
  const statement = tx.insertInto('text').values({
    officeId: scope.officeId,
    id,
    kind: 'message',
    visitId: null,
    patientId: null,
    fromPhone: office.textNumber,
    toPhone: phone,
    body,
    needsLink: false,
    state,
    errorClass: state === 'failed' ? 'delivery' : null,
    sendAt: at,
    createdAt: at,
    claimedAt: at,
    sentAt: at,
    deliveredAt: state === 'delivered' ? new Date(at.getTime() + 2_000) : null,
  });
  return { id, state, statement };
}
