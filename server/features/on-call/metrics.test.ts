import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { chainAllOffices } from '#server/features/audit/chain-entries.ts';
import { bareApp, logRequestIds } from '#server/app.ts';
import { runJob } from '#server/kit/live/jobs.ts';
import { projectRoot } from '#server/kit/project-root.ts';
import { openTestApp } from '#testing/app/test-app.ts';

const testApp = await openTestApp();
afterAll(() => testApp.close());

const read = async () => (await testApp.app.inject('/metrics')).body;
/** The value behind a metric's name and labels. */
const valueOf = (page: string, name: string) => {
  const line = page.split('\n').find((one) => one.startsWith(`${name} `));
  return line === undefined ? null : Number(line.split(' ').at(-1));
};

test('texts that are late, texts of unknown fate and entries outside the chain of all offices are counted, without names', async () => {
  await testApp.visit({ phone: '+12125550177', moves: ['invite'] });
  await testApp.visit({ office: testApp.other, phone: '+12125550178', moves: ['invite'] });
  const texts = [...(await testApp.texts()), ...(await testApp.texts(testApp.other))];
  expect(texts.length).toBeGreaterThanOrEqual(2);
  await testApp.owner.updateTable('text').set({ state: 'queued', sendAt: testApp.now() }).execute();
  const [first] = texts;
  await testApp.owner
    .updateTable('text')
    .set({ state: 'unknown', claimedAt: new Date(), sealedLink: null })
    .where('id', '=', first?.id ?? '')
    .execute();
  await chainAllOffices(testApp.services);
  testApp.later(5);
  await testApp.visit({ moves: [] });

  const page = await read();
  expect(valueOf(page, 'anteroom_texts_due')).toBeGreaterThanOrEqual(texts.length - 1);
  expect(valueOf(page, 'anteroom_texts_due_oldest_seconds')).toBe(300);
  expect(valueOf(page, 'anteroom_texts_unknown')).toBe(1);
  expect(valueOf(page, 'anteroom_audit_unsealed_entries')).toBeGreaterThan(0);
  expect(valueOf(page, 'anteroom_audit_unsealed_oldest_seconds')).toBe(0);
  expect(valueOf(page, 'anteroom_hints_waiting')).toBeGreaterThanOrEqual(0);
  expect(valueOf(page, 'anteroom_database_connections_most')).toBe(testApp.services.pool.options.max);
  for (const secret of [testApp.maple.id, testApp.other.id, testApp.maple.npi, 'CANARY', '+1212'])
    expect(page).not.toContain(secret);
});

test('a job that fails is counted until it ends well again', async () => {
  let fails = true;
  const log = Object.assign(Object.create(testApp.services.log) as typeof testApp.services.log, {
    error: () => undefined,
  });
  const job = runJob('metrics-test', 60_000, log, async () => {
    if (fails) throw new Error('broken');
  });
  const failures = async () => valueOf(await read(), 'anteroom_job_failures{job="metrics-test"}');
  await expect.poll(failures).toBe(1);
  expect(await read()).not.toContain('anteroom_job_last_success_timestamp_seconds{job="metrics-test"}');
  fails = false;
  job.wake();
  await expect.poll(failures).toBe(0);
  expect(await read()).toContain('anteroom_job_last_success_timestamp_seconds{job="metrics-test"}');
  await job.stop();
});

test('every alert and every panel of the dashboard asks for a metric that exists, and every alert has its runbook', async () => {
  const folder = join(projectRoot, 'docs/on-call');
  const rules = readFileSync(join(folder, 'alerts.rules.yml'), 'utf8');
  const asked = new Set(`${rules}${readFileSync(join(folder, 'dashboard.json'), 'utf8')}`.match(/\banteroom_\w+/g));
  const page = await read();
  expect(asked.size).toBeGreaterThan(12);
  for (const name of asked)
    expect(page).toMatch(new RegExp(`^# TYPE ${name.replace(/_(bucket|count|sum)$/, '')} `, 'm'));

  const runbooks = [...rules.matchAll(/runbook: (\S+)/g)].map(([, file = '']) => file);
  expect(runbooks).toHaveLength(rules.match(/- alert:/g)?.length ?? 0);
  for (const file of runbooks) expect(existsSync(join(folder, file))).toBe(true);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  for (const path of globSync(join(folder, '*.*'))) {
    if (basename(path) !== 'README.md') expect(readme).toContain(`(${basename(path)})`);
  }
});

test('a runbook names only commands that exist', () => {
  const manual = readFileSync(join(projectRoot, 'docs/operating.md'), 'utf8');
  for (const path of globSync(join(projectRoot, 'docs/on-call/*.md'))) {
    for (const [, command = ''] of readFileSync(path, 'utf8').matchAll(/script\/anteroom ((?:[a-z]+ ?){1,2})/g))
      expect(manual).toContain(command.trim());
  }
});

test('each line that a request causes carries its id, also a line that is not written through the request', async () => {
  const printed = new PassThrough();
  const lines: string[] = [];
  printed.on('data', (chunk: Buffer) => lines.push(String(chunk)));
  const app = bareApp({ ...testApp.env, logLevel: 'info' }, printed);
  logRequestIds(app);
  const seen: string[] = [];
  app.post('/echo', async (req) => {
    seen.push(req.id);
    app.log.info('deep inside');
    req.log.info('through the request');
    return {};
  });
  await app.inject({ method: 'POST', url: '/echo', payload: { some: 'body' } });
  app.log.info('outside');
  await app.close();
  const parsed = lines.map((line) => JSON.parse(line) as { msg: string; reqId?: string });
  const idOf = (msg: string) => parsed.find((line) => line.msg === msg)?.reqId;
  expect(idOf('deep inside')).toBe(seen[0]);
  expect(idOf('through the request')).toBe(seen[0]);
  expect(idOf('outside')).toBeUndefined();
  expect(lines.find((line) => line.includes('through the request'))?.match(/reqId/g)).toHaveLength(1);
});
