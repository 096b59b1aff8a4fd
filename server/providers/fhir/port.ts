/** The FHIR server surely did not take it. `problem` is a word or two for the desk and the log: never a name. */
export class FhirRefused extends Error {
  override readonly name = 'FhirRefused';
  readonly problem: string;
  /** Whether the server refused the transaction itself, and not a query about what it has. */
  readonly isAboutSending: boolean;
  constructor(problem: string, isAboutSending: boolean) {
    super(`the FHIR server refused: ${problem}`);
    this.problem = problem;
    this.isAboutSending = isAboutSending;
  }
}

/** No answer, or none that says whether the server took it. */
export class FhirSilent extends Error {
  override readonly name = 'FhirSilent';
}

/** The FHIR R4 server that answers are posted to. */
export interface FhirServer {
  readonly name: string;
  /** Whether it has the response with this identifier. Throws `FhirRefused` if it cannot be asked. */
  hasResponse(practice: string, identifier: string): Promise<boolean>;
  /** Posts a transaction: all of it or nothing. Throws `FhirRefused` or `FhirSilent`. */
  post(practice: string, bundle: object): Promise<void>;
}
