import { useEffect, useEffectEvent, useMemo, useState, type FormEvent, type RefObject } from 'react';
import type { Page } from '#questionnaire/pages.ts';
import type { FilledForm, FormSession } from './filled-form.ts';
import { firstProblems } from './first-problems.ts';
import { fetchLazyPart, useLoadedPart } from './lazy-parts.ts';

interface NextPageProps {
  filling: FilledForm;
  session: FormSession;
  page: Page;
  /** The page's form, whose first wrong field takes the focus. */
  body: RefObject<HTMLFormElement | null>;
  onNext: () => void;
  /** The page is the whole form, so problems that the server found are shown on it too. */
  isWholeForm: boolean;
}

/** Somebody can press Next before the checks are loaded, and on a bad network the form goes on without them. */
const longestWaitForChecksMs = 4_000;

/** What Next does: waits for the pictures of the page, checks its answers, and goes on or shows what is wrong. */
export function useNextPage({ filling, session, page, body, onNext, isWholeForm }: NextPageProps) {
  const { questionnaire, answers, setting } = filling;
  // Problems are shown after Next was pressed, or at once if the server found them.
  const [showsProblems, setShowsProblems] = useState(filling.problems.length > 0);
  const [tries, setTries] = useState(0);
  const [wait, setWait] = useState<'none' | 'waiting' | 'calculating' | 'over' | 'refused'>('none');
  const keys = new Set(page.items.map(({ key }) => key));
  /** Without a network it may never be loaded, and nothing is checked here; the review and the server check everything again. */
  const { problemsOf, warningsIn } = useLoadedPart('rest') ?? {};
  const problems = useMemo(
    () => (showsProblems && problemsOf ? problemsOf(questionnaire, answers, setting) : []),
    [showsProblems, problemsOf, questionnaire, answers, setting],
  );

  const serverProblems = filling.problems;
  useEffect(() => {
    if (isWholeForm && serverProblems.length > 0) setTries((count) => count + 1);
  }, [isWholeForm, serverProblems]);
  useEffect(() => {
    if (tries > 0) body.current?.querySelector<HTMLElement>(wrongField)?.focus();
  }, [tries, body]);

  const goOn = () => {
    const problemsNow = problemsOf?.(questionnaire, answers, setting) ?? [];
    const isWrong = problemsNow.some(({ path, isEarly }) => keys.has(path) && (!isEarly || isWholeForm));
    setShowsProblems(isWrong);
    if (isWrong) setTries(tries + 1);
    else onNext();
  };
  const next = (event: FormEvent) => {
    event.preventDefault();
    if (wait === 'waiting' || wait === 'calculating') return;
    const pictures = session.uploads.waitForPage();
    const calculations = session.settle();
    if (!pictures && !calculations && problemsOf) return goOn();
    // The last picture and what is calculated change the answers, and the checks come with a render: the one that has them goes on.
    setWait(pictures || !problemsOf ? 'waiting' : 'calculating');
    Promise.all([pictures, problemsOf ?? loadChecks(), calculations])
      .then(async ([refusal]) => {
        await session.settle();
        setWait(refusal ? 'refused' : 'over');
      })
      // A calculation that fails on this phone keeps nobody: the server calculates again.
      .catch(() => setWait('over'));
  };
  const goOnAfterWait = useEffectEvent(goOn);
  useEffect(() => {
    if (wait !== 'over') return;
    setWait('none');
    goOnAfterWait();
  }, [wait]);
  useEffect(() => {
    if (wait === 'refused') body.current?.querySelector('[role="alert"]')?.scrollIntoView({ block: 'center' });
  }, [wait, body]);

  const foundProblems = isWholeForm && problems.length === 0 ? serverProblems : problems;
  const shownProblems = firstProblems(foundProblems.filter(({ path }) => keys.has(path)));
  const warnings = firstProblems(warningsIn?.(setting) ?? []);
  return {
    next,
    /** What is wrong, and where nothing is what the form only warns about. */
    shownProblems: warnings.size > 0 ? new Map([...warnings, ...shownProblems]) : shownProblems,
    /** What is wrong with the form but belongs to no question of the page. */
    otherProblem: isWholeForm ? serverProblems.find(({ path }) => !keys.has(path)) : undefined,
    isWaiting: wait === 'waiting',
    /** Next waits for what the form calculates from the last answers. */
    isCalculating: wait === 'calculating',
    /** Next found something wrong that is still wrong. */
    isStopped: shownProblems.size > 0 && tries > 0,
  };
}

const loadChecks = () => {
  const tooLate = new Promise((resolve) => setTimeout(resolve, longestWaitForChecksMs));
  return Promise.race([fetchLazyPart('rest').catch(() => undefined), tooLate]);
};

const wrongField = ['input', 'select', 'textarea', 'button']
  .map((field) => `[data-wrong] ${field}:not([hidden])`)
  .join(', ');
