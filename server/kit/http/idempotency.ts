import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Access, Endpoint } from '#contract/endpoint.ts';
import type { AnyoneCtx, Services, OfficeScope } from '#server/context.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { Refusal } from './refusal.ts';

/**
 * Runs a creating call once per Idempotency-Key (scope: caller and route, 24 h). The key, the effect and the reply are one transaction, so
 * of 20 concurrent calls one acts and all get its reply. The same key with another body is `key_reused`.
 */
export async function onceForRequest<R>(
  ctx: AnyoneCtx & Partial<OfficeScope>,
  e: Endpoint<unknown, unknown, unknown, unknown, Access>,
  req: FastifyRequest,
  input: unknown,
  act: () => Promise<R>,
): Promise<R> {
  const key = e.creates && ctx.transaction ? ctx.http.header('idempotency-key') : undefined;
  if (!key || !ctx.transaction) return act();
  if (key.length > 200) throw new Refusal('invalid_input');
  const officeId = ctx.officeId as string;
  const scope = `${ctx.caller?.personId ?? ''}:${e.method} ${e.path}`;
  return ctx.transaction((tx) =>
    onceInTransaction(tx, { officeId, scope, key, body: JSON.stringify(input), at: ctx.now() }, act),
  );
}

/** The same inside an open transaction, for callers whose scope only the handler knows. */
export async function onceInTransaction<R>(
  tx: Tx,
  call: { officeId: string; scope: string; key: string; body: string; at: Date },
  act: () => Promise<R>,
): Promise<R> {
  const { officeId, at } = call;
  const id = sha256(JSON.stringify([call.scope, call.key])).toString('base64url');
  const bodyHash = sha256(call.body);
  const claimed = await tx
    .insertInto('idempotency')
    .values({ officeId, id, bodyHash, createdAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['officeId', 'id'])
        .doUpdateSet({ bodyHash, createdAt: at, reply: null })
        .where('idempotency.createdAt', '<=', aDayBefore(at)),
    )
    .returning('id')
    .executeTakeFirst();
  if (!claimed) {
    const before = await tx
      .selectFrom('idempotency')
      .select(['bodyHash', 'reply'])
      .where('officeId', '=', officeId)
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    if (!bodyHash.equals(before.bodyHash)) throw new Refusal('key_reused');
    return before.reply as R;
  }
  const reply = await act();
  await tx
    .updateTable('idempotency')
    .set({ reply: JSON.stringify(reply) })
    .where('officeId', '=', officeId)
    .where('id', '=', id)
    .execute();
  return reply;
}

/** Deletes replies that no retry can request any more. */
export async function forgetReplies({ pool, db, now }: Pick<Services, 'pool' | 'db' | 'now'>): Promise<void> {
  for (const id of await officeIds(pool))
    await asOffice(db, id, (tx) =>
      tx.deleteFrom('idempotency').where('officeId', '=', id).where('createdAt', '<=', aDayBefore(now())).execute(),
    );
}

const aDayBefore = (at: Date) => new Date(at.getTime() - 86_400_000);
const sha256 = (text: string) => createHash('sha256').update(text).digest();
