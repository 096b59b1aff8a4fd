/** One line of the report: a figure, the figure it is compared with in the same run, and its target. */
export interface Line {
  what: string;
  figure: string;
  beside: string;
  aim: string;
  /** Null without a target: the figure is only printed. */
  met: boolean | null;
}

export const ratio = (value: number) => `${value.toFixed(2)}x`;
export const perSecond = (value: number) => `${Math.round(value).toLocaleString('en')}/s`;
export const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`;
export const ms = (value: number) => `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;

export function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

export function percentile(values: number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((p / 100) * sorted.length) - 1)] ?? Number.NaN;
}

export function printReport(lines: Line[]): void {
  for (const { what, figure, beside, aim, met } of lines) {
    const verdict = met === null ? '     ' : met ? 'ok   ' : 'MISS ';
    process.stdout.write(`${verdict} ${what}: ${figure}${beside && ` (${beside})`}${aim && `, aim ${aim}`}\n`);
  }
}
