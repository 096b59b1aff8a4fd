import type { VisitMessage } from '#contract/queue.ts';
import type { OfficeScope } from '#server/ctx.ts';
import { queueText } from '#server/features/texting/index.ts';
import type { Tx } from '#server/kit/db.ts';
import { Refusal } from '#server/kit/refusal.ts';
import { officeRow } from '#server/kit/office-row.ts';
import { changed } from './changed.ts';
import { newLink } from './links.ts';
import { lockVisit, newestVisitOf, type VisitRow } from './sql.ts';
import { texts } from './words.ts';

/** Texts the patient what the office wrote, and shows it on their page. */
export async function messagePatient(
  scope: OfficeScope,
  userCode: string,
  message: { title?: string | undefined; body: string },
): Promise<VisitMessage> {
  const body = message.body.trim();
  if (body === '') throw new Refusal('empty_message');
  return scope.transaction(async (tx) => {
    const visitId = await newestVisitOf(tx, scope.officeId, userCode);
    const visit = visitId && (await lockVisit(tx, scope.officeId, visitId));
    if (!visit) throw new Refusal('visit_not_found');

    const [sent] = await Promise.all([
      say(tx, scope, visit, { kind: 'message', body, title: message.title ?? null }),
      changed(tx, scope, visit, { action: 'message.send', hint: 'message' }),
    ]);
    return sent;
  });
}

/** Texts one of the house's own sentences with a fresh link, in the patient's language. */
export async function textLink(
  tx: Tx,
  scope: OfficeScope,
  visit: VisitRow,
  sentence: keyof typeof texts,
  ownWords?: string,
): Promise<string> {
  const office = await officeRow(tx, scope.officeId);
  const { token, url } = await newLink(tx, scope, visit);
  const body = ownWords ? `${ownWords} ${url}` : texts[sentence][visit.language as 'en' | 'es'](office.name, url);
  await say(tx, scope, visit, { kind: sentence === 'expect' ? 'link' : sentence, body, title: null });
  return token;
}

/** One message of the office: a row in the conversation and the text that carries it, in the same transaction. */
export async function say(
  tx: Tx,
  scope: OfficeScope,
  visit: VisitRow,
  message: { kind: VisitMessage['kind']; body: string; title: string | null },
): Promise<VisitMessage> {
  const text = await queueText(tx, scope, {
    kind: message.kind,
    visitId: visit.id,
    patientId: visit.patientId,
    toPhone: visit.phone,
    body: message.body,
  });
  const at = scope.now();
  const id = scope.id();
  const byName = message.kind === 'message' ? scope.actor.name : null;
  await tx
    .insertInto('message')
    .values({
      officeId: scope.officeId,
      id,
      visitId: visit.id,
      at,
      sender: 'office',
      kind: message.kind,
      byName,
      title: message.title,
      body: message.body,
      textId: text.id,
    })
    .execute();
  return {
    id,
    at: at.toISOString(),
    from: 'office',
    by: byName,
    kind: message.kind,
    body: message.body,
    state: text.state,
  };
}
