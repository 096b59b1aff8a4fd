import { useEffect } from 'react';
import { boot } from './boot.ts';

let name = '';
let count = 0;
let news = '';
/** The product's name in this installation. */
export const productName = boot<{ config: { productName: string } }>().config?.productName ?? 'Anteroom';

function showTitle(): void {
  const parts = [news, name, productName].filter(Boolean).join(' · ');
  document.title = count > 0 ? `(${count}) ${parts}` : parts;
}

/** Sets the window's title. Never a patient's name. */
export function useTitle(page: string): void {
  useEffect(() => {
    name = page;
    showTitle();
    return () => {
      name = '';
      showTitle();
    };
  }, [page]);
}

/** The number before the title: how many are waiting. */
export function useTitleCount(waiting: number): void {
  useEffect(() => {
    count = waiting;
    showTitle();
    return () => {
      count = 0;
      showTitle();
    };
  }, [waiting]);
}

/** Shows a text in the window's title before the page's name, such as how many messages are unread. */
export function useTitleNews(text: string): void {
  useEffect(() => {
    news = text;
    showTitle();
    return () => {
      news = '';
      showTitle();
    };
  }, [text]);
}
