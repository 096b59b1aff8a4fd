import { invitationDays } from '#contract/team.ts';
import type { Language, Translations } from '#contract/shapes.ts';

interface InvitationDetails {
  product: string;
  office: string;
  by: string;
  /** The email or formatted number with which the invited person signs in. */
  to: string;
  url: string;
  until: string;
}

export const invitationSubject = {
  en: ({ office, product }: InvitationDetails) => `Join ${office} on ${product}`,
  es: ({ office, product }: InvitationDetails) => `Únase a ${office} en ${product}`,
} as const satisfies Record<Language, (details: InvitationDetails) => string>;

export const invitationEmail = {
  en: ({ product, office, by, to, url, until }: InvitationDetails) =>
    `${by} invites you to work with ${office} on ${product}.

Open this page to join:
${url}

You sign in with ${to} and a one-time code. The invitation expires on ${until}.

If you did not expect this, you can ignore it.`,
  es: ({ product, office, by, to, url, until }: InvitationDetails) =>
    `${by} le invita a trabajar con ${office} en ${product}.

Abra esta página para unirse:
${url}

Inicie sesión con ${to} y un código de un solo uso. La invitación vence el ${until}.

Si no esperaba este mensaje, puede ignorarlo.`,
} as const satisfies Record<Language, (details: InvitationDetails) => string>;

export const invitationText = {
  en: ({ office, by, url }: InvitationDetails) =>
    `${by} invites you to ${office}: ${url} Sign in with this number. Valid for ${invitationDays} days.`,
  es: ({ office, by, url }: InvitationDetails) =>
    `${by} le invita a ${office}: ${url} Inicie sesión con este número. Válida por ${invitationDays} días.`,
} as const satisfies Record<Language, (details: InvitationDetails) => string>;

/** The message to a colleague who was removed. */
export function removalMessage(office: string, product: string): Translations & { subject: Translations } {
  return {
    subject: { en: `Your access to ${office} has ended`, es: `Su acceso a ${office} terminó` },
    en: `You no longer belong to ${office} on ${product}. Anything you had open there was closed. If this is a mistake, ask the practice to invite you again.`,
    es: `Ya no pertenece a ${office} en ${product}. Lo que tenía abierto se cerró. Si es un error, pida al consultorio que le invite de nuevo.`,
  };
}
