import type { ListRow } from './read-phone-list.ts';

/** Rows of a list as columns: the browser copies them from the worker to the page much faster than one object for each row. */
export interface PackedRows {
  lines: Int32Array;
  /** Ten digits each; NaN for a row that is in `others`. */
  phones: Float64Array;
  /** Which of `times` a row has. */
  timeOf: Int32Array;
  times: (string | null)[];
  /** Null for a list without names. */
  names: string[] | null;
  /** Rows with a wrong cell, in order. */
  others: ListRow[];
}

export function packRows(rows: readonly ListRow[]): PackedRows {
  const times: (string | null)[] = [];
  const known = new Map<string | null, number>();
  const timeIndex = (time: string | null) => {
    const index = known.get(time) ?? times.push(time) - 1;
    known.set(time, index);
    return index;
  };
  return {
    lines: Int32Array.from(rows, ({ line }) => line),
    phones: Float64Array.from(rows, ({ phone, wrong }) => (wrong === null ? Number(phone) : Number.NaN)),
    timeOf: Int32Array.from(rows, ({ time }) => timeIndex(time)),
    times,
    names: rows.some(({ name }) => name !== '') ? rows.map(({ name }) => name) : null,
    others: rows.filter(({ wrong }) => wrong !== null),
  };
}

/** The rows again, in parts of `size`: the page takes in one part at a time. */
export function* unpackRows({ lines, phones, timeOf, times, names, others }: PackedRows, size: number) {
  let other = 0;
  const rowAt = (i: number): ListRow => {
    const phone = phones[i] as number;
    if (Number.isNaN(phone)) return others[other++] as ListRow;
    const time = times[timeOf[i] as number] ?? null;
    return { line: lines[i] as number, name: names?.[i] ?? '', phone: String(phone), time, wrong: null };
  };
  for (let from = 0; from < phones.length; from += size)
    yield Array.from({ length: Math.min(size, phones.length - from) }, (_, i) => rowAt(from + i));
}
