/**
 * Pictures that are attached or on their way, so that a reload loses none. They are in the frame's own storage, which browsers separate by the
 * website around it. Which of them belong to this tab is in its `sessionStorage`, by id.
 */
const storeName = 'pictures';
/** Nobody comes back for a picture of a tab that was closed. */
const keepMs = 600_000;

interface KeptPicture {
  file: File;
  keptAt: number;
}

export async function keepPicture(id: string, file: File): Promise<void> {
  const picture: KeptPicture = { file, keptAt: Date.now() };
  await inStore('readwrite', (store) => store.put(picture, id));
}

/** Null if it is not there, such as when the browser refused to store it. */
export async function keptPicture(id: string): Promise<File | null> {
  const found = await inStore<KeptPicture | undefined>('readonly', (store) => store.get(id));
  return found?.file ?? null;
}

export async function forgetPicture(id: string): Promise<void> {
  await inStore('readwrite', (store) => store.delete(id));
}

/** Deletes what closed tabs have left, but none of `ofThisTab`. */
export async function forgetOldPictures(ofThisTab: readonly string[]): Promise<void> {
  const ids = (await inStore('readonly', (store) => store.getAllKeys())) ?? [];
  for (const id of ids) {
    if (ofThisTab.some((own) => own === id)) continue;
    const found = await inStore<KeptPicture | undefined>('readonly', (store) => store.get(id));
    if (found && Date.now() - found.keptAt > keepMs) await inStore('readwrite', (store) => store.delete(id));
  }
}

/** Undefined if storage is blocked or full: then a picture lasts as long as the page. */
async function inStore<T>(
  mode: IDBTransactionMode,
  act: (store: IDBObjectStore) => IDBRequest<T>,
): Promise<T | undefined> {
  try {
    const opening = indexedDB.open('anteroom', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(storeName);
    const database = await resultOf(opening);
    try {
      return await resultOf(act(database.transaction(storeName, mode).objectStore(storeName)));
    } finally {
      database.close();
    }
  } catch {
    return undefined;
  }
}

const resultOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('the browser stores nothing'));
  });
