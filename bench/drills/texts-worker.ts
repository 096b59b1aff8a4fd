import { createHash } from 'node:crypto';
import pino from 'pino';
import { inTurn } from '#bench/ground/in-turn.ts';
import { readEnv } from '#server/env.ts';
import { startTexting } from '#server/features/texting/jobs.ts';
import { usualPace } from '#server/features/texting/send-texts.ts';
import { openServices } from '#server/open-app.ts';
import { localSms, type Fault } from '#server/providers/sms/local.ts';
import type { Sms } from '#server/providers/sms/port.ts';

/** The behavior of this worker's carrier, from DRILL_WORKER. */
export interface WorkerOrders {
  /** Shares of texts that are accepted and then answered with a 500, or never answered. */
  errorAfter: number;
  timeoutAfter: number;
  /** Share of texts that the carrier can never look up. */
  mute: number;
  /** Never reaches the carrier: it is killed while holding claims. */
  hangs: boolean;
  /** Resends without a look-up, to prove that the drill detects duplicates. */
  blind: boolean;
  giveUpAfterMs: number;
  /** The carrier takes one text after the other, each for this long. */
  takesMs?: number;
}

const orders = JSON.parse(process.env.DRILL_WORKER ?? '{}') as WorkerOrders;
const env = readEnv();
const services = openServices(env, env.databaseUrl as string, pino({ level: 'silent' }));

const turn = orders.takesMs === undefined ? () => Promise.resolve() : inTurn(orders.takesMs);

function fault(): Fault | undefined {
  const luck = Math.random();
  if (luck < orders.errorAfter) return 'error-after';
  return luck < orders.errorAfter + orders.timeoutAfter ? 'timeout-after' : undefined;
}

/** The product's local carrier on a separate table, with faults. */
function carrier(): Sms {
  const local = localSms(services, fault);
  const isMute = (reference: string) =>
    createHash('sha256').update(reference).digest().readUInt16LE() / 65_536 < orders.mute;
  return {
    ...local,
    async send(text, signal) {
      if (orders.hangs) return new Promise(() => undefined);
      await turn();
      return local.send(text, signal);
    },
    async find(text, others) {
      if (orders.blind) return null;
      if (isMute(text.reference)) throw new Error('the carrier cannot say');
      return local.find(text, others);
    },
  };
}

process.once('message', () => {
  startTexting(
    { ...services, providers: { ...services.providers, sms: carrier() } },
    { ...usualPace, giveUpAfterMs: orders.giveUpAfterMs },
  );
});
process.once('disconnect', () => process.exit(0));
await services.pool.query('select 1');
process.send?.('ready');
