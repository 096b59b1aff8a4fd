/** Shapes that several features share. */
import * as z from 'zod/mini';
import type { Language as FormLanguage, Translations as FormTranslations } from '#questionnaire/language/language.ts';

/** A point in time, ISO 8601 in UTC. */
export const Instant = z.iso.datetime();

/** A point in time as a caller may write it: in UTC, or with an offset. */
export const InstantWithOffset = z.iso.datetime({ offset: true });

/** Ten digits. `hasCheckDigit` also verifies the last one. */
export const Npi = z.string().check(z.regex(/^\d{10}$/));

/** The token in a visit's link: at least 128 random bits as base64url. */
export const Token = z.string().check(z.regex(/^[A-Za-z0-9_-]{22,64}$/));

/** The key of a form's PDF in the file store. */
export const ObjectKey = z.string().check(z.minLength(1), z.maxLength(200));

/** The languages of every page, text and refusal. */
export const languages = ['en', 'es'] as const satisfies readonly FormLanguage[];
export const Language = z.enum(languages);
export type Language = FormLanguage;
export type Translations = FormTranslations;

/** A refusal's HTTP status, and the text the person reads. */
export type RefusalTexts = { status: number } & Translations;

/** A one-time code as people type it. */
export const OneTimeCode = z.string().check(z.regex(/^\d{4,8}$/));
/** The reply of an endpoint that sends a code. */
export const SentCode = z.object({ expiresAt: Instant, resendAfterSeconds: z.int() });
