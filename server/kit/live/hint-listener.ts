import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import pg from 'pg';
import { acceptConnection } from '#server/kit/db/app-login.ts';
import { hintChannel, type Hint } from './hint.ts';

export interface HintListener {
  /** True while this process receives the hints that it sends itself. */
  readonly listening: boolean;
  start(): Promise<void>;
  close(): Promise<void>;
}

interface HintHandlers {
  /** Sends a hint the way all others leave this process. */
  echo(hint: Hint): Promise<unknown>;
  onHint(hint: Hint): void;
  /** Listening again after a cut: hints may have been missed. */
  onReconnect(): void;
}

const retryMs = 250;
/** An echo that is not heard is sent again, in growing steps up to this. */
const echoAtMostMs = 5_000;
const warnAtMs = 4 * retryMs;

/**
 * Listens with LISTEN on a separate database connection, which it reopens whenever it is cut. That LISTEN succeeded proves nothing: the
 * connection may be a pooler's, or lead to another database than the hints. So it counts once a hint of its own has come back.
 */
export function openHintListener(
  databaseUrl: string,
  log: FastifyBaseLogger,
  { echo, onHint, onReconnect }: HintHandlers,
): HintListener {
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let isClosed = false;
  let isHeard = false;
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
    const question = randomUUID();
    let isLost = false;
    const onLost = () => {
      if (isLost) return; // a cut connection can emit twice
      isLost = true;
      isHeard = false;
      client = undefined;
      mine.end().catch(() => undefined);
      clearTimeout(retry);
      if (!isClosed) retry = setTimeout(() => void start(), retryMs);
    };
    const hear = () => {
      if (isHeard || isLost) return;
      isHeard = true;
      clearTimeout(retry);
      if (listenedBefore) onReconnect();
      listenedBefore = true;
    };
    const ask = async (againMs: number): Promise<void> => {
      if (isLost || isHeard || isClosed) return;
      if (againMs === warnAtMs) log.warn('hints sent by this process do not arrive; see DATABASE_DIRECT_URL');
      retry = setTimeout(() => void ask(Math.min(againMs * 2, echoAtMostMs)), againMs);
      await echo({ type: 'echo', echo: question }).catch(() => undefined);
    };
    mine.on('error', onLost);
    mine.on('end', onLost);
    mine.on('notification', ({ payload }) => {
      if (!payload) return;
      const hint = JSON.parse(payload) as Hint;
      if (hint.type !== 'echo') onHint(hint);
      else if (hint.echo === question) hear();
    });
    try {
      await mine.connect();
      await acceptConnection(mine);
      await mine.query(`listen ${hintChannel}`);
      if (isLost) return;
      client = mine;
      await ask(retryMs);
    } catch (error) {
      log.warn({ code: (error as { code?: string }).code }, 'lost the LISTEN connection; retrying');
      onLost();
    }
  };

  return {
    get listening() {
      return isHeard;
    },
    start,
    async close() {
      isClosed = true;
      clearTimeout(retry);
      await client?.end().catch(() => undefined);
    },
  };
}
