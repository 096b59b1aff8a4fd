/** What the address of a patient's details says: which patient, as the calls name them. Never a name. */
export interface DetailsSearch {
  user?: string;
  episode?: string;
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Reads the search parameters; invalid ones are left out. */
export function readDetailsSearch({ user, episode }: Record<string, unknown>): DetailsSearch {
  const isValid = typeof user === 'string' && /^[\w-]{1,64}$/.test(user);
  return isValid && typeof episode === 'string' && uuid.test(episode) ? { user, episode } : {};
}
