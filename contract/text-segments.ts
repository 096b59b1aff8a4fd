/**
 * How a text message is cut for the carrier, which bills each segment.
 *
 * GSM-7: the phone alphabet, 160 characters in one segment, 153 in each of several. UCS-2: everything else, 70 and 67 units of 16 bits.
 */

/** One septet each. */
const gsmBasic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
/** An escape and a septet each. */
const gsmExtended = '\f^{}\\[~]|€';
const septets = new Map<string, number>([
  ...[...gsmBasic].map((character) => [character, 1] as const),
  ...[...gsmExtended].map((character) => [character, 2] as const),
]);

export interface TextSize {
  encoding: 'GSM-7' | 'UCS-2';
  /** Counted as carriers do: in septets, or in units of 16 bits. */
  characters: number;
  segments: number;
  /** What still fits into the last segment. */
  left: number;
}

/** The first character that the phone alphabet does not have, so that the whole text is UCS-2; null without one. */
export const firstSpecial = (text: string): string | null =>
  [...text].find((character) => !septets.has(character)) ?? null;

/** The segments of a text. A character that takes two places never crosses a segment's border: it moves to the next segment. */
export function sizeOfText(text: string): TextSize {
  const characters = [...text];
  const isGsm = characters.every((character) => septets.has(character));
  const sizes = characters.map((character) => (isGsm ? (septets.get(character) ?? 1) : character.length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const [alone, each] = isGsm ? [160, 153] : [70, 67];
  const encoding = isGsm ? 'GSM-7' : 'UCS-2';
  if (total <= alone) return { encoding, characters: total, segments: total === 0 ? 0 : 1, left: alone - total };

  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > each) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return { encoding, characters: total, segments, left: each - used };
}
