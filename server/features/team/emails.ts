import { invitationDays } from '#contract/team.ts';
import type { Language, Words } from '#contract/refusals.ts';

interface Invites {
  product: string;
  office: string;
  by: string;
  /** What the invited person signs in with, as people write it. */
  to: string;
  url: string;
  until: string;
}

export const invitationSubject = {
  en: ({ office, product }: Invites) => `Join ${office} on ${product}`,
  es: ({ office, product }: Invites) => `Únase a ${office} en ${product}`,
} as const satisfies Record<Language, (given: Invites) => string>;

export const invitationLetter = {
  en: ({ product, office, by, to, url, until }: Invites) =>
    `${by} invites you to work with ${office} on ${product}.

Open this page to join:
${url}

You sign in with ${to} and a one-time code. The invitation ends on ${until}.

If you did not expect this, you need not do anything.`,
  es: ({ product, office, by, to, url, until }: Invites) =>
    `${by} le invita a trabajar con ${office} en ${product}.

Abra esta página para unirse:
${url}

Inicie sesión con ${to} y un código de un solo uso. La invitación vence el ${until}.

Si no esperaba este mensaje, no tiene que hacer nada.`,
} as const satisfies Record<Language, (given: Invites) => string>;

export const invitationText = {
  en: ({ office, by, url }: Invites) =>
    `${by} invites you to ${office}: ${url} Sign in with this number. Valid for ${invitationDays} days.`,
  es: ({ office, by, url }: Invites) =>
    `${by} le invita a ${office}: ${url} Inicie sesión con este número. Válida por ${invitationDays} días.`,
} as const satisfies Record<Language, (given: Invites) => string>;

/** What somebody reads who was taken off a team. */
export function goodbye(office: string, product: string): Words & { subject: Words } {
  return {
    subject: { en: `Your access to ${office} has ended`, es: `Su acceso a ${office} terminó` },
    en: `You no longer belong to ${office} on ${product}. Whatever you had open of it is closed. If this is a mistake, ask the practice to invite you again.`,
    es: `Ya no pertenece a ${office} en ${product}. Lo que tenía abierto se cerró. Si es un error, pida al consultorio que le invite de nuevo.`,
  };
}
