/** Two versions of the same notes in one text: the colleague's, then what is different in one's own. */
export function joinNotes(theirs: string, mine: string): string {
  if (theirs.trim() === '' || mine.startsWith(theirs)) return mine;
  if (theirs.includes(mine)) return theirs;
  const known = new Set(theirs.split('\n').map((line) => line.trim()));
  const added = mine.split('\n').filter((line) => line.trim() === '' || !known.has(line.trim()));
  return `${theirs.trimEnd()}\n${added.join('\n').trim()}`;
}
