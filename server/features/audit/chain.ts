import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';
import type { EntryRow } from './sql.ts';

/** An upper bound for the time from assigning an entry's number to the commit. Our transactions are far shorter. */
export const longestTransactionMs = 15 * 60_000;

/** How much older than the previous chaining run an entry may legitimately be: a transaction dates its entries before it commits. */
export const maxEntryLatenessMs = longestTransactionMs;

export interface ChainLink {
  officeId: string;
  /** Position in the office's chain, from 1. */
  position: number;
  sealedAt: Date;
}

/** Stands for the HMAC before an office's first entry. */
export const genesisHmac = Buffer.alloc(32);

/** The HMAC of a chain link: covers the HMAC before it, its own position and time, and every column of its entry. */
export function chainHmac(secret: string, link: ChainLink, previousHmac: Buffer, entry: EntryRow): Buffer {
  const { officeId, position, sealedAt } = link;
  const columns = [
    entry.id,
    entry.at.toISOString(),
    entry.actor,
    entry.actorId,
    entry.action,
    entry.subject,
    entry.outcome,
    entry.details,
    entry.requestId,
  ];
  return keyedHash(
    secret,
    'audit seal 1',
    officeId,
    String(position),
    sealedAt.toISOString(),
    previousHmac.toString('hex'),
    ...columns.map((value) => (value === null ? 'null' : `=${value}`)),
  );
}

/** The signed end of an office's chain at a point in time, stored outside the database. The field names are those of the head files. */
export interface Head {
  office: string;
  /** Position in the chain. */
  place: number;
  /** The HMAC at that position, in hex. */
  seal: string;
  sealedAt: string;
  signature: string;
}

export function signHead(secret: string, { officeId, position, sealedAt }: ChainLink, hmac: Buffer): Head {
  const head = { office: officeId, place: position, seal: hmac.toString('hex'), sealedAt: sealedAt.toISOString() };
  return { ...head, signature: signatureOf(secret, head).toString('hex') };
}

export function isSigned(secret: string, head: Head): boolean {
  return sameBytes(signatureOf(secret, head), Buffer.from(head.signature, 'hex'));
}

function signatureOf(secret: string, { office, place, seal, sealedAt }: Omit<Head, 'signature'>): Buffer {
  return keyedHash(secret, 'audit head 1', office, String(place), seal, sealedAt);
}
