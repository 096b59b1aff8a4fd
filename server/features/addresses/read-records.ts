import { CsvError, parse } from 'csv-parse';
import { UsageError } from '#server/kit/command.ts';
import type { NppesFile } from './nppes-file.ts';
import type { RecordReader } from './nppes-record.ts';
import type { AddressRow } from './address-row.ts';

/** How far a file was read: the end of the last record, and how many there were. */
export interface FilePosition {
  bytes: number;
  records: number;
}

/** An open quote would otherwise read on to the end of the file. */
const longestRecord = 4 << 20;

/**
 * Reads records from a place on: `keep` gets each practice as it is found, `breathe` runs after every megabyte with the place reached
 * and may wait. Throws UsageError for a file that is cut off or damaged.
 */
export async function readRecords(
  file: NppesFile,
  reading: RecordReader,
  from: FilePosition,
  keep: (row: AddressRow) => void,
  breathe: (place: FilePosition) => Promise<void>,
): Promise<FilePosition> {
  let { bytes, records } = from;
  const parser = parse({
    encoding: 'latin1',
    relax_column_count: true,
    on_record(record: string[]) {
      if (record.length !== reading.width)
        throw new UsageError(
          `Record ${records + 1} has ${record.length} columns instead of ${reading.width}: ${damaged(file)}`,
        );
      records++;
      bytes = from.bytes + parser.info.bytes;
      const row = reading.read(record);
      if (row) keep(row);
      return null;
    },
  });
  let failure: Error | undefined;
  parser.on('error', (error) => void (failure ??= error));
  const ended = new Promise<void>((resolve) => void parser.once('close', resolve));
  parser.resume();
  const check = () => {
    if (failure instanceof CsvError)
      throw new UsageError(`After record ${records} there is no whole record: ${damaged(file)}`, { cause: failure });
    if (failure) throw failure;
  };
  let read = from.bytes;
  for await (const chunk of file.from(from.bytes)) {
    read += chunk.length;
    // The parser's own limit is checked at every byte, which costs a quarter of its speed.
    if (read - bytes > longestRecord + chunk.length)
      throw new UsageError(`After record ${records} there is no whole record: ${damaged(file)}`);
    await new Promise<void>((resolve) => void parser.write(chunk, () => resolve()));
    check();
    await breathe({ bytes, records });
  }
  parser.end();
  await ended;
  check();
  return { bytes, records };
}

const damaged = ({ name }: NppesFile) => `${name} is cut off or damaged. Nothing was changed.`;
