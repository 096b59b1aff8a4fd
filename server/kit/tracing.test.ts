import { createServer } from 'node:http';
import { afterAll, expect, test } from 'vitest';
import { audit } from '#contract/index.ts';
import { runJob } from '#server/kit/live/jobs.ts';
import { openTestApp } from '#testing/app/test-app.ts';
import { startTracing } from './tracing.ts';

interface ReceivedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
}

const spans: ReceivedSpan[] = [];
let received = '';
const collector = createServer((req, res) => {
  let body = '';
  req.on('data', (chunk: Buffer) => (body += String(chunk)));
  req.on('end', () => {
    received += body;
    const { resourceSpans } = JSON.parse(body) as { resourceSpans: { scopeSpans: { spans: ReceivedSpan[] }[] }[] };
    spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)));
    res.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
});
await new Promise<void>((done) => collector.listen(0, '127.0.0.1', done));
afterAll(() => void collector.close());

test('requests, jobs and the statements in them are sent as traces, without values; without an endpoint nothing is', async () => {
  const { port } = collector.address() as { port: number };
  const stop = await startTracing({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` });
  const testApp = await openTestApp();
  await testApp.visit({ phone: '+12125550199' });
  await testApp.call(audit.listAudit);
  const job = runJob('traced', 60_000, testApp.services.log, async () => {
    await testApp.inOffice(testApp.maple, (tx) => tx.selectFrom('visit').select('id').execute());
  });
  await expect.poll(() => job.stop().then(() => true)).toBe(true);
  await testApp.close();
  await stop();

  const read = spans.find(({ name }) => name === 'GET /api/audit');
  expect(read?.parentSpanId ?? '').toBe('');
  expect(spans.filter(({ parentSpanId }) => parentSpanId === read?.spanId).map(({ name }) => name)).toContain('select');
  const run = spans.find(({ name }) => name === 'traced');
  expect(spans.filter(({ parentSpanId }) => parentSpanId === run?.spanId).length).toBeGreaterThan(0);
  expect(run?.traceId).not.toBe(read?.traceId);
  expect(received).not.toContain('+12125550199');

  const before = spans.length;
  const silent = await startTracing({});
  const other = await openTestApp();
  await other.call(audit.listAudit);
  await other.close();
  await silent();
  expect(spans).toHaveLength(before);
});
