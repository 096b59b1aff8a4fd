import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { bareApp, buildApp } from '#server/app.ts';
import type { Actor, Services, OfficeScope } from '#server/context.ts';
import { readEnv } from '#server/env.ts';
import { addStaff } from '#server/features/office/index.ts';
import { bodyToSend } from '#server/features/texting/link-in-text.ts';
import { officeScope } from '#server/kit/http/request-context.ts';
import { asOffice, openDb, openOwnerPool, type Tx } from '#server/kit/db/db.ts';
import { openServices } from '#server/open-app.ts';
import { openSockets } from '#server/sockets.ts';
import { appUrlOf } from './app-url.ts';
import { callEndpoint } from './call-endpoint.ts';
import { cloneTemplate, dropDatabase, serverNodes } from './database-nodes.ts';
import { addSession, addTestOffice, type OfficeToAdd, type TestOffice } from './test-office.ts';
import { testVisits } from './test-visits.ts';

export type { CallOptions, Reply } from './call-endpoint.ts';
export type { TestOffice } from './test-office.ts';

/**
 * The real app on a fresh database with the local providers. Its clock stands still at a Monday 10:00 in New York until `at()` or `later()`
 * move it. `testApp.maple` is the office most tests use; `testApp.other` is another office with rows of its own. `beside` opens a second
 * process on the same database with the same clock; close it first. `url` is the owner's URL of an existing migrated database, `appUrl` the
 * app's login to it if it is not on the run's own server.
 */
export async function openTestApp(
  options: { at?: Date; env?: NodeJS.ProcessEnv; beside?: Beside; url?: string; appUrl?: string; paced?: true } = {},
): Promise<TestApp> {
  const url = options.url ?? options.beside?.url;
  return assemble(options, url === undefined ? await freshDatabase() : { url, drop: async () => undefined });
}

/** A separate database, cloned from the migrated template: the owner's URL and a function to drop it. */
export async function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '').slice(0, 16)}`;
  return { url: await cloneTemplate(name), drop: () => dropDatabase(serverNodes(), name) };
}

export type TestApp = Awaited<ReturnType<typeof assemble>>;
type Beside = { url: string; maple: TestOffice; other: TestOffice; now(): Date };

async function assemble(
  options: { at?: Date; env?: NodeJS.ProcessEnv; beside?: Beside; appUrl?: string; paced?: true },
  { url, drop }: { url: string; drop(): Promise<void> },
) {
  const { beside } = options;
  const dataDir = await mkdtemp(join(tmpdir(), 'anteroom-test-'));
  const mode = options.env?.NODE_ENV === 'production' ? { LOCAL_PROVIDERS: '1' } : { DEMO: '1' };
  const env = readEnv({
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    PUBLIC_URL: 'http://localhost:3000',
    ...mode,
    ...options.env,
  });

  let clock = options.at ?? new Date('2026-03-02T15:00:00.000Z');
  const app: FastifyInstance = bareApp(env);
  const routes: { method: string; url: string }[] = [];
  // A provider's name in a path is a pattern to the router, and a plain parameter in the contract.
  const withoutPattern = (url: string) => url.replace(/\(\^[\w-]+\$\)/, '');
  app.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url: withoutPattern(url) });
  });
  const now = beside ? () => beside.now() : () => clock;
  const services: Services = openServices(env, options.appUrl ?? appUrlOf(url), app.log, now);
  // Tests send requests faster than any phone.
  if (!options.paced)
    services.visitorPace = {
      ...services.visitorPace,
      wait: async () => undefined,
      waitForBody: async () => undefined,
      waitForSession: async () => undefined,
    };
  services.pool.options.connectionTimeoutMillis = 60_000; // a slow machine must not cause refusals here
  const owner = openDb(openOwnerPool(url));
  await buildApp(app, services);
  await app.ready();

  const office = (row?: OfficeToAdd) => addTestOffice(owner, services, row);
  const maple = beside?.maple ?? (await office());
  const other = beside?.other ?? (await office({ name: 'CANARY Harbor', staffName: 'CANARY Staff' }));

  const scopeOf = (of: TestOffice, actor?: Actor): OfficeScope =>
    officeScope(services, of.id, actor ?? { kind: 'staff', id: of.personId, name: of.staffName }, 'test');

  return {
    app,
    /** Every route of the server, including pages and static files. */
    routes,
    services,
    owner,
    url,
    env,
    maple,
    other,
    office,
    scopeOf,
    now,
    at: (time: Date | string) => void (clock = new Date(time)),
    /** Advances the clock by minutes. */
    later: (minutes: number) => void (clock = new Date(clock.getTime() + minutes * 60_000)),
    signIn: (personId: string) => addSession(owner, services, personId),
    /** Records a fresh proof of identity in all of this person's sessions. */
    prove: (personId: string) =>
      owner.updateTable('auth.session').set({ provedAt: now() }).where('personId', '=', personId).execute(),
    addStaff: (given: Parameters<typeof addStaff>[2], offices: TestOffice[]) =>
      addStaff(
        owner,
        services,
        given,
        offices.map((o) => o.id),
      ),
    /** Runs work in an office's transaction. */
    inOffice: <T>(of: TestOffice, work: (tx: Tx) => Promise<T>): Promise<T> => asOffice(services.db, of.id, work),

    /** All texts of an office in the ledger, oldest first; `sent` is what the phone reads, until the text's state is final. */
    texts: async (of: TestOffice = maple) => {
      const rows = await asOffice(services.db, of.id, (tx) =>
        tx.selectFrom('text').selectAll().where('officeId', '=', of.id).orderBy('id').execute(),
      );
      return rows.map((row) => ({ ...row, sent: bodyToSend(services, row) ?? '' }));
    },

    /** An office's audit entries, oldest first. */
    auditEntries: (of: TestOffice = maple) =>
      asOffice(services.db, of.id, (tx) =>
        tx.selectFrom('auditEntry').selectAll().where('officeId', '=', of.id).orderBy('id').execute(),
      ),

    ...testVisits(services, scopeOf, maple),

    /** Calls an endpoint of the contract over HTTP. */
    call: callEndpoint(app, maple),

    /** Opens the server on its own port, with sockets; returns its URL. */
    async listen(): Promise<string> {
      await openSockets(services, app.server);
      return app.listen({ port: 0, host: '127.0.0.1' });
    },

    async close(): Promise<void> {
      await services.providers.email.close();
      await services.live.close();
      await app.close();
      await owner.destroy();
      await services.db.destroy();
      await drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
