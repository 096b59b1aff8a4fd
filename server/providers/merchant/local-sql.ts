import type { Insertable, Selectable } from 'kysely';
import type { DB } from '#db/tables.ts';
import type { Services } from '#server/context.ts';
import type { Db, Tx } from '#server/kit/db/db.ts';

/** The local provider's own tables: forms, links and events. */

export type FormRow = Selectable<DB['merchant.form']>;

/** The entries of the form, by field; of secret ones only the last four digits. */
export type FormAnswers = Readonly<Record<string, string>>;

export const answersOf = (form: FormRow): FormAnswers => form.answers as FormAnswers;

export function formById(db: Db | Tx, id: string): Promise<FormRow | undefined> {
  return db.selectFrom('merchant.form').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Adds a form; undefined if there is one with this reference. */
export function insertForm(tx: Tx, form: Insertable<DB['merchant.form']>): Promise<FormRow | undefined> {
  return tx
    .insertInto('merchant.form')
    .values(form)
    .onConflict((conflict) => conflict.column('reference').doNothing())
    .returningAll()
    .executeTakeFirst();
}

export function formByReference(db: Db | Tx, reference: string): Promise<FormRow> {
  return db.selectFrom('merchant.form').selectAll().where('reference', '=', reference).executeTakeFirstOrThrow();
}

export async function changeForm(
  db: Db | Tx,
  id: string,
  changes: Partial<Pick<FormRow, 'returnUrl' | 'expiredUrl' | 'language'>>,
): Promise<void> {
  await db.updateTable('merchant.form').set(changes).where('id', '=', id).execute();
}

export async function insertLink(tx: Tx, link: Insertable<DB['merchant.link']>): Promise<void> {
  await tx.insertInto('merchant.link').values(link).execute();
}

export function linkByToken(db: Db, tokenHash: Buffer) {
  return db.selectFrom('merchant.link').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

export async function expireLinks(db: Db, formId: string, at: Date): Promise<void> {
  await db
    .updateTable('merchant.link')
    .set({ expiresAt: at })
    .where('formId', '=', formId)
    .where('expiresAt', '>', at)
    .execute();
}

/** Not submitted yet, or more is needed. */
const fillable = ['open', 'update-requested'] as const;

/** Saves a step of an open form; false if it was submitted meanwhile. */
export async function saveStep(tx: Tx, form: FormRow, answers: FormAnswers, done: number): Promise<boolean> {
  const saved = await tx
    .updateTable('merchant.form')
    .set({ answers: JSON.stringify({ ...answersOf(form), ...answers }), done: Math.max(form.done, done) })
    .where('id', '=', form.id)
    .where('state', 'in', fillable)
    .returning('id')
    .executeTakeFirst();
  return saved !== undefined;
}

/** Submits a form that can be filled in, once; false if it was submitted before. */
export async function submitForm(
  tx: Tx,
  id: string,
  submitted: Pick<FormRow, 'identityId' | 'merchantId' | 'bankLastFour' | 'decision' | 'decideAt' | 'submittedAt'>,
): Promise<boolean> {
  const changed = await tx
    .updateTable('merchant.form')
    .set({ ...submitted, state: 'processing' })
    .where('id', '=', id)
    .where('state', 'in', fillable)
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** How a review ends. */
export type Review = 'approved' | 'rejected' | 'update-requested';

/** Decides a form that is in review; false if it is not. */
export async function decideForm(tx: Tx, id: string, decision: Review, at: Date): Promise<boolean> {
  const changed = await tx
    .updateTable('merchant.form')
    .set({ state: decision, decidedAt: at, decideAt: null })
    .where('id', '=', id)
    .where('state', '=', 'processing')
    .returning('id')
    .executeTakeFirst();
  return changed !== undefined;
}

/** The forms whose review ends by itself. */
export function formsToDecide(db: Db, now: Date) {
  return db
    .selectFrom('merchant.form')
    .select(['id', 'decision'])
    .where('state', '=', 'processing')
    .where('decideAt', '<=', now)
    .limit(50)
    .execute();
}

/** Adds an event, to be reported at once. */
export async function addEvent(
  tx: Tx,
  { id, now }: Pick<Services, 'id' | 'now'>,
  formId: string,
  type: string,
): Promise<void> {
  const at = now();
  await tx.insertInto('merchant.event').values({ id: id(), formId, type, at, reportAt: at }).execute();
}

/** Claims events whose callback is due: no other process gets them until `retryAt`. */
export function claimDueEvents(db: Db, { now, retryAt, most }: { now: Date; retryAt: Date; most: number }) {
  return db
    .updateTable('merchant.event')
    .set({ reportAt: retryAt })
    .where('id', 'in', (q) =>
      q
        .selectFrom('merchant.event')
        .select('id')
        .where('reportAt', '<=', now)
        .orderBy('reportAt')
        .limit(most)
        .forUpdate()
        .skipLocked(),
    )
    .returning(['id', 'formId', 'type', 'at'])
    .execute();
}

/** Sends no more callbacks of this event. */
export async function setReported(db: Db, id: string): Promise<void> {
  await db.updateTable('merchant.event').set({ reportAt: null }).where('id', '=', id).execute();
}
