import type { FastifyRequest } from 'fastify';
import { networkOfAddress } from '#server/kit/http/client-network.ts';

/** Far more than anybody who tries the demo out, or a run of the journeys, needs. */
const perNetwork = { name: 'demo-switches', points: 300, seconds: 600 };

/** Limits how often a network may switch what the demo's local providers do. Throws `too_many_tries`. */
export const takeDemoPace = (req: FastifyRequest): Promise<void> =>
  req.server.services.limits.takeForNetwork(perNetwork, networkOfAddress(req.ip));
