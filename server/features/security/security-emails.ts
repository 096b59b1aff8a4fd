import type { Language } from '#contract/refusals.ts';
import type { AnyoneCtx } from '#server/context.ts';
import { describeError } from '#server/kit/log.ts';
import { findPerson, identitiesOf } from '#server/features/sign-in/index.ts';

/** What changed in how a person signs in. */
type Change = 'passkey' | 'authenticator' | 'authenticator-removed' | 'recovery-code';

const words: Record<Change, Record<Language, string>> = {
  passkey: {
    en: 'A passkey was added to your account.',
    es: 'Se agregó una llave de acceso a su cuenta.',
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
  en: 'If it was not you, sign out everywhere in the settings under Security and tell your practice.',
  es: 'Si no fue usted, cierre todas las sesiones en la configuración, en Seguridad, y avise a su consultorio.',
};

/** Tells a person, where they are reached first, what changed in how they sign in. That it could not be told undoes nothing. */
export async function tellPerson(ctx: AnyoneCtx, personId: string, change: Change): Promise<void> {
  const [{ language }, [reached]] = await Promise.all([findPerson(ctx.db, personId), identitiesOf(ctx.db, personId)]);
  if (!reached) return;
  const said = (language as Language | null) ?? ctx.language;
  const text = `${ctx.env.productName}: ${words[change][said]} ${notYou[said]}`;
  const reference = ctx.id();
  const { email, sms } = ctx.providers;
  try {
    if (reached.kind === 'email')
      await email.send({
        to: reached.value,
        subject: `${ctx.env.productName}: ${words[change][said]}`,
        text,
        reference,
        isCounted: true,
      });
    else
      await sms.send(
        { from: ctx.env.codeNumber, to: reached.value, body: text, reference },
        AbortSignal.timeout(10_000),
      );
  } catch (error) {
    ctx.log.warn({ err: describeError(error as Error), notice: reference }, 'a notice was not sent for sure');
  }
}
