import { useEffect, useState } from 'react';

/** What a link's address brings. */
export interface LinkInHand {
  token: string;
  /** The NPI it names. */
  office: string;
}

const pages = { '/forms/shared': 'shared', '/form-error': 'error', '/form-expired': 'expired' } as const;
type Page = (typeof pages)[keyof typeof pages];
const addressOf = Object.fromEntries(Object.entries(pages).map(([path, page]) => [page, path])) as Record<Page, string>;

export interface OutsidePlace {
  page: Page;
  /** Kept with the entry of this window's history and nowhere else: a reload finds it, another window does not. */
  link: LinkInHand | null;
  /** The list of forms is open. */
  list: boolean;
}

interface Kept {
  link?: LinkInHand;
  list?: boolean;
}

/** Takes the token out of the address, before it is seen or kept by anybody. */
export function clearAddress(): void {
  const given = new URLSearchParams(location.search);
  const token = given.get('token');
  if (location.pathname.replace(/\/$/, '') !== addressOf.shared || token === null) return;
  const link: LinkInHand = { token, office: given.get('office') ?? '' };
  history.replaceState({ link } satisfies Kept, '', addressOf.shared);
}

function readPlace(): OutsidePlace {
  const path = location.pathname.replace(/\/$/, '') as keyof typeof pages;
  const { link = null, list = false } = (history.state ?? {}) as Kept;
  const page = pages[path] ?? 'error';
  // An address without a token never led anywhere.
  return { page: page === 'shared' && link === null ? 'error' : page, link, list };
}

/** Where an outside party is, and the ways on from there. */
export function useOutsidePlace() {
  const [place, setPlace] = useState(() => {
    clearAddress();
    return readPlace();
  });
  useEffect(() => {
    const follow = () => setPlace(readPlace());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const put = (page: Page, kept: Kept, way: 'pushState' | 'replaceState') => {
    history[way](kept, '', addressOf[page]);
    setPlace(readPlace());
  };
  const { link } = place;
  return {
    place,
    openList: () => link && put('shared', { link, list: true }, 'pushState'),
    tryAgain: () => link && put('shared', { link }, 'replaceState'),
    /** The link is over: it is forgotten. */
    expired: () => put('expired', {}, 'replaceState'),
    /** `mayTryAgain`: the link may be right, it was the server that had none of it. */
    failed: (mayTryAgain: boolean) => put('error', link && mayTryAgain ? { link } : {}, 'replaceState'),
  };
}
