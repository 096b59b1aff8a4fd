import type { Language } from '#contract/shapes.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { identitiesOf } from '#server/identities.ts';
import type { Limit } from '#server/kit/http/rate-limits.ts';
import { describeError } from '#server/kit/log.ts';
import { findPerson } from '#server/features/sign-in/index.ts';

/** A change of a person's sign-in methods. */
type Change = 'passkey' | 'pin' | 'pin-void' | 'authenticator' | 'authenticator-removed' | 'recovery-code';

const messages: Record<Change, Record<Language, string>> = {
  passkey: {
    en: 'A passkey was added to your account.',
    es: 'Se agregó una llave de acceso a su cuenta.',
  },
  pin: {
    en: 'A PIN to unlock one of your devices was set.',
    es: 'Se creó un PIN para desbloquear uno de sus dispositivos.',
  },
  'pin-void': {
    en: 'A PIN of yours was removed after five wrong tries.',
    es: 'Se eliminó uno de sus PIN después de cinco intentos incorrectos.',
  },
  authenticator: {
    en: 'An authenticator app was set up for your account.',
    es: 'Se configuró una aplicación de autenticación para su cuenta.',
  },
  'authenticator-removed': {
    en: 'The authenticator app was removed from your account.',
    es: 'Se quitó la aplicación de autenticación de su cuenta.',
  },
  'recovery-code': {
    en: 'A recovery code was used to sign in to your account.',
    es: 'Se usó un código de recuperación para iniciar sesión en su cuenta.',
  },
};
const notYou: Record<Language, string> = {
  en: 'If it was not you, open Settings, Security, press “Sign out everywhere”, and tell your practice.',
  es: 'Si no fue usted, abra Ajustes, Seguridad, presione «Cerrar todas las sesiones» y avise a su consultorio.',
};

/** Who holds a proof can add and remove a second step again and again. */
const notices = { name: 'security-notices', points: 10, seconds: 3600 } as const satisfies Limit;

/** Notifies a person, at their first identity, of a change of their sign-in methods. A failed notice does not undo the change. */
export async function notifyPerson(ctx: AnyoneCtx, personId: string, change: Change): Promise<void> {
  const [person, [recipient]] = await Promise.all([findPerson(ctx.db, personId), identitiesOf(ctx.db, personId)]);
  if (!recipient) return;
  const language = person.language ?? ctx.language;
  const text = `${ctx.env.productName}: ${messages[change][language]} ${notYou[language]}`;
  const reference = ctx.id();
  const { email, sms } = ctx.providers;
  try {
    await ctx.limits.take(notices, recipient.value);
    if (recipient.kind === 'email')
      await email.send({
        to: recipient.value,
        subject: `${ctx.env.productName}: ${messages[change][language]}`,
        text,
        reference,
        isCounted: true,
      });
    else
      await sms.send(
        { from: ctx.env.codeNumber, to: recipient.value, body: text, reference },
        AbortSignal.timeout(10_000),
      );
  } catch (error) {
    ctx.log.warn({ err: describeError(error as Error), notice: reference }, 'security notice may not have been sent');
  }
}
