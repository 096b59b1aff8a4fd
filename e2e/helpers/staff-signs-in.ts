import { mkdir } from 'node:fs/promises';
import { request } from '@playwright/test';
import { staff, sessionFileOf, statesFolder } from './staff.ts';
import { useServerOfWorker, workers } from './worker-servers.ts';

/** Once per run: signs in all staff at each worker's server. */
export default async function staffSignsIn(): Promise<void> {
  for (let worker = 0; worker < workers; worker += 1) await signInAt(useServerOfWorker(worker).baseURL);
}

/** With the codes in the outbox. */
async function signInAt(baseURL: string): Promise<void> {
  await mkdir(statesFolder(), { recursive: true });
  for (const email of Object.values(staff)) {
    const api = await request.newContext({ baseURL, extraHTTPHeaders: { origin: baseURL } });
    await api.post('/api/sign-in/code', { data: { email } });
    const [newest] = (await (await api.get('/dev/outbox.json', { params: { to: email } })).json()) as {
      body: string;
    }[];
    const code = /\b\d{6}\b/.exec(newest?.body ?? '')?.[0];
    const answer = await api.post('/api/sign-in/verify', { data: { email, code } });
    if (!answer.ok()) throw new Error(`${email} could not sign in: ${await answer.text()}`);
    await api.storageState({ path: sessionFileOf(email) });
    await api.dispose();
  }
}
