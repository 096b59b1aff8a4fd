import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import pg from 'pg';

/** One piece of a base backup: bytes of the data folder's tar archive, or of the manifest that follows it. */
export interface BaseBackupChunk {
  part: 'archive' | 'manifest';
  bytes: Buffer;
}

export interface BaseBackup {
  /** PostgreSQL's own estimate of the archive's size. */
  estimatedBytes: number;
  chunks: Readable & AsyncIterable<BaseBackupChunk>;
}

/** Only the messages this file needs; pg does not type its protocol messages. */
interface CopyQuery {
  submit(connection: { query(text: string): void }): void;
  handleRowDescription(): void;
  handleDataRow(message: { fields: (Buffer | string | null)[] }): void;
  handleCopyData(message: { chunk: Buffer }): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

/**
 * Requests a copy of a running PostgreSQL's (15 or newer) data folder over the replication protocol, with all the WAL it needs to start.
 * `url` is a login with REPLICATION. Reads go on and writes are not blocked. The stream ends with an error if PostgreSQL reports one.
 */
export async function openBaseBackup(url: string): Promise<BaseBackup> {
  const client = new pg.Client({
    connectionString: url,
    replication: 'true',
    application_name: 'anteroom backup',
    connectionTimeoutMillis: 10_000,
  } as pg.ClientConfig);
  client.on('error', () => undefined);
  await client.connect();
  try {
    // Without the slot PostgreSQL may recycle WAL during a long copy, which then fails at its end. The slot ends with this connection.
    await client.query(
      `CREATE_REPLICATION_SLOT anteroom_backup_${randomBytes(6).toString('hex')} TEMPORARY PHYSICAL RESERVE_WAL`,
    );
    return await startCopy(client);
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}

const statement =
  "BASE_BACKUP (LABEL 'anteroom backup', PROGRESS true, CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')";

function startCopy(client: pg.Client): Promise<BaseBackup> {
  const socket = (client as unknown as { connection: { stream: { pause(): void; resume(): void } } }).connection.stream;
  const end = () => void client.end().catch(() => undefined);
  const chunks = new Readable({
    objectMode: true,
    highWaterMark: 32,
    read: () => socket.resume(),
    destroy(error, done) {
      end();
      done(error);
    },
  }) as BaseBackup['chunks'];
  return new Promise((resolve, reject) => {
    // Result sets in this order: where the WAL starts; the folders and their sizes; the copy; where the WAL ends.
    let resultSet = 0;
    let estimatedBytes = 0;
    let part: BaseBackupChunk['part'] | null = null;

    let isOver = false;

    const fail = (error: Error) => {
      if (isOver) return;
      isOver = true;
      reject(error);
      chunks.destroy(error);
    };
    const query: CopyQuery = {
      submit: (connection) => connection.query(statement),
      handleRowDescription: () => void resultSet++,
      handleDataRow({ fields }) {
        if (resultSet !== 2) return;
        const [oid, , kilobytes] = fields.map((field) => (field === null ? null : String(field)));
        estimatedBytes += Number(kilobytes ?? 0) * 1024;
        if (oid !== null)
          fail(new Error('the database has tablespaces outside its data folder, which this backup cannot hold'));
      },
      handleCopyData({ chunk }) {
        const body = chunk.subarray(1);
        switch (String.fromCharCode(chunk[0] ?? 0)) {
          case 'n':
            part = 'archive';
            resolve({ estimatedBytes, chunks });
            return;
          case 'm':
            part = 'manifest';
            return;
          case 'd':
            if (part === null) return fail(new Error('PostgreSQL sent data that belongs to no archive'));
            // pg reuses its read buffer for the next message.
            if (!chunks.push({ part, bytes: Buffer.from(body) } satisfies BaseBackupChunk)) socket.pause();
        }
      },
      handleCommandComplete: () => undefined,
      handleReadyForQuery() {
        isOver = true;
        chunks.push(null);
        end();
      },
      handleError: (error) => fail(error),
    };
    client.once('end', () => fail(new Error('the connection to PostgreSQL broke while it was copied')));
    client.query(query as unknown as pg.Submittable);
  });
}
