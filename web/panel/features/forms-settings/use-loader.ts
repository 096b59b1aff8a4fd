import { useEffect, useRef, useState } from 'react';
import { loadForm, maxFormLength, type LoadedForm } from '#contract/forms/settings.ts';
import { callWithProgress } from '#web/kit/upload/call-with-progress.ts';
import { compactToFit, readText, FileTooLarge } from './file-text.ts';

/** The state of a file that is being loaded. */
export type Loading =
  | { at: 'waiting' }
  | { at: 'reading' | 'sending'; name: string; part: number }
  | { at: 'failed'; name: string; error: unknown; again: () => void }
  | { at: 'judged'; name: string; text: string; result: LoadedForm };

const refusedForm = (code: 'too_big' | 'not_json', detail: string): LoadedForm => ({
  form: null,
  becomes: null,
  findings: [{ code, severity: 'error', place: '', detail, linkId: null, words: null, expression: null, cause: null }],
});
const megabytes = String(maxFormLength / 1_000_000);

/** An empty file, or a binary one. */
const isNoText = (text: string) => text.includes('\0') || text.trim() === '';

/** Reads a file, has the server check it, and loads it. `formType` is the form that it replaces. */
export function useLoader(formType: string | undefined) {
  const [loading, setLoading] = useState<Loading>({ at: 'waiting' });
  const under = useRef<AbortController>(null);
  useEffect(() => () => under.current?.abort(), []);

  const post = (text: string, name: string, check: boolean, signal: AbortSignal) =>
    callWithProgress(
      loadForm,
      { body: { text: compactToFit(text), check, ...(formType !== undefined && { formType }) } },
      { signal, onProgress: (part) => setLoading({ at: 'sending', name, part }) },
    );

  async function run(
    name: string,
    again: () => void,
    work: (signal: AbortSignal) => Promise<Loading>,
  ): Promise<Loading | null> {
    under.current?.abort();
    const over = new AbortController();
    under.current = over;
    try {
      const done = await work(over.signal);
      if (over.signal.aborted) return null;
      setLoading(done);
      return done;
    } catch (error) {
      if (!over.signal.aborted) setLoading({ at: 'failed', name, error, again });
      return null;
    }
  }

  /** Reads and checks the file; nothing is loaded yet. */
  async function look(file: Blob, name: string): Promise<void> {
    setLoading({ at: 'reading', name, part: 0 });
    await run(
      name,
      () => void look(file, name),
      async (signal) => {
        let text = '';
        try {
          text = (await readText(file, (part) => setLoading({ at: 'reading', name, part }), signal)).toWellFormed();
          if (isNoText(text)) return { at: 'judged', name, text, result: refusedForm('not_json', name) };
          return { at: 'judged', name, text, result: await post(text, name, true, signal) };
        } catch (error) {
          if (error instanceof FileTooLarge)
            return { at: 'judged', name, text, result: refusedForm('too_big', megabytes) };
          throw error;
        }
      },
    );
  }

  /** Loads the checked file. */
  async function load(): Promise<LoadedForm | null> {
    if (loading.at !== 'judged') return null;
    const { name, text } = loading;
    const done = await run(
      name,
      () => setLoading(loading),
      async (signal) => ({
        at: 'judged',
        name,
        text,
        result: await post(text, name, false, signal),
      }),
    );
    return done?.at === 'judged' ? done.result : null;
  }

  const stop = () => {
    under.current?.abort();
    setLoading({ at: 'waiting' });
  };
  return { loading, look, load, stop };
}
