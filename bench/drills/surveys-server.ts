/**
 * Started by the surveys drill: one server of the product, with the job that asks the surveys and the sender of texts, on the drill's clock. The
 * two work when told the time, not every few seconds, so that a month passes in minutes.
 */
import { setTimeout as pause } from 'node:timers/promises';
import pino from 'pino';
import { bareApp, buildApp } from '#server/app.ts';
import { readEnv } from '#server/env.ts';
import { askDueSurveys } from '#server/features/ambulatory/survey-job.ts';
import {
  claimDueTexts,
  resolveAbandonedTexts,
  sendClaimedText,
  usualPace,
  type Worker,
} from '#server/features/texting/send-texts.ts';
import { openServices } from '#server/open-app.ts';
import { localSms } from '#server/providers/sms/local.ts';

/** What the drill says to a server: the time it is now. The server answers with the same once it finds nothing to do. */
export interface Tick {
  at: number;
}

/** A claim of a killed server is free after this long; the carrier answers within it. */
const pace = { ...usualPace, leaseMs: 1_500, answerWithinMs: 700, giveUpAfterMs: 60_000 };
/** The carrier has a text already and has not answered yet: a kill in this time is the one that could send it twice. */
const answersAfterMs = 15;

let now = new Date(0);
const env = readEnv();
const opened = openServices(env, env.databaseUrl as string, pino({ level: 'fatal' }), () => now);
opened.pool.options.max = 5;
const local = localSms(opened);
const sms: typeof local = {
  ...local,
  async send(text, signal) {
    const sent = await local.send(text, signal);
    await pause(answersAfterMs);
    return sent;
  },
};
const services = { ...opened, providers: { ...opened.providers, sms } };
const worker: Worker = { name: `drill:${process.pid}`, pace };

process.on('message', ({ at }: Tick) => {
  now = new Date(at);
  void workUntilIdle().then(() => process.send?.({ at }));
});
process.once('disconnect', () => process.exit(0));

/** The job and the sender at the same time, as in a server, until this one finds nothing to do. */
async function workUntilIdle(): Promise<void> {
  let isAsking = true;
  const ask = async () => {
    while (await askDueSurveys(services));
    isAsking = false;
  };
  const send = async () => {
    for (let left = 1; left > 0 || isAsking;) {
      await resolveAbandonedTexts(services, worker);
      const texts = await claimDueTexts(services, worker, pace.atOnce);
      await Promise.all(texts.map((text) => sendClaimedText(services, worker, text)));
      left = texts.length;
      if (left === 0) await pause(5);
    }
  };
  await Promise.all([ask(), send()]);
}

const app = await buildApp(bareApp(env), services);
await app.listen({ port: 0, host: '127.0.0.1' });
await services.pool.query('select 1');
process.send?.('ready');
