/** No one's name or address: only that somebody has signed in with this browser. */
const storageKey = 'anteroom.signed-in-before';

/** Remembers a sign-in with this browser. */
export function rememberSignIn(): void {
  try {
    localStorage.setItem(storageKey, 'yes');
  } catch {
    // Storage is disabled: the next visit shows the product beside the form again.
  }
}

/** Whether somebody has signed in with this browser: the entrance then shows the form first. */
export function signedInBefore(): boolean {
  try {
    return localStorage.getItem(storageKey) !== null;
  } catch {
    return false;
  }
}
