import { FhirRefused, type FhirServer } from './port.ts';

/** No FHIR server. */
export function noFhirServer(): FhirServer {
  const refuse = () => Promise.reject(new FhirRefused('none', false));
  return { name: 'off', hasResponse: refuse, post: refuse };
}
