import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What happens to a connection: nothing, cut once the server has the request, or cut when its answer begins. */
type Fate = 'passes' | 'cut after the request' | 'cut before the answer';

export interface Cutter {
  url: string;
  /** Connections cut so far that carried a message. */
  cuts(): { afterRequest: number; beforeAnswer: number; sockets: number };
  /** Everything passes from now on. */
  calm(): void;
  close(): void;
}

const sends = /^POST \/api\/(visitor-chat\/messages|conversation\/send)/;
const socketLivesMs = { from: 300, to: 3_000 };

/** A network before a server that cuts most connections with a message, and live connections after a while. One request a connection. */
export async function openCutter(serverUrl: string, share: number): Promise<Cutter> {
  const target = Number(new URL(serverUrl).port);
  const open = new Set<Socket>();
  const counts = { afterRequest: 0, beforeAnswer: 0, sockets: 0 };
  let isCalm = false;

  const server = createServer((client) => {
    const upstream = connect(target, '127.0.0.1');
    for (const socket of [client, upstream]) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => open.delete(socket));
    }
    client.on('close', () => upstream.end());
    upstream.on('close', () => client.destroy());
    let fate: Fate = 'passes';
    client.once('data', (first: Buffer) => {
      const head = first.toString('latin1');
      if (isCalm) return;
      if (/^upgrade: websocket/im.test(head)) {
        const livesMs = socketLivesMs.from + Math.random() * (socketLivesMs.to - socketLivesMs.from);
        setTimeout(() => {
          if (isCalm || client.destroyed) return;
          counts.sockets++;
          client.destroy();
        }, livesMs).unref();
      } else if (sends.test(head) && Math.random() < share)
        fate = Math.random() < 0.5 ? 'cut after the request' : 'cut before the answer';
    });
    client.on('data', (bytes: Buffer) => {
      upstream.write(bytes);
      if (fate !== 'cut after the request' || !isWhole(bytes)) return;
      counts.afterRequest++;
      client.destroy();
    });
    upstream.on('data', (bytes: Buffer) => {
      if (fate === 'cut before the answer' && !client.destroyed) {
        counts.beforeAnswer++;
        client.destroy();
      }
      if (!client.destroyed) client.write(bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cuts: () => ({ ...counts }),
    calm: () => void (isCalm = true),
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

/** Whether the request ends here: its body is one JSON object. */
const isWhole = (bytes: Buffer) => bytes.at(-1) === '}'.charCodeAt(0);
