/**
 * Started by the money drill: one process of the product, whose providers and clock are the drill's. It begins when told to. Of the jobs only
 * those that finish what a killed process left: 60 processes start here, and each would run the others at once.
 */
import pino from 'pino';
import { bareApp, buildApp } from '#server/app.ts';
import { readEnv } from '#server/env.ts';
import { startPayments } from '#server/features/copay/jobs.ts';
import { membershipOperations } from '#server/features/membership/jobs.ts';
import { runJob } from '#server/kit/live/jobs.ts';
import { resumeOperations } from '#server/kit/provider-operations/operations.ts';
import { openServices } from '#server/open-app.ts';
import { timeOf, type FastClock } from './money-clock.ts';
import { remoteProviders } from './money-provider-calls.ts';

export interface MoneyServerOrders {
  providers: { url: string; forgetful: boolean };
  clock: FastClock;
}

const { providers, clock } = JSON.parse(process.env.DRILL_SERVER ?? '{}') as MoneyServerOrders;
const env = readEnv();
const opened = openServices(env, env.databaseUrl as string, pino({ level: 'fatal' }), () => timeOf(clock));
// Signing in at the database takes longer than most of what a process does here before it is killed.
opened.pool.options.max = 5;
const services = { ...opened, providers: { ...opened.providers, ...remoteProviders(opened, providers) } };
const app = await buildApp(bareApp(env), services);
await app.ready();

process.once('message', async () => {
  await app.listen({ port: env.port, host: '127.0.0.1' });
  startPayments(services);
  runJob('provider-operations', 2_000, services.log, async () => {
    await resumeOperations(services, membershipOperations);
  });
  process.send?.('listening');
});
process.once('disconnect', () => process.exit(0));
await services.pool.query('select 1');
process.send?.('ready');
