import { useLingui } from '@lingui/react/macro';
import { createContext, use } from 'react';
import { useNow } from './clock.ts';
import { locales, useLanguage, type Language } from './i18n.ts';

const made = new Map<string, Intl.DateTimeFormat>();
/** Making a formatter costs a thousand times more than using it: each is made once. */
function clockOf(
  language: Language,
  timeZone: string | undefined,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${JSON.stringify(options)}`;
  let clock = made.get(key);
  if (!clock)
    made.set(key, (clock = new Intl.DateTimeFormat(locales[language], { ...options, ...(timeZone && { timeZone }) })));
  return clock;
}

/** +12125550101 as (212) 555-0101; anything that is no US number stays as it is. */
export function formatPhone(phone: string): string {
  const digits = /^\+?1?(\d{3})(\d{3})(\d{4})$/.exec(phone.replace(/[^\d+]/g, ''));
  return digits ? `(${digits[1]}) ${digits[2]}-${digits[3]}` : phone;
}

/** Cents as dollars. */
export function formatMoney(cents: number, language: Language): string {
  return new Intl.NumberFormat(locales[language], { style: 'currency', currency: 'USD' }).format(cents / 100);
}

/** The time of day in a time zone: 8:14 AM. `at` is an ISO instant or ms since 1970. */
export function formatTime(at: string | number, language: Language, timeZone?: string): string {
  return clockOf(language, timeZone, { hour: 'numeric', minute: '2-digit' }).format(new Date(at));
}

/** The day in a time zone: Mon, Mar 2. */
export function formatDay(at: string | number, language: Language, timeZone?: string): string {
  return clockOf(language, timeZone, { weekday: 'short', month: 'short', day: 'numeric' }).format(new Date(at));
}

/** A birthday or other plain date, `YYYY-MM-DD`, as 03/02/2019: no time zone may move it. */
export function formatDate(date: string, language: Language): string {
  return clockOf(language, 'UTC', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** Whole minutes between an instant and now, never below zero. */
export function minutesSince(at: string | number, now: number): number {
  return Math.max(0, Math.floor((now - new Date(at).getTime()) / 60_000));
}

const OfficeZoneContext = createContext<string | undefined>(undefined);
/** The office's time zone for every time below it. */
export const OfficeZone = OfficeZoneContext.Provider;
export const useOfficeZone = () => use(OfficeZoneContext);

/** The short name of the office's time zone (`EST`), or undefined where the viewer's clock agrees with it. */
export function useForeignZone(): string | undefined {
  const zone = useOfficeZone();
  const language = useLanguage();
  const now = useNow();
  if (!zone) return undefined;
  const wall = (timeZone?: string) =>
    clockOf('en', timeZone, { hour: 'numeric', minute: 'numeric', day: 'numeric' }).format(now);
  if (wall(zone) === wall()) return undefined;
  const parts = clockOf(language, zone, { hour: 'numeric', timeZoneName: 'short' }).formatToParts(now);
  return parts.find((part) => part.type === 'timeZoneName')?.value;
}

/** A phone number, never turned around in right-to-left text. */
export function Phone({ value }: { value: string }) {
  return <bdi dir="ltr">{formatPhone(value)}</bdi>;
}

/** A time of day in the office's time zone. */
export function Time({ at }: { at: string }) {
  const zone = useOfficeZone();
  const language = useLanguage();
  return (
    <time dateTime={at}>
      <bdi dir="ltr">{formatTime(at, language, zone)}</bdi>
    </time>
  );
}

/** A plain date such as a birthday. */
export function PlainDate({ value }: { value: string }) {
  const language = useLanguage();
  return <bdi dir="ltr">{formatDate(value, language)}</bdi>;
}

/** How long ago: 12 min, from two hours on 2 h 5 min. Moves on by itself. */
export function Waited({ since }: { since: string }) {
  const now = useNow();
  return <Minutes value={minutesSince(since, now)} />;
}

/** A length of time in minutes. */
export function Minutes({ value }: { value: number }) {
  const { t } = useLingui();
  const hours = Math.floor(value / 60);
  const rest = value % 60;
  return <bdi dir="ltr">{value < 120 ? t`${value} min` : t`${hours} h ${rest} min`}</bdi>;
}

/** Cents as dollars. */
export function Money({ cents }: { cents: number }) {
  const language = useLanguage();
  return <bdi dir="ltr">{formatMoney(cents, language)}</bdi>;
}
