/**
 * A member of a practice asks for a feature that the practice does not have yet.
 *
 * feature request: stored for the person, and emailed to the operator of the installation.
 */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';

export const RequestableFeature = z.enum(['chat']);
export type RequestableFeature = z.output<typeof RequestableFeature>;

const RequestedFeatures = z.object({ requested: z.array(RequestableFeature) });

export const readFeatureRequests = endpoint({
  method: 'GET',
  path: '/feature-requests',
  summary: 'The features that the caller has asked for at this office',
  access: 'office',
  reply: RequestedFeatures,
});

export const requestFeature = endpoint({
  method: 'POST',
  path: '/feature-requests',
  summary: 'Asks for a feature: stored for the caller and emailed to the operator. A second request changes nothing',
  access: 'office',
  audit: 'feature.request',
  body: z.object({ feature: RequestableFeature }),
  reply: RequestedFeatures,
});
