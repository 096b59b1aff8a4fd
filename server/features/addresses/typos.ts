/** The edit distance of two words: missing, extra, wrong or swapped letters. With `open`, the nearest beginning of `word` counts. */
export function lettersApart(typed: string, word: string, open: boolean): number {
  let before: number[] = [];
  let last = Array.from({ length: word.length + 1 }, (_, i) => i);
  for (let i = 1; i <= typed.length; i++) {
    const row = [i];
    for (let j = 1; j <= word.length; j++) {
      const same = typed[i - 1] === word[j - 1] ? 0 : 1;
      let least = Math.min((last[j] as number) + 1, (row[j - 1] as number) + 1, (last[j - 1] as number) + same);
      if (i > 1 && j > 1 && typed[i - 1] === word[j - 2] && typed[i - 2] === word[j - 1])
        least = Math.min(least, (before[j - 2] as number) + 1);
      row.push(least);
    }
    before = last;
    last = row;
  }
  return open ? Math.min(...last) : (last[word.length] as number);
}

/** Minimum length of a word for typo matching, and the maximum number of typos. */
export const typosFromLetters = 5;
export const typosAtMost = (typed: string) => (typed.length < 8 ? 1 : 2);

/** `typed` and all ways to write it with one letter missing: words with one of these in common are at most two letters apart. */
export function oneLetterLess(typed: string): string[] {
  return [...new Set([typed, ...Array.from(typed, (_, i) => typed.slice(0, i) + typed.slice(i + 1))])];
}

/** Whether typo matching applies: only letters, and enough of them. */
export const mayHaveTypos = (typed: string) => typed.length >= typosFromLetters && /^[a-z]{5,30}$/.test(typed);
