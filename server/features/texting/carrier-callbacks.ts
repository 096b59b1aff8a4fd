import { keywordOf, type TextReply, type TextReport } from '#contract/texting.ts';
import type { Services, OfficeScope } from '#server/context.ts';
import { writeAuditEntry } from '#server/kit/audit.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { dayOf } from '#server/kit/day.ts';
import type { Tx } from '#server/kit/db/db.ts';
import { takeIn } from '#server/kit/http/rate-limits.ts';
import { northAmericanPhone, usPhone } from '#server/kit/phone.ts';
import { Refusal } from '#server/kit/http/refusal.ts';
import { withoutOwnLinks } from './link-in-text.ts';
import { helpAnswers } from './text-limits.ts';
import { settleAsReported, showChange, textOfReference } from './text-outcomes.ts';
import { failWaiting, keepReply, visitOfPhone } from './sql.ts';
import { hasOptedOut, queueText } from './queue-text.ts';
import { helpAnswer } from './help-answer.ts';

/** How a text fared. The same report again, or an older one, changes nothing; one about a text that is not the ledger's neither. */
export async function hearReport(services: Services, report: TextReport): Promise<void> {
  const text = textOfReference(report.reference ?? '') ?? (await textOfProvider(services, report.providerId));
  if (text) await settleAsReported(services, text, report);
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

/** A patient's text to the office's number, once: keywords act, and the words stand in the conversation of the visit. */
export async function hearReply(services: Services, reply: TextReply, requestId: string): Promise<void> {
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
    const asked = keywordOf(reply.body);
    // "Yes" is an opt-in only from a number that is out; from any other it answers what the office asked.
    const keyword = asked === 'start' && !(await hasOptedOut(tx, officeId, phone)) ? null : asked;
    const { providerId } = reply;
    const body = withoutOwnLinks(reply.body);
    const kept = {
      officeId,
      id: scope.id(),
      providerId,
      fromPhone: phone,
      visitId: visit?.id ?? null,
      keyword,
      body,
      at: scope.now(),
    };
    if (!(await keepReply(tx, kept))) return;

    const changed: string[] = [];
    if (keyword === 'stop') changed.push(...(await optOut(tx, scope, phone)));
    if (keyword === 'start')
      await tx.deleteFrom('optOut').where('officeId', '=', officeId).where('phone', '=', phone).execute();
    if (
      keyword === 'help' &&
      usPhone(phone) &&
      !(await takeIn(tx, scope.now(), [[helpAnswers, `${officeId} ${phone}`]]))
    ) {
      const words = helpAnswer[visit?.language === 'es' ? 'es' : 'en'](office.name);
      await queueText(tx, scope, { kind: 'notice', visitId: null, patientId: null, toPhone: phone, body: words });
    }
    if (visit && body.trim() !== '') {
      await addMessage(tx, scope, visit.id, body);
      changed.push(visit.id);
    }
    await writeAuditEntry(tx, scope, {
      action: keyword ? `text.${keyword}` : 'message.receive',
      subject: visit?.id ?? kept.id,
    });
    await showChange(tx, officeId, changed);
  });
}

/** From now on nothing leaves for this number, nor does what is queued already; answers the visits that showed it. */
async function optOut(tx: Tx, scope: OfficeScope, phone: string): Promise<string[]> {
  await tx
    .insertInto('optOut')
    .values({ officeId: scope.officeId, id: scope.id(), phone, at: scope.now() })
    .onConflict((conflict) => conflict.columns(['officeId', 'phone']).doNothing())
    .execute();
  return failWaiting(tx, scope.officeId, phone);
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
