import { useLingui } from '@lingui/react/macro';
import { createContext, use } from 'react';
import { formatPhone } from '#contract/phone-format.ts';
import { useNow } from './clock.ts';
import { locales, useLanguage, type Language } from './i18n.ts';

const made = new Map<string, Intl.DateTimeFormat>();
/** Creating a formatter costs a thousand times more than using it, so each is created once. */
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

/** Nov 23, 2026: a day for documents that are kept. */
export function formatFullDay(at: string, language: Language, timeZone?: string): string {
  return clockOf(language, timeZone, { month: 'short', day: 'numeric', year: 'numeric' }).format(new Date(at));
}

/** A birthday or other plain date, `YYYY-MM-DD`, as 03/02/2019, without any time zone. */
export function formatDate(date: string, language: Language): string {
  return clockOf(language, 'UTC', { year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    new Date(`${date}T00:00:00Z`),
  );
}

/** Whole minutes from an instant until now, never negative. */
export function minutesSince(at: string | number, now: number): number {
  return Math.max(0, Math.floor((now - new Date(at).getTime()) / 60_000));
}

const OfficeZoneContext = createContext<string | undefined>(undefined);
/** Sets the office's time zone for all times below it. */
export const OfficeZone = OfficeZoneContext.Provider;
export const useOfficeZone = () => use(OfficeZoneContext);

/** The short name of the office's time zone (`EST`), or undefined if the viewer's clock agrees with it. */
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

/** A phone number that stays left-to-right in right-to-left text. */
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

/** The day and the time in the office's time zone. */
export function DayTime({ at }: { at: string }) {
  const zone = useOfficeZone();
  const language = useLanguage();
  return (
    <>
      {formatDay(at, language, zone)}, <Time at={at} />
    </>
  );
}

/** A plain date such as a birthday. */
export function PlainDate({ value }: { value: string }) {
  const language = useLanguage();
  return <bdi dir="ltr">{formatDate(value, language)}</bdi>;
}

/** How long ago: 12 min, from an hour on 1 h 47 min or 3 h. Updates itself. */
export function WaitingTime({ since }: { since: string }) {
  const now = useNow();
  return <Minutes value={minutesSince(since, now)} />;
}

/** A duration in minutes. */
export function Minutes({ value }: { value: number }) {
  const { t } = useLingui();
  const hours = Math.floor(value / 60);
  const rest = value % 60;
  if (value < 60) return <bdi dir="ltr">{t`${value} min`}</bdi>;
  return <bdi dir="ltr">{rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`}</bdi>;
}

/** Cents as dollars. */
export function Money({ cents }: { cents: number }) {
  const language = useLanguage();
  return <bdi dir="ltr">{formatMoney(cents, language)}</bdi>;
}
