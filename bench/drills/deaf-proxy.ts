import { createServer, connect, type Socket } from 'node:net';

/** PostgreSQL's message of a NOTIFY that somebody sent. */
const notification = 'A'.charCodeAt(0);

export interface DeafProxy {
  /** The same login and database through the proxy. */
  url: string;
  /** From now on no notification passes; everything else does, so that the listener looks healthy. */
  deafen(): void;
  /** How many notifications were dropped. */
  dropped(): number;
  close(): Promise<void>;
}

/** A proxy before PostgreSQL that can drop the notifications on their way to a listener. */
export async function startDeafProxy(directUrl: string): Promise<DeafProxy> {
  const target = new URL(directUrl);
  const sockets = new Set<Socket>();
  let isDeaf = false;
  let dropped = 0;
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname);
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        database.destroy();
      });
    }
    client.pipe(database);
    let rest: Buffer = Buffer.alloc(0);
    database.on('data', (chunk) => {
      rest = Buffer.concat([rest, chunk]);
      // A type of one byte and a length that counts itself.
      while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readUInt32BE(1));
        rest = rest.subarray(message.length);
        if (isDeaf && message[0] === notification) dropped++;
        else client.write(message);
      }
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as { port: number };
  return {
    url: Object.assign(new URL(directUrl), { hostname: '127.0.0.1', port: String(port) }).toString(),
    deafen: () => void (isDeaf = true),
    dropped: () => dropped,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((done) => server.close(done));
    },
  };
}
