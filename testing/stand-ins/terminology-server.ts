import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A terminology server on this machine: it expands the value sets it was given, and counts how often it is asked for each. */
export interface TerminologyServer {
  url: string;
  /** Answers `$expand` for this value set with these codes, or however `answer` says. */
  has(url: string, answer: string[] | ((res: ServerResponse) => void)): void;
  /** The queries so far. */
  asked: URLSearchParams[];
  close(): void;
}

export const expansion = (codes: readonly string[], more: object = {}) => ({
  resourceType: 'ValueSet',
  status: 'active',
  expansion: {
    timestamp: '2026-03-02T15:00:00Z',
    ...more,
    contains: codes.map((code) => ({
      system: 'urn:colors',
      code,
      display: code.toUpperCase(),
      designation: [
        { language: 'es', value: `${code} (es)` },
        { language: 'de', value: `${code} (de)` },
      ],
    })),
  },
});

export async function startTerminologyServer(): Promise<TerminologyServer> {
  const sets = new Map<string, string[] | ((res: ServerResponse) => void)>();
  const asked: URLSearchParams[] = [];
  const server = createServer((req, res) => {
    const { pathname, searchParams } = new URL(req.url ?? '', 'http://x');
    res.setHeader('content-type', 'application/fhir+json');
    const answer = sets.get(searchParams.get('url') ?? '');
    if (pathname !== '/r4/ValueSet/$expand') return void res.writeHead(404).end();
    asked.push(searchParams);
    if (!answer) return void res.writeHead(404).end('{"resourceType":"OperationOutcome"}');
    if (typeof answer === 'function') answer(res);
    else res.end(JSON.stringify(expansion(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/r4`,
    has: (url, answer) => void sets.set(url, answer),
    asked,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
