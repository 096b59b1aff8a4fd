import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Access } from '#contract/endpoint.ts';
import type { AnyoneCtx, OfficeScope } from '#server/ctx.ts';
import type { Tx } from './db.ts';
import { Refusal } from './refusal.ts';

/**
 * Carries out a creating call once per Idempotency-Key (scope: caller and route, 24 h): the key, the effect and the reply are one
 * transaction, so of 20 at once one acts and all get its reply. The same key with another body is `key_reused`.
 */
export async function once<R>(
  ctx: AnyoneCtx & Partial<OfficeScope>,
  e: Endpoint<unknown, unknown, unknown, unknown, Access>,
  req: FastifyRequest,
  input: unknown,
  act: () => Promise<R>,
): Promise<R> {
  const key = e.creates && ctx.transaction ? ctx.http.header('idempotency-key') : undefined;
  if (!key || !ctx.transaction) return act();
  if (key.length > 200) throw new Refusal('invalid_input');
  const scope = `${ctx.officeId}:${ctx.caller?.personId ?? ''}:${e.method} ${e.path}`;
  return ctx.transaction(async (tx) => onceIn(tx, { scope, key, body: JSON.stringify(input), at: ctx.now() }, act));
}

/** The same inside a transaction that is open already, for callers whose scope is known only to the verb. */
export async function onceIn<R>(
  tx: Tx,
  given: { scope: string; key: string; body: string; at: Date },
  act: () => Promise<R>,
): Promise<R> {
  const { scope, key, at } = given;
  const bodyHash = createHash('sha256').update(given.body).digest();
  const claimed = await tx
    .insertInto('idempotency')
    .values({ scope, key, bodyHash, createdAt: at })
    .onConflict((conflict) =>
      conflict
        .columns(['scope', 'key'])
        .doUpdateSet({ bodyHash, createdAt: at, reply: null })
        .where('idempotency.createdAt', '<', new Date(at.getTime() - 86_400_000)),
    )
    .returning('key')
    .executeTakeFirst();
  if (!claimed) {
    const before = await tx
      .selectFrom('idempotency')
      .selectAll()
      .where('scope', '=', scope)
      .where('key', '=', key)
      .executeTakeFirstOrThrow();
    if (!bodyHash.equals(before.bodyHash)) throw new Refusal('key_reused');
    return before.reply as R;
  }
  const reply = await act();
  await tx
    .updateTable('idempotency')
    .set({ reply: JSON.stringify(reply) })
    .where('scope', '=', scope)
    .where('key', '=', key)
    .execute();
  return reply;
}
