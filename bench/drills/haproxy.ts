import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '#testing/app/process.ts';

/** Debian's HAProxy, or one that was built here; undefined without one. */
export const haproxy = ['/usr/sbin/haproxy', '/usr/local/sbin/haproxy', '/usr/bin/haproxy'].find((path) =>
  existsSync(path),
);

/** HAProxy in front of our processes: it asks each for `/readyz`. */
export async function startProxy(path: string, folder: string, ports: readonly number[]) {
  const [port, statsPort] = [await freePort(), await freePort()];
  const statsUrl = `http://127.0.0.1:${statsPort}`;
  const lines = [
    'global',
    '  maxconn 500',
    'defaults',
    '  mode http',
    '  timeout connect 2s',
    '  timeout client 30s',
    '  timeout server 30s',
    '  timeout check 2s',
    '  option redispatch',
    'frontend desk',
    `  bind 127.0.0.1:${port}`,
    '  default_backend anteroom',
    'frontend stats',
    `  bind 127.0.0.1:${statsPort}`,
    '  stats enable',
    '  stats uri /',
    'backend anteroom',
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    '  http-check expect status 200',
    '  default-server inter 200ms fastinter 100ms fall 2 rise 1',
    ...ports.map((p, i) => `  server process${i} 127.0.0.1:${p} check`),
  ];
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, `${lines.join('\n')}\n`);
  const child = spawn(path, ['-db', '-f', file], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    /** Waits until HAProxy routes calls to this process again. */
    async sees(i: number) {
      const up = new RegExp(`^anteroom,process${i},.*,UP,`, 'm');
      const look = () => fetch(`${statsUrl}/;csv`).then((answer) => answer.text());
      while (!up.test(await look().catch(() => ''))) await sleep(50);
    },
    stop: () => void child.kill('SIGKILL'),
  };
}
