/** What the address of the patient list says: the open patient. Never a name. */
export interface DirectorySearch {
  patient?: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the search parameters; invalid ones are left out. */
export function readDirectorySearch({ patient }: Record<string, unknown>): DirectorySearch {
  return typeof patient === 'string' && uuid.test(patient) ? { patient } : {};
}
