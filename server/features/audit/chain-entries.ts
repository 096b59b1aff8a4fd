import type { Services } from '#server/context.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { officeIds } from '#server/kit/db/office-directory.ts';
import { genesisHmac, longestTransactionMs, chainHmac, signHead } from './chain.ts';
import { appendHead, lastHeadPosition } from './signed-heads.ts';
import { insertChainLinks, lastChainLink, lockChain, unchainedEntries, type ChainLinkRow } from './sql.ts';

const batch = 500;

type ChainContext = Pick<Services, 'db' | 'pool' | 'env' | 'now'>;

/** Chains every office's new audit entries and writes each chain's signed head to the file store. A failing office does not stop the others. */
export async function chainAllOffices(services: ChainContext): Promise<void> {
  const failed: unknown[] = [];
  for (const id of await officeIds(services.pool))
    await chainOffice(services, id).catch((error: unknown) => failed.push(error));
  if (failed.length > 0) throw failed[0];
}

/** Chains one office's new entries; returns how many. The head is signed after the commit, so it never covers a rolled-back entry. */
export async function chainOffice(services: ChainContext, officeId: string): Promise<number> {
  const { db, env } = services;
  const { added, end } = await asOffice(db, officeId, (tx) => extendChain(tx, services, officeId));
  if (end && end.id > (await lastHeadPosition(env.dataDir, officeId))) {
    const link = { officeId, position: end.id, sealedAt: end.sealedAt };
    await appendHead(env.dataDir, signHead(env.secrets.audit, link, end.hmac));
  }
  return added;
}

async function extendChain(
  tx: Tx,
  { env, now }: ChainContext,
  officeId: string,
): Promise<{ added: number; end?: ChainLinkRow }> {
  if (!(await lockChain(tx, officeId))) return { added: 0 };
  let end = await lastChainLink(tx, officeId);
  const sealedAt = now();
  let after = await lastCompleteEntry(tx, officeId, end);
  let added = 0;
  for (;;) {
    const entries = await unchainedEntries(tx, officeId, after, batch);
    const links: ChainLinkRow[] = [];
    for (const entry of entries) {
      const position = (end?.id ?? 0) + 1;
      const hmac = chainHmac(env.secrets.audit, { officeId, position, sealedAt }, end?.hmac ?? genesisHmac, entry);
      end = { officeId, id: position, entryId: entry.id, hmac, sealedAt };
      links.push(end);
      after = entry.id;
    }
    if (links.length > 0) await insertChainLinks(tx, officeId, sealedAt, links);
    added += links.length;
    if (entries.length < batch) return { added, ...(end && { end }) };
  }
}

/**
 * The entry number up to which every entry is in the chain. Numbers are assigned before the commit, so a later commit can add a lower
 * number, which the next run chains. This cannot happen below entries that were chained longer ago than the longest transaction takes.
 */
export async function lastCompleteEntry(tx: Tx, officeId: string, end: ChainLinkRow | undefined): Promise<number> {
  if (!end) return 0;
  const old = await lastChainLink(tx, officeId, new Date(end.sealedAt.getTime() - longestTransactionMs));
  return old?.entryId ?? 0;
}
