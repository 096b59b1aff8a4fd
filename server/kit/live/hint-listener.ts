import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { acceptConnection } from '#server/kit/db/app-login.ts';
import { hintChannel, type Hint } from './hint.ts';

export interface HintListener {
  /** True while this process receives the database's notifications. */
  readonly listening: boolean;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface HintHandlers {
  onHint(hint: Hint): void;
  /** Listening again after a cut: hints may have been missed. */
  onReconnect(): void;
}

const retryMs = 250;

/** Listens with LISTEN on a separate database connection, which it reopens whenever it is cut. */
export function openHintListener(
  databaseUrl: string,
  log: FastifyBaseLogger,
  { onHint, onReconnect }: HintHandlers,
): HintListener {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let listenedBefore = false;

  const start = async () => {
    if (isClosed) return;
    const mine = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'anteroom-live',
      connectionTimeoutMillis: 5_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    let isLost = false;
    const onLost = () => {
      if (isLost) return; // a cut connection can emit twice
      isLost = true;
      client = undefined;
      mine.end().catch(() => undefined);
      if (!isClosed) retry = setTimeout(() => void start(), retryMs);
    };
    mine.on('error', onLost);
    mine.on('end', onLost);
    mine.on('notification', ({ payload }) => {
      if (payload) onHint(JSON.parse(payload) as Hint);
    });
    try {
      await mine.connect();
      await acceptConnection(mine);
      await mine.query(`listen ${hintChannel}`);
      if (isLost) return;
      client = mine;
      if (listenedBefore) onReconnect();
      listenedBefore = true;
    } catch (error) {
      log.warn({ code: (error as { code?: string }).code }, 'lost the LISTEN connection; retrying');
      onLost();
    }
  };

  return {
    get listening() {
      return client !== undefined;
    },
    start,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
