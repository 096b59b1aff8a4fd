/** Two versions of the same notes in one text: the colleague's, then the lines of one's own that it does not have. */
export function joinNotes(theirs: string, mine: string): string {
  if (theirs.trim() === '' || mine.startsWith(`${theirs}\n`)) return mine;
  const theirLines = new Set(theirs.split('\n').map((line) => line.trim()));
  const added = mine.split('\n').filter((line) => line.trim() === '' || !theirLines.has(line.trim()));
  const addedText = added.join('\n').trim();
  return addedText === '' ? theirs : `${theirs.trimEnd()}\n${addedText}`;
}
