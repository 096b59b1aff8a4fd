import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';
import { openLiveClient } from '#testing/app/live-client.ts';
import { drain } from './draining.ts';

/** One GET on a keep-alive connection: its status, and whether the server asks to close. */
function get(agent: Agent, url: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; connection: string | undefined }>((done, fail) => {
    request(url, { agent, headers }, (answer) => {
      answer.resume().on('end', () => done({ status: answer.statusCode ?? 0, connection: answer.headers.connection }));
    })
      .on('error', fail)
      .end();
  });
}

test('draining fails the health check first, asks open connections to close, and finishes running requests without refusing any', async () => {
  const testApp = await openTestApp();
  const address = await testApp.listen();
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  expect(await get(agent, `${address}/readyz`)).toEqual({ status: 200, connection: 'keep-alive' });
  const panel = await openLiveClient(address, { token: testApp.maple.token, office: testApp.maple.id });

  const left = drain(testApp.app, 0.4, () => testApp.services.live.close());
  expect(await get(agent, `${address}/readyz`)).toEqual({ status: 503, connection: 'close' });
  const as = { authorization: `Bearer ${testApp.maple.token}` };
  expect(await get(agent, `${address}/api/virtual-queue/doctor`, as)).toEqual({ status: 200, connection: 'close' });
  expect(panel.isOpen).toBe(true);

  const visit = await testApp.visit();
  const slow = testApp.inOffice(testApp.maple, async (tx) => {
    await tx
      .selectFrom('visit')
      .select('id')
      .where('id', '=', visit.id)
      .where('officeId', '=', testApp.maple.id)
      .forUpdate()
      .execute();
    await new Promise((done) => setTimeout(done, 700));
  });
  await new Promise((done) => setTimeout(done, 100));
  const running = fetch(`${address}/api/virtual-queue/`, {
    method: 'POST',
    headers: { ...as, 'content-type': 'application/json' },
    body: JSON.stringify({ id: visit.id, action: 'INVITED' }),
  });
  expect(await panel.closed).toBe('try_again');
  await expect(get(new Agent(), `${address}/healthz`)).rejects.toThrow('ECONNREFUSED');
  expect((await running).status).toBe(200);
  await slow;
  await left;
  agent.destroy();
  await testApp.close();
});
