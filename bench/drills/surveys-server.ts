import pino from 'pino';
import { readEnv } from '#server/env.ts';
import { askDueSurveys } from '#server/features/ambulatory/survey-job.ts';
import { openServices } from '#server/open-app.ts';

/** What the drill says to a worker: the time it is now. The worker answers with the same once nothing is due. */
export interface Tick {
  at: number;
}

let now = new Date(0);
const env = readEnv();
const services = openServices(env, env.databaseUrl as string, pino({ level: 'error' }), () => now);

process.on('message', ({ at }: Tick) => {
  now = new Date(at);
  void askAll().then(() => process.send?.({ at }));
});
process.once('disconnect', () => process.exit(0));

async function askAll(): Promise<void> {
  while (await askDueSurveys(services));
}

await services.pool.query('select 1');
process.send?.('ready');
