import { createHash } from 'node:crypto';

/** A UUID (version 8, whose digits are free) that is always the same for the same parts. */
export function stableUuid(...parts: (string | null)[]): string {
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  const variant = ((Number.parseInt(digest.charAt(16), 16) & 3) | 8).toString(16);
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...groups, `${variant}${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}
