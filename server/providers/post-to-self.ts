import type { Services } from '#server/context.ts';

/** Calls our own callback route and returns its HTTP status. */
export type Post = (path: string, headers: Record<string, string>, body: string) => Promise<number>;

/** Over HTTP to this process, as a vendor would call us. */
export function postToSelf({ env }: Pick<Services, 'env'>, withinMs = 10_000): Post {
  const host = env.host === '0.0.0.0' || env.host === '::' ? '127.0.0.1' : env.host;
  return async (path, headers, body) => {
    const answer = await fetch(`http://${host.includes(':') ? `[${host}]` : host}:${env.port}${path}`, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(withinMs),
    });
    await answer.arrayBuffer();
    return answer.status;
  };
}
