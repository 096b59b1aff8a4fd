const width = 30;

/** Shows reading progress: a bar on a terminal, otherwise a line per tenth. Cheap to call often. */
export function progressBar(total: number, say: (line: string) => void, out: NodeJS.WriteStream = process.stderr) {
  const started = performance.now();
  let tenths = -1;
  let shownAt = 0;
  return (bytes: number, records: number): void => {
    const share = total === 0 ? 1 : Math.min(1, bytes / total);
    const tenth = Math.floor(share * 10);
    if (tenths === 10) return;
    const now = performance.now();
    if (out.isTTY && (now - shownAt >= 200 || tenth === 10)) {
      shownAt = now;
      const full = Math.round(share * width);
      const bar = `${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.floor(share * 100)).padStart(3)} %`;
      const rest = `${records.toLocaleString('en')} records, ${Math.round((now - started) / 1000)} s`;
      out.write(`\r${bar}  ${rest} ${tenth === 10 ? '\n' : ''}`);
    } else if (!out.isTTY && tenth > tenths) say(`${tenth * 10} % read, ${records.toLocaleString('en')} records`);
    tenths = tenth;
  };
}
