import type { FoundAddress } from './sql.ts';
import type { TypedWord } from './typed-words.ts';

/** Approximate number of addresses, used to weight rare words. */
const estimatedTotal = 3_000_000;
const weights = { wholeBeginning: 0.5, inARow: 0.08, restOfName: 0.15 };

/** Sorts addresses by how well their name and place match the query. */
export function rankAddresses(typed: TypedWord[], found: FoundAddress[]): FoundAddress[] {
  const rated = found.map((address) => ({ address, score: scoreOf(typed, address) }));
  rated.sort((a, b) => b.score - a.score || (a.address.nameWords < b.address.nameWords ? -1 : 1));
  return rated.map(({ address }) => address);
}

/** The share of the query that matches, weighted by rarity. Adjacent words and a name with few other words score higher. */
function scoreOf(typed: TypedWord[], address: FoundAddress): number {
  const { nameWords, placeWords } = address;
  const own = address.words.split(' ');
  let matchedWeight = 0;
  let totalWeight = 0;
  const matched: (string | null)[] = typed.map((one) => {
    const weight = Math.log(estimatedTotal / (1 + Math.min(one.addresses, estimatedTotal / 3)));
    const { word, fit } = bestFit(one, own);
    totalWeight += weight;
    matchedWeight += weight * fit;
    return word;
  });
  let score = matchedWeight / totalWeight;
  const text = ` ${nameWords} | ${placeWords} `;
  for (let i = 1; i < matched.length; i++)
    if (matched[i - 1] && matched[i] && text.includes(` ${matched[i - 1]} ${matched[i]} `)) score += weights.inARow;
  const before = typed
    .slice(0, -1)
    .map(({ word }) => `${word} `)
    .join('');
  const whole = typed.at(-1)?.spellings.map((spelling) => before + spelling) ?? [];
  if (whole.some((letters) => nameWords.startsWith(letters) || placeWords.startsWith(letters)))
    score += weights.wholeBeginning;
  const name = nameWords.split(' ');
  return score - weights.restOfName * (name.filter((word) => !matched.includes(word)).length / name.length);
}

function bestFit({ word: typed, open, stands }: TypedWord, own: string[]): { word: string | null; fit: number } {
  let best: { word: string | null; fit: number } = { word: null, fit: 0 };
  for (const word of own) {
    const fit = stands.get(word) ?? (word === typed ? 1 : open && word.startsWith(typed) ? 0.9 : 0);
    if (fit > best.fit) best = { word, fit };
  }
  return best;
}
