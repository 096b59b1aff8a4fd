import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { asOffice } from '#server/kit/db/db.ts';
import { formsOffice, pastSubmissions } from '#bench/ground/forms-office.ts';
import { ms, type Line } from '#bench/ground/report-lines.ts';
import { openBenchDatabase } from '#bench/ground/open-ground.ts';

const forms = 1_000;

/** A zip of 1,000 forms: its memory and time to first byte, compared with `cat` of the same files. */
export async function formZip(): Promise<Line[]> {
  const ground = await openBenchDatabase();
  try {
    const office = await formsOffice(ground);
    await pastSubmissions(ground, office, forms);
    const rows = await asOffice(ground.services.db, office.officeId, (tx) =>
      tx.selectFrom('formSubmission').select(['objectKey', 'bytes']).execute(),
    );
    const keys = rows.map(({ objectKey }) => objectKey ?? '');
    for (const { objectKey, bytes } of rows)
      await ground.services.providers.storage.put(objectKey ?? '', randomBytes(bytes ?? 0), {
        contentType: 'application/pdf',
      });
    const { url, pid } = await ground.server();
    const zip = async () => {
      const started = performance.now();
      const answer = await fetch(`${url}/api/forms/bulk-download`, {
        method: 'POST',
        headers: { ...office.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ forms: keys }),
      });
      if (!answer.ok || !answer.body) throw new Error(`the zip answered ${answer.status}`);
      let firstByte = 0;
      let bytes = 0;
      for await (const part of answer.body as unknown as AsyncIterable<Uint8Array>) {
        if (bytes === 0) firstByte = performance.now() - started;
        bytes += part.length;
      }
      if (bytes !== Number(answer.headers.get('content-length'))) throw new Error('the zip is not as long as it said');
      return { firstByte, took: performance.now() - started, bytes };
    };
    await zip();
    const before = await residentMb(pid);
    let peak = before;
    const watch = setInterval(() => void residentMb(pid).then((now) => (peak = Math.max(peak, now))), 10);
    const { firstByte, took, bytes } = await zip();
    clearInterval(watch);

    const started = performance.now();
    for (const key of keys)
      for await (const _part of createReadStream(join(ground.env.dataDir, 'files', `${key}.file`)));
    const cat = performance.now() - started;
    return [
      {
        what: `zip of ${forms.toLocaleString('en')} forms (${Math.round(bytes / 1_000_000)} MB): memory of the server above what it had`,
        figure: `+${Math.max(0, peak - before).toFixed(0)} MB in ${ms(took)}`,
        beside: `cat of the files ${ms(cat)}`,
        aim: '≤ +50 MB',
        met: peak - before <= 50,
      },
      { what: 'its first byte', figure: ms(firstByte), beside: '', aim: '≤ 200 ms', met: firstByte <= 200 },
    ];
  } finally {
    await ground.close();
  }
}

async function residentMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1_000;
}
