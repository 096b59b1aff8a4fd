const width = 30;

/** A bar on a terminal, a line every tenth elsewhere. */
export function progressBar(total: number, say: (line: string) => void, out: NodeJS.WriteStream = process.stderr) {
  const started = performance.now();
  let shown = -1;
  let lastAt = 0;
  return {
    /** Shows how far it is; cheap to call often. */
    at(bytes: number, records: number): void {
      const share = total === 0 ? 1 : Math.min(1, bytes / total);
      const now = performance.now();
      if (out.isTTY) {
        if (now - lastAt < 200 && share < 1) return;
        lastAt = now;
        const full = Math.round(share * width);
        const seconds = (now - started) / 1000;
        out.write(
          `\r${'█'.repeat(full)}${'░'.repeat(width - full)} ${String(Math.floor(share * 100)).padStart(3)} %  ` +
            `${records.toLocaleString('en')} records, ${Math.round(seconds)} s `,
        );
        return;
      }
      const tenth = Math.floor(share * 10);
      if (tenth <= shown) return;
      shown = tenth;
      say(`${tenth * 10} % read, ${records.toLocaleString('en')} records`);
    },
    end(): void {
      if (out.isTTY) out.write('\n');
    },
  };
}
