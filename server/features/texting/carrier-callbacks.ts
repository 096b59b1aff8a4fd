import { keywordOf, type TextReply, type TextReport } from '#contract/texting.ts';
import type { Services, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeInTransaction } from '#server/kit/http/rate-limits.ts';
import { northAmericanPhone, usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { withoutOwnLinks } from './link-in-text.ts';
import { helpAnswers } from './text-limits.ts';
import { applyCarrierReport, announceTextChange, textOfReference } from './text-outcomes.ts';
import { failUnsentTexts, saveReply, visitOfPhone } from './sql.ts';
import { hasOptedOut, queueText } from './queue-text.ts';
import { helpAnswer } from './help-answer.ts';

/** Applies a carrier's delivery report. A repeated, outdated or foreign report changes nothing. */
export async function receiveReport(services: Services, report: TextReport): Promise<void> {
  const text = textOfReference(report.reference ?? '') ?? (await textOfProvider(services, report.providerId));
  if (text) await applyCarrierReport(services, text, report);
}

async function textOfProvider(
  { pool }: Services,
  providerId: string,
): Promise<{ officeId: string; id: string } | null> {
  const { rows } = await pool.query<{ office_id: string; id: string }>('select * from door_text_by_provider($1)', [
    providerId,
  ]);
  return rows[0] ? { officeId: rows[0].office_id, id: rows[0].id } : null;
}

/** Takes a patient's text to the office's number, once. Keywords (STOP, START, HELP) act; the text joins the visit's conversation. */
export async function receiveReply(services: Services, reply: TextReply, requestId: string): Promise<void> {
  const phone = northAmericanPhone(reply.from);
  if (!phone) throw new Refusal('invalid_phone');
  const officeId = await officeOfNumber(services, northAmericanPhone(reply.to) ?? '');
  if (!officeId) throw new Refusal('office_not_found');

  const scope = officeScope(services, officeId, { kind: 'patient', id: null, name: null }, requestId);
  await scope.transaction(async (tx) => {
    const office = await tx
      .selectFrom('office')
      .select(['name', 'timeZone'])
      .where('id', '=', officeId)
      .executeTakeFirstOrThrow();
    const visit = await visitOfPhone(tx, officeId, phone, dayOf(scope.now(), office.timeZone));
    const typedKeyword = keywordOf(reply.body);
    // "Yes" opts in only a number that opted out; from any other it answers a question of the office.
    const keyword = typedKeyword === 'start' && !(await hasOptedOut(tx, officeId, phone)) ? null : typedKeyword;
    const { providerId } = reply;
    const body = withoutOwnLinks(reply.body);
    const incoming = {
      officeId,
      id: scope.id(),
      providerId,
      fromPhone: phone,
      visitId: visit?.id ?? null,
      keyword,
      body,
      at: scope.now(),
    };
    if (!(await saveReply(tx, incoming))) return;

    const changed: string[] = [];
    if (keyword === 'stop') changed.push(...(await optOut(tx, scope, phone)));
    // The card shows that the number opted out, and that it no longer does.
    if (visit && (keyword === 'stop' || keyword === 'start')) changed.push(visit.id);
    if (keyword === 'start')
      await tx.deleteFrom('optOut').where('officeId', '=', officeId).where('phone', '=', phone).execute();
    if (
      keyword === 'help' &&
      usPhone(phone) &&
      (await takeInTransaction(tx, scope.now(), [[helpAnswers, `${officeId} ${phone}`]])).length === 0
    ) {
      const answer = helpAnswer[visit?.language ?? 'en'](office.name);
      await queueText(tx, scope, { kind: 'notice', visitId: null, patientId: null, toPhone: phone, body: answer });
    }
    if (visit && body.trim() !== '') {
      await addMessage(tx, scope, visit.id, body);
      changed.push(visit.id);
    }
    await writeAuditEntry(tx, scope, {
      action: keyword ? `text.${keyword}` : 'message.receive',
      subject: visit?.id ?? incoming.id,
    });
    await announceTextChange(tx, officeId, changed);
  });
}

/** Opts a number out: its queued texts fail and none is sent again. Returns the visits that show those texts. */
async function optOut(tx: Tx, scope: OfficeScope, phone: string): Promise<string[]> {
  await tx
    .insertInto('optOut')
    .values({ officeId: scope.officeId, id: scope.id(), phone, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'phone']).doNothing())
    .execute();
  return failUnsentTexts(tx, scope.officeId, phone);
}

async function addMessage(tx: Tx, scope: OfficeScope, visitId: string, body: string): Promise<void> {
  await tx
    .insertInto('message')
    .values({
      officeId: scope.officeId,
      id: scope.id(),
      visitId,
      at: scope.now(),
      sender: 'patient',
      kind: 'message',
      body,
    })
    .execute();
}

async function officeOfNumber({ pool }: Services, phone: string): Promise<string | null> {
  const { rows } = await pool.query<{ id: string | null }>('select door_office_by_text_number($1) as id', [phone]);
  return rows[0]?.id ?? null;
}
