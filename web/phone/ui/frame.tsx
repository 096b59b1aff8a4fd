import type { ReactNode } from 'react';
import { setLanguage, useLanguage, type Language } from '#web/kit/i18n.ts';
import { PhoneLink } from '#web/kit/phone-link.tsx';
import buttons from '#web/questionnaire/ui/button.module.css';
import footer from '#web/questionnaire/ui/footer.module.css';
import css from './frame.module.css';

export interface FrameProps {
  /** The practice in the page's header; empty until it is loaded. */
  officeName?: string;
  address?: string;
  /** The number that patients call; never the one that texts. */
  officePhone?: string | null;
  /** `call`: the colors of the whole page show that it is time to come in. */
  tone?: 'calm' | 'call';
  /** Called when the patient chooses another language. */
  onLanguage?: (language: Language) => void;
  /** What stays at the page's foot, within reach of a thumb. */
  foot?: ReactNode;
  children?: ReactNode;
}

/** The page of a phone: the practice at the head, the other language, the page itself, its buttons at the foot. */
export function Frame({
  officeName = '',
  address = '',
  officePhone = null,
  tone = 'calm',
  onLanguage,
  foot,
  children,
}: FrameProps) {
  return (
    <div className={`${css.page} ${tone === 'call' ? css.call : ''}`}>
      <header className={css.head}>
        <div className={css.practice}>
          <p className={css.name} dir="auto">
            {officeName}
          </p>
          {(address !== '' || officePhone === null) && (
            <p className={css.address} dir="auto">
              {address}
            </p>
          )}
          {officePhone !== null && <PhoneLink value={officePhone} className={css.phone} />}
        </div>
        <LanguageButton onLanguage={onLanguage} />
      </header>
      <main className={css.main}>
        {children}
        {foot !== undefined && (
          <div className={footer.foot} data-foot={tone}>
            {foot}
          </div>
        )}
      </main>
    </div>
  );
}

const others = { en: ['es', 'Español'], es: ['en', 'English'] } as const;

function LanguageButton({ onLanguage }: Pick<FrameProps, 'onLanguage'>) {
  const [language, name] = others[useLanguage()];
  const choose = () =>
    void setLanguage(language).then(
      () => onLanguage?.(language),
      // Without a network the other language cannot be fetched, so the page stays as it is.
      () => undefined,
    );
  return (
    <button type="button" lang={language} className={buttons.small} onClick={choose}>
      {name}
    </button>
  );
}
