import { keyedHash, sameBytes } from '#server/kit/crypto/secret.ts';
import type { EntryRow } from './sql.ts';

/** Longest time between an entry's number being drawn and its transaction's end. No transaction of ours comes near. */
export const longestTransactionMs = 15 * 60_000;

/** How much older than the sealing before its own an entry may honestly be: a transaction dates its entries before it commits. */
export const honestLatenessMs = longestTransactionMs;

export interface Link {
  officeId: string;
  /** Place in the office's chain, from 1. */
  place: number;
  sealedAt: Date;
}

/** What the first seal of an office follows. */
export const beforeTheFirst = Buffer.alloc(32);

/** The seal of an entry: a keyed hash over the seal before it, its own place and time, and every column of the entry. */
export function sealOf(secret: string, link: Link, before: Buffer, entry: EntryRow): Buffer {
  const { officeId, place, sealedAt } = link;
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
    String(place),
    sealedAt.toISOString(),
    before.toString('hex'),
    ...columns.map((value) => (value === null ? 'null' : `=${value}`)),
  );
}

/** How far an office's chain reached at a time, signed and kept outside the database. */
export interface Head {
  office: string;
  place: number;
  /** The seal at that place, in hex. */
  seal: string;
  sealedAt: string;
  signature: string;
}

export function signHead(secret: string, { officeId, place, sealedAt }: Link, seal: Buffer): Head {
  const head = { office: officeId, place, seal: seal.toString('hex'), sealedAt: sealedAt.toISOString() };
  return { ...head, signature: signatureOf(secret, head).toString('hex') };
}

export function isSigned(secret: string, head: Head): boolean {
  return sameBytes(signatureOf(secret, head), Buffer.from(head.signature, 'hex'));
}

function signatureOf(secret: string, { office, place, seal, sealedAt }: Omit<Head, 'signature'>): Buffer {
  return keyedHash(secret, 'audit head 1', office, String(place), seal, sealedAt);
}
