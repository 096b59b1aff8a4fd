import { setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { openTestApp } from '#testing/app/test-app.ts';
import { addText, textsTakenByCarrier, textRow, withCarrier } from '#testing/fixtures/texts.ts';
import { startTexting } from './jobs.ts';
import { usualPace } from './send-texts.ts';

test('the job sends a limited number of texts at once, and stopping waits for those in flight', async () => {
  const t = await openTestApp();
  let onTheWay = 0;
  let most = 0;
  const counting = withCarrier(t.services, {
    send: async (text) => {
      most = Math.max(most, ++onTheWay);
      await pause(30);
      const taken = await t.services.providers.sms.send(text);
      onTheWay--;
      return taken;
    },
  });
  const phones = Array.from({ length: 12 }, (_, i) => `+16465553${String(i).padStart(3, '0')}`);
  for (const toPhone of phones) await addText(t, { toPhone });
  const job = startTexting(counting, { ...usualPace, atOnce: 4 });
  await vi.waitFor(async () => expect(await textsTakenByCarrier(t, phones.at(-1) as string)).toHaveLength(1), 5_000);
  const last = await addText(t, { toPhone: '+16465553999' });
  job.wake();
  await vi.waitFor(() => expect(onTheWay).toBe(1), { timeout: 5_000, interval: 4 });
  await job.stop();
  expect(onTheWay).toBe(0);
  expect(most).toBe(4);
  expect(await textRow(t, last)).toMatchObject({ state: 'sent' });
  for (const phone of phones) expect(await textsTakenByCarrier(t, phone)).toHaveLength(1);
  await t.close();
});

test('the logs of sending contain neither numbers nor texts', async () => {
  const t = await openTestApp();
  const logged: unknown[] = [];
  const log = Object.assign(Object.create(t.services.log) as typeof t.services.log, {
    warn: (...given: unknown[]) => void logged.push(given),
    error: (...given: unknown[]) => void logged.push(given),
  });
  const failing = withCarrier({ ...t.services, log }, { send: () => Promise.reject(new Error('boom')) });
  const id = await addText(t, { toPhone: '+16465554321', body: 'CANARY words' });
  const job = startTexting(failing);
  await vi.waitFor(() => expect(logged.length).toBeGreaterThan(0), 5_000);
  await job.stop();
  const lines = JSON.stringify(logged);
  expect(lines).toContain(id);
  expect(lines).not.toMatch(/CANARY|6465554321/);
  await t.close();
});
