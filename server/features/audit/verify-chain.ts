import type { Services } from '#server/context.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { genesisHmac, isSigned, maxEntryLatenessMs, chainHmac, type Head } from './chain.ts';
import { readHeads } from './signed-heads.ts';
import { lastCompleteEntry } from './chain-entries.ts';
import { lastChainLink, chainLinksAfter, unchainedEntries, type ChainLinkRow } from './sql.ts';

export type Tampering = 'changed' | 'deleted' | 'inserted' | 'cut' | 'rewritten' | 'forged-head';

export interface Finding {
  what: Tampering;
  /** Position in the chain, if it has one. */
  position: number | null;
  entryId: number | null;
  message: string;
}

export interface Verdict {
  officeId: string;
  /** Number of entries in the chain. */
  chained: number;
  heads: number;
  /** Lines in the file store that could not be parsed as heads. */
  damagedHeads: number;
  lastHead: Head | null;
  /** Entries newer than the last chaining run: not protected yet. */
  unchained: number;
  findings: Finding[];
}

const batch = 2_000;

/** Compares an office's audit log with its chain, and the chain with the signed heads. Finds changes made without the audit key. */
export async function verifyOffice(services: Pick<Services, 'db' | 'env'>, officeId: string): Promise<Verdict> {
  const secret = services.env.secrets.audit;
  const { heads: storedHeads, damaged } = await readHeads(services.env.dataDir, officeId);
  const heads = storedHeads.filter((head) => isSigned(secret, head));
  const forged = storedHeads
    .filter((head) => !isSigned(secret, head))
    .map(({ place }) => finding('forged-head', place, null, `a head for place ${place} was not signed with our key`));
  return asOffice(services.db, officeId, async (tx) => {
    const chain = await walkChain(
      tx,
      secret,
      officeId,
      Map.groupBy(heads, ({ place }) => place),
    );
    const unchained = await findUnchained(tx, officeId);
    return {
      officeId,
      chained: chain.chained,
      heads: heads.length,
      damagedHeads: damaged,
      lastHead: heads.reduce<Head | null>((last, head) => (last && last.place >= head.place ? last : head), null),
      unchained: unchained.pending,
      findings: [...forged, ...chain.findings, ...unchained.findings],
    };
  });
}

/** Checks each link: that it and its entry exist, that it follows from the previous one, and that the heads agree. */
async function walkChain(tx: Tx, secret: string, officeId: string, heads: Map<number, Head[]>) {
  const findings: Finding[] = [];
  let before: Pick<ChainLinkRow, 'id' | 'hmac'> = { id: 0, hmac: genesisHmac };
  let chained = 0;
  const runs: { last: Date | null; previous: Date | null } = { last: null, previous: null };
  for (;;) {
    const page = await chainLinksAfter(tx, officeId, before.id, batch);
    for (const { link, entry } of page) {
      chained++;
      if (runs.last?.getTime() !== link.sealedAt.getTime())
        Object.assign(runs, { previous: runs.last, last: link.sealedAt });
      if (link.id !== before.id + 1) findings.push(gap(before.id + 1, link.id - 1));
      if (!entry) findings.push(finding('deleted', link.id, link.entryId, `entry ${link.entryId} is gone`));
      else if (
        !chainHmac(secret, { officeId, position: link.id, sealedAt: link.sealedAt }, before.hmac, entry).equals(
          link.hmac,
        )
      )
        findings.push(finding('changed', link.id, entry.id, `entry ${entry.id} or its chain link has changed`));
      else if (runs.previous && entry.at.getTime() < runs.previous.getTime() - maxEntryLatenessMs)
        findings.push(
          finding(
            'inserted',
            link.id,
            entry.id,
            `entry ${entry.id} is dated ${time(entry.at)}, but was not there when the audit log was chained at ${time(runs.previous)}`,
          ),
        );
      for (const head of heads.get(link.id) ?? [])
        if (head.seal !== link.hmac.toString('hex'))
          findings.push(
            finding('rewritten', link.id, link.entryId, `the chain differs from the head signed at ${head.sealedAt}`),
          );
      before = link;
    }
    if (page.length < batch) break;
  }
  const furthest = Math.max(0, ...heads.keys());
  if (furthest > before.id)
    findings.push(
      finding('cut', before.id + 1, null, `the chain ends at place ${before.id}, a signed head says ${furthest}`),
    );
  return { findings, chained };
}

/** Entries outside the chain: new ones wait for the next run; older ones were inserted without the program. */
async function findUnchained(tx: Tx, officeId: string): Promise<{ pending: number; findings: Finding[] }> {
  const end = await lastChainLink(tx, officeId);
  const complete = await lastCompleteEntry(tx, officeId, end);
  const oldest = end ? end.sealedAt.getTime() - maxEntryLatenessMs : 0;
  const entries = await unchainedEntries(tx, officeId, Number.MIN_SAFE_INTEGER);
  const late = entries.filter(({ id, at }) => id <= complete || at.getTime() < oldest);
  return {
    pending: entries.length - late.length,
    findings: late.map(({ id, at }) =>
      finding('inserted', null, id, `entry ${id}, dated ${time(at)}, was inserted after that time had been chained`),
    ),
  };
}

function gap(from: number, to: number): Finding {
  return finding('deleted', from, null, from === to ? `link ${from} is gone` : `links ${from} to ${to} are gone`);
}

function finding(what: Tampering, position: number | null, entryId: number | null, message: string): Finding {
  return { what, position, entryId, message };
}

const time = (at: Date) => at.toISOString();
