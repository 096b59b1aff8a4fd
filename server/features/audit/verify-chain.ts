import type { Services } from '#server/context.ts';
import { asOffice, type Tx } from '#server/kit/db/db.ts';
import { beforeTheFirst, isSigned, honestLatenessMs, sealOf, type Head } from './chain.ts';
import { readHeads } from './signed-heads.ts';
import { settledBefore } from './chain-entries.ts';
import { lastSeal, sealsAfter, unsealedEntries, type SealRow } from './sql.ts';

export type Tampering = 'changed' | 'deleted' | 'inserted' | 'cut' | 'rewritten' | 'forged-head';

export interface Finding {
  what: Tampering;
  /** Place in the chain, where it has one. */
  place: number | null;
  entryId: number | null;
  says: string;
}

export interface Verdict {
  officeId: string;
  /** Entries the chain holds. */
  sealed: number;
  heads: number;
  /** Lines in the file store that could not be read as heads. */
  damagedHeads: number;
  lastHead: Head | null;
  /** Entries younger than the last sealing: not protected yet. */
  unsealed: number;
  findings: Finding[];
}

const batch = 2_000;

/** Compares an office's record with its chain and the chain with the signed heads. Finds what the owner of the tables did without the key. */
export async function verifyOffice(services: Pick<Services, 'db' | 'env'>, officeId: string): Promise<Verdict> {
  const secret = services.env.secrets.audit;
  const { heads: kept, damaged } = await readHeads(services.env.dataDir, officeId);
  const heads = kept.filter((head) => isSigned(secret, head));
  const forged = kept
    .filter((head) => !isSigned(secret, head))
    .map(({ place }) => finding('forged-head', place, null, `a head for place ${place} was not signed with our key`));
  return asOffice(services.db, officeId, async (tx) => {
    const chain = await walkChain(
      tx,
      secret,
      officeId,
      Map.groupBy(heads, ({ place }) => place),
    );
    const loose = await looseEntries(tx, officeId);
    return {
      officeId,
      sealed: chain.sealed,
      heads: heads.length,
      damagedHeads: damaged,
      lastHead: heads.reduce<Head | null>((last, head) => (last && last.place >= head.place ? last : head), null),
      unsealed: loose.young,
      findings: [...forged, ...chain.findings, ...loose.findings],
    };
  });
}

/** Every seal in turn: is it there, is its entry there, does it follow from the one before, do the heads agree? */
async function walkChain(tx: Tx, secret: string, officeId: string, heads: Map<number, Head[]>) {
  const findings: Finding[] = [];
  let before: Pick<SealRow, 'id' | 'hmac'> = { id: 0, hmac: beforeTheFirst };
  let sealed = 0;
  const runs: { last: Date | null; previous: Date | null } = { last: null, previous: null };
  for (;;) {
    const page = await sealsAfter(tx, officeId, before.id, batch);
    for (const { seal, entry } of page) {
      sealed++;
      if (runs.last?.getTime() !== seal.sealedAt.getTime())
        Object.assign(runs, { previous: runs.last, last: seal.sealedAt });
      if (seal.id !== before.id + 1) findings.push(gap(before.id + 1, seal.id - 1));
      if (!entry) findings.push(finding('deleted', seal.id, seal.entryId, `entry ${seal.entryId} is gone`));
      else if (
        !sealOf(secret, { officeId, place: seal.id, sealedAt: seal.sealedAt }, before.hmac, entry).equals(seal.hmac)
      )
        findings.push(finding('changed', seal.id, entry.id, `entry ${entry.id} or its seal is not what was sealed`));
      else if (runs.previous && entry.at.getTime() < runs.previous.getTime() - honestLatenessMs)
        findings.push(
          finding(
            'inserted',
            seal.id,
            entry.id,
            `entry ${entry.id} is dated ${time(entry.at)}, but was not there when the record was sealed at ${time(runs.previous)}`,
          ),
        );
      for (const head of heads.get(seal.id) ?? [])
        if (head.seal !== seal.hmac.toString('hex'))
          findings.push(
            finding('rewritten', seal.id, seal.entryId, `the chain differs from the head signed at ${head.sealedAt}`),
          );
      before = seal;
    }
    if (page.length < batch) break;
  }
  const furthest = Math.max(0, ...heads.keys());
  if (furthest > before.id)
    findings.push(
      finding('cut', before.id + 1, null, `the chain ends at place ${before.id}, a signed head says ${furthest}`),
    );
  return { findings, sealed };
}

/** Entries outside the chain: young ones wait for the next sealing, older ones were put in behind its back. */
async function looseEntries(tx: Tx, officeId: string): Promise<{ young: number; findings: Finding[] }> {
  const end = await lastSeal(tx, officeId);
  const settled = await settledBefore(tx, officeId, end);
  const oldest = end ? end.sealedAt.getTime() - honestLatenessMs : 0;
  const loose = await unsealedEntries(tx, officeId, Number.MIN_SAFE_INTEGER);
  const late = loose.filter(({ id, at }) => id <= settled || at.getTime() < oldest);
  return {
    young: loose.length - late.length,
    findings: late.map(({ id, at }) =>
      finding('inserted', null, id, `entry ${id}, dated ${time(at)}, was put in after its time had been sealed`),
    ),
  };
}

function gap(from: number, to: number): Finding {
  return finding('deleted', from, null, from === to ? `seal ${from} is gone` : `seals ${from} to ${to} are gone`);
}

function finding(what: Tampering, place: number | null, entryId: number | null, says: string): Finding {
  return { what, place, entryId, says };
}

const time = (at: Date) => at.toISOString();
