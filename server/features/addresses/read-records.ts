import { CsvError, parse } from 'csv-parse';
import { UsageError } from '#server/kit/command.ts';
import type { NppesFile } from './nppes-file.ts';
import type { RecordReader } from './nppes-record.ts';
import type { AddressRow } from './address-row.ts';

/** A position in the file: the end of the last record read, and the number of records. */
export interface FilePosition {
  bytes: number;
  records: number;
}

/** Without a limit, an unclosed quote would make one record of the rest of the file. */
const longestRecord = 4 << 20;

/**
 * Reads records from a position on. `onPractice` gets each practice; `onChunk` runs after each chunk with the new position, and reading
 * waits for it. Throws UsageError for a file that is cut off or damaged.
 */
export async function readRecords(
  file: NppesFile,
  reader: RecordReader,
  from: FilePosition,
  onPractice: (row: AddressRow) => void,
  onChunk: (position: FilePosition) => Promise<void>,
): Promise<FilePosition> {
  let { bytes, records } = from;
  const parser = parse({
    encoding: 'latin1',
    relax_column_count: true,
    on_record(record: string[]) {
      if (record.length !== reader.width)
        throw new UsageError(
          `Record ${records + 1} has ${record.length} columns instead of ${reader.width}: ${damagedMessage(file)}`,
        );
      records++;
      bytes = from.bytes + parser.info.bytes;
      const row = reader.read(record);
      if (row) onPractice(row);
      return null;
    },
  });
  let failure: Error | undefined;
  parser.on('error', (error) => void (failure ??= error));
  const ended = new Promise<void>((resolve) => void parser.once('close', resolve));
  parser.resume();
  const check = () => {
    if (failure instanceof CsvError)
      throw new UsageError(`After record ${records} there is no whole record: ${damagedMessage(file)}`, {
        cause: failure,
      });
    if (failure) throw failure;
  };
  let read = from.bytes;
  for await (const chunk of file.from(from.bytes)) {
    read += chunk.length;
    // The parser's own limit is checked at every byte, which costs a quarter of its speed.
    if (read - bytes > longestRecord + chunk.length)
      throw new UsageError(`After record ${records} there is no whole record: ${damagedMessage(file)}`);
    await new Promise<void>((resolve) => void parser.write(chunk, () => resolve()));
    check();
    await onChunk({ bytes, records });
  }
  parser.end();
  await ended;
  check();
  return { bytes, records };
}

const damagedMessage = ({ name }: NppesFile) => `${name} is cut off or damaged. Nothing was changed.`;
