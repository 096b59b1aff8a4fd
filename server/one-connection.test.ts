import { afterAll, beforeAll, expect, test } from 'vitest';
import { allEndpoints } from '#contract/openapi.ts';
import { inviteDueVisits } from '#server/features/queue/jobs.ts';
import { signatureHeader, signBody } from '#server/kit/crypto/signature.ts';
import { examples } from '#testing/fixtures/endpoint-examples.ts';
import { openTestApp, type TestOffice } from '#testing/app/test-app.ts';
import { fillOffice, type OfficeIds } from '#testing/app/two-offices.ts';

/** Holding one connection while waiting for another can deadlock a pool. With a pool of one that shows at once. */
const testApp = await openTestApp();
testApp.services.pool.options.max = 1;
afterAll(() => testApp.close());
let office: TestOffice & { ids: OfficeIds };
beforeAll(async () => void (office = await fillOffice(testApp, 'MAPLE', '2100060123')));

test.each(allEndpoints())('$operationId needs one connection at a time', async ({ operationId, endpoint: e }) => {
  for (const { params = {}, query = {}, body } of examples[operationId]?.ways(office.ids) ?? []) {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const answer = await testApp.app.inject({
      method: e.method,
      url: `/api${e.path.replace(/:(\w+)/g, (_, key: string) => encodeURIComponent(params[key] ?? ''))}?${new URLSearchParams(query as Record<string, string>)}`,
      headers: {
        authorization: `Bearer ${await testApp.signIn(office.personId)}`,
        'x-office': office.id,
        ...(e.creates && { 'idempotency-key': operationId }),
        ...(payload && {
          'content-type': 'application/json',
          [signatureHeader]: signBody(testApp.env.secrets.webhook, payload, testApp.now()),
        }),
      },
      ...(payload && { payload }),
    });
    expect(answer.statusCode, answer.body).toBeLessThan(500);
  }
});

test('jobs need one connection at a time', async () => {
  const timed = await testApp.office({ queueSettings: { autoInviteEnabled: true, autoInviteWaitTime: 0 } });
  await testApp.visit({ office: timed });
  await inviteDueVisits(testApp.services);
  expect(await testApp.texts(timed)).toHaveLength(1);
  expect(testApp.services.pool.totalCount).toBe(1);
});
