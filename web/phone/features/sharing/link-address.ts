import { useEffect, useState } from 'react';

/** What a link's address brings. */
export interface ShareLink {
  token: string;
  /** The NPI it names. */
  office: string;
}

/** The practice of a link that is over: its name and number are no secret, so the expired page keeps them. */
export interface SharingOffice {
  officeName: string;
  officePhone: string | null;
}

const pages = { '/forms/shared': 'shared', '/form-error': 'error', '/form-expired': 'expired' } as const;
type Page = (typeof pages)[keyof typeof pages];
const addressOf = Object.fromEntries(Object.entries(pages).map(([path, page]) => [page, path])) as Record<Page, string>;

export interface SharedFormsRoute {
  page: Page;
  /** Kept with the entry of this window's history and nowhere else: a reload finds it, another window does not. */
  link: ShareLink | null;
  /** Of an expired link. */
  office: SharingOffice | null;
  /** The list of forms is open. */
  list: boolean;
}

interface HistoryState {
  link?: ShareLink;
  office?: SharingOffice;
  list?: boolean;
}

/** Removes the token from the address before anybody sees or stores it. */
function moveTokenToHistory(): void {
  const params = new URLSearchParams(location.search);
  const token = params.get('token');
  if (location.pathname.replace(/\/$/, '') !== addressOf.shared || token === null) return;
  const link: ShareLink = { token, office: params.get('office') ?? '' };
  history.replaceState({ link } satisfies HistoryState, '', addressOf.shared);
}

function readRoute(): SharedFormsRoute {
  const path = location.pathname.replace(/\/$/, '') as keyof typeof pages;
  const { link = null, office = null, list = false } = (history.state ?? {}) as HistoryState;
  const page = pages[path] ?? 'error';
  // An address without a token never led anywhere.
  return { page: page === 'shared' && link === null ? 'error' : page, link, office, list };
}

/** Where an outside party is, and the ways on from there. */
export function useSharedFormsRoute() {
  const [place, setPlace] = useState(() => {
    moveTokenToHistory();
    return readRoute();
  });
  useEffect(() => {
    const follow = () => setPlace(readRoute());
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);
  const put = (page: Page, kept: HistoryState, way: 'pushState' | 'replaceState') => {
    history[way](kept, '', addressOf[page]);
    setPlace(readRoute());
  };
  const { link } = place;
  return {
    place,
    openList: () => link && put('shared', { link, list: true }, 'pushState'),
    tryAgain: () => link && put('shared', { link }, 'replaceState'),
    /** The link is over: it is forgotten. */
    expired: (office: SharingOffice) => put('expired', { office }, 'replaceState'),
    /** `mayTryAgain`: the link may be right, it was the server that had none of it. */
    failed: (mayTryAgain: boolean) => put('error', link && mayTryAgain ? { link } : {}, 'replaceState'),
  };
}
