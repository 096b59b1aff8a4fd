/** Letters of other alphabets, digits and signs that look like a Latin letter, by the letter they look like. */
const lookAlikes: Record<string, string> = {
  a: 'аαɑ@',
  b: 'вьƅ',
  c: 'сϲᴄ',
  d: 'ԁɗ',
  e: 'еєεҽ℮',
  f: 'ƒϝ',
  g: 'ɡգ',
  h: 'һнհ',
  j: 'јϳ',
  k: 'кκ',
  // Latin i, capital I, digit 1 and | are one letter in many typefaces.
  l: 'i1|ıɩіιӏɪ!',
  m: 'мϻ',
  n: 'пηռո',
  o: '0оοօσ',
  p: 'рρ',
  q: 'ԛգ',
  r: 'гᴦ',
  s: 'ѕ$ꜱ',
  t: 'тτ',
  u: 'υսᴜц',
  v: 'ѵνᴠ',
  w: 'шωѡԝ',
  x: 'хχ',
  y: 'уγү',
  z: 'ᴢ',
};
const latinOf = new Map(
  Object.entries(lookAlikes).flatMap(([latin, others]) => [...others].map((other) => [other, latin])),
);

/**
 * A name reduced to its appearance: two names with the same result can be mistaken for each other. Case, accents, spaces and punctuation
 * are dropped, and look-alike letters become one (Unicode's confusables, as far as readers of English meet them).
 */
export function toLookAlikeKey(name: string): string {
  const letters = [...name.normalize('NFKD').toLowerCase().normalize('NFKD')].map(
    (letter) => latinOf.get(letter) ?? letter,
  );
  return letters
    .join('')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w');
}

/**
 * A web address in free text: with a scheme, `www.`, or letters, a dot and more letters without a space, whatever the top-level domain.
 * "Dr. Lee", "M.D." and "OB/GYN" are not; a slash before digits, or two slashes, make a path.
 */
const webAddress = /https?\S*|\bwww\.\S*|[\p{L}\p{N}-]+[.。]\p{L}{2,}\S*|\S*\p{L}\/\S*[\d/]\S*|\S*\/\/\S*/giu;

export function holdsWebAddress(text: string): boolean {
  const plain = text.normalize('NFKC');
  return plain.includes('@') || new RegExp(webAddress.source, 'iu').test(plain);
}

/** User text for one line of an email: no line breaks, no web addresses, shortened. */
export function oneLine(text: string, atMost = 80): string {
  const plain = text
    .replace(webAddress, '')
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim();
  return plain.length > atMost ? `${plain.slice(0, atMost - 1).trim()}…` : plain;
}
