import type { Services } from '#server/context.ts';
import { noFhirServer } from './off.ts';
import type { FhirServer } from './port.ts';
import { restFhirServer } from './rest.ts';

/** The FHIR server that answers are posted to, if one is configured. */
export function openFhirServer({ env }: Pick<Services, 'env'>): FhirServer {
  return env.fhirServer ? restFhirServer(env.fhirServer) : noFhirServer();
}
