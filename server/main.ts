import { parseArgs } from 'node:util';
import { clearDemo, keepDemoAlive, seedDemo } from '#db/seed/demo.ts';
import { closeFormWork, loadBuiltInForms, logFormWork } from '#server/features/forms/index.ts';
import { drain } from '#server/kit/http/draining.ts';
import { expectNoDistribution } from '#server/kit/db/distribution-marker.ts';
import { startTracing } from '#server/kit/tracing.ts';
import { startWatchdog } from '#server/kit/watchdog/watchdog.ts';
import { checkProviders } from '#server/providers/index.ts';
import { bareApp, buildApp, buildOperatorApp } from './app.ts';
import { openDatabase } from './database.ts';
import { checkPublicStart, readEnv, readSettings, type Env } from './env.ts';
import { openServices } from './open-app.ts';
import { startJobs } from './jobs.ts';
import { openSockets } from './sockets.ts';

const { values: asked } = parseArgs({ options: { reset: { type: 'boolean' }, 'big-queue': { type: 'boolean' } } });

try {
  const settings = readSettings();
  checkPublicStart(settings);
  checkProviders(settings);
  await serve(readEnv());
} catch (error) {
  process.stderr.write(`Anteroom did not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}

async function serve(env: Env): Promise<void> {
  const database = await openDatabase(env);
  const { appUrl, ownerUrl } = database;
  if ((env.demo || asked.reset) && ownerUrl === undefined)
    throw new Error("the demo's offices are made with the owner's login: give it as MIGRATE_DATABASE_URL");
  if (asked.reset && ownerUrl !== undefined) await clearDemo(ownerUrl, env.dataDir);

  const stopTracing = await startTracing();
  const app = bareApp(env);
  const services = openServices(env, appUrl, app.log);
  logFormWork(app.log);
  await buildApp(app, services);
  await loadBuiltInForms(services);
  if (env.demo && ownerUrl !== undefined) await seedDemo(services, ownerUrl, { bigQueue: asked['big-queue'] === true });
  await app.ready();
  await openSockets(services, app.server);
  // Once more: `distribute` sees the connections that are open now, and does not begin.
  await expectNoDistribution(services.pool);
  const stopJobs = startJobs(services);
  await app.listen({ port: env.port, host: env.host });
  startWatchdog();
  const operator = buildOperatorApp(app);
  await operator?.listen(env.operatorListen);
  const demo = env.demo ? keepDemoAlive(services) : null;

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), env.drainSeconds * 3_000 + 20_000).unref();
    await Promise.all([
      stopJobs(),
      demo?.stop(),
      operator?.close(),
      drain(app, env.drainSeconds, async () => void (await Promise.all([services.live.close(), closeFormWork()]))),
    ]);
    await services.providers.email.close();
    await services.db.destroy();
    await database.release();
    await stopTracing();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());
  process.stdout.write(`${greeting(env)}\n`);
}

function greeting({ productName, publicUrl, demo }: Env): string {
  if (!demo) return `${productName} is at ${publicUrl}`;
  return `${productName} is at ${publicUrl} - sign in as front@maple.test, or with any other address to register; codes appear at ${publicUrl}/dev/outbox`;
}
