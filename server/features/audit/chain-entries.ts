import type { Services } from '#server/context.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { beforeTheFirst, longestTransactionMs, sealOf, signHead } from './chain.ts';
import { appendHead, lastHeadPlace } from './signed-heads.ts';
import { addSeals, lastSeal, lockChain, unsealedEntries, type SealRow } from './sql.ts';

const batch = 500;

type Sealing = Pick<Services, 'db' | 'pool' | 'env' | 'now'>;

/** Chains what every office's record has grown by, and signs each chain's head into the file store. One that fails does not hold up the others. */
export async function sealAll(services: Sealing): Promise<void> {
  const { rows } = await services.pool.query<{ id: string }>('select door_office_ids() as id');
  const failed: unknown[] = [];
  for (const { id } of rows) await sealOffice(services, id).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
}

/** Chains one office's new entries; answers how many. The head is signed after the commit, so it never promises what a rollback took back. */
export async function sealOffice(services: Sealing, officeId: string): Promise<number> {
  const { db, env } = services;
  const { added, end } = await asOffice(db, officeId, (tx) => extendChain(tx, services, officeId));
  if (end && end.id > (await lastHeadPlace(env.dataDir, officeId))) {
    const link = { officeId, place: end.id, sealedAt: end.sealedAt };
    await appendHead(env.dataDir, signHead(env.secrets.audit, link, end.hmac));
  }
  return added;
}

async function extendChain(tx: Tx, { env, now }: Sealing, officeId: string): Promise<{ added: number; end?: SealRow }> {
  if (!(await lockChain(tx, officeId))) return { added: 0 };
  let end = await lastSeal(tx, officeId);
  const sealedAt = now();
  let after = await settledBefore(tx, officeId, end);
  let added = 0;
  for (;;) {
    const entries = await unsealedEntries(tx, officeId, after, batch);
    const seals: SealRow[] = [];
    for (const entry of entries) {
      const place = (end?.id ?? 0) + 1;
      const hmac = sealOf(env.secrets.audit, { officeId, place, sealedAt }, end?.hmac ?? beforeTheFirst, entry);
      end = { officeId, id: place, entryId: entry.id, hmac, sealedAt };
      seals.push(end);
      after = entry.id;
    }
    if (seals.length > 0) await addSeals(tx, officeId, sealedAt, seals);
    added += seals.length;
    if (entries.length < batch) return { added, ...(end && { end }) };
  }
}

/**
 * Up to which entry number everything is in the chain. Numbers are drawn before the commit, so a later commit can bring a lower
 * one: it is sealed by the next run. What was sealed a longest transaction before the last sealing has no such neighbour left.
 */
export async function settledBefore(tx: Tx, officeId: string, end: SealRow | undefined): Promise<number> {
  if (!end) return 0;
  const old = await lastSeal(tx, officeId, new Date(end.sealedAt.getTime() - longestTransactionMs));
  return old?.entryId ?? 0;
}
