import { useLingui } from '@lingui/react/macro';
import { useId } from 'react';
import { chatColorDefault, longestGreeting } from '#contract/practice/chat-settings.ts';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { WarningIcon } from '#web/icons/warning.tsx';
import { readableOn } from '#web/kit/contrast.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Card } from '#web/panel/ui/card.tsx';
import { TextArea, TextInput } from '#web/panel/ui/field.tsx';
import type { CardProps } from './card-props.ts';
import { colorOf } from './chat-settings-draft.ts';
import css from './chat-settings.module.css';
import { contrastOf, leastControlContrast, white } from './contrast.ts';

export function ColorCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  const id = useId();
  const color = colorOf(draft.color);
  return (
    <Card title={t`Color`}>
      <div className={css.color}>
        <div className={css.picker}>
          <label htmlFor={id}>{t`Choose a color`}</label>
          <input
            id={id}
            type="color"
            value={color ?? chatColorDefault}
            onChange={(event) => onEdit({ color: event.target.value })}
          />
        </div>
        <TextInput
          label={t`Color of the button and the header`}
          autoComplete="off"
          spellCheck={false}
          value={draft.color}
          {...errorAt('color')}
          onChange={(event) => onEdit({ color: event.target.value })}
        />
        {color !== null && (
          <span className={css.sample} style={{ color: readableOn(color), background: color }}>
            {t`Chat with us`}
          </span>
        )}
      </div>
      {color !== null && <Contrast color={color} />}
    </Card>
  );
}

/** Whether the text on the color can be read, and the button be seen on a white website. */
function Contrast({ color }: { color: string }) {
  const { t } = useLingui();
  const number = new Intl.NumberFormat(useLanguage(), { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  const onText = number.format(contrastOf(color, readableOn(color)));
  const onWhite = contrastOf(color, white);
  const button = number.format(onWhite);
  const isVisible = onWhite >= leastControlContrast;
  return (
    <div role="status" className={css.contrast}>
      <p>
        <CheckCircleIcon size={16} />
        <span>
          {readableOn(color) === white
            ? t`The text on it is white: a contrast of ${onText} to 1, easy to read.`
            : t`The text on it is black: a contrast of ${onText} to 1, easy to read.`}
        </span>
      </p>
      <p data-warns={!isVisible || undefined}>
        {isVisible ? <CheckCircleIcon size={16} /> : <WarningIcon size={16} />}
        <span>
          {isVisible
            ? t`On a white website the button has a contrast of ${button} to 1, easy to see.`
            : t`On a white website the button has a contrast of only ${button} to 1, hard to see. Choose a darker color, unless your website is dark.`}
        </span>
      </p>
    </div>
  );
}

export function GreetingCard({ draft, onEdit, errorAt }: CardProps) {
  const { t } = useLingui();
  return (
    <Card title={t`Greeting in the chat`}>
      <p className={css.note}>{t`What visitors read first. Leave it empty to use the standard greeting.`}</p>
      <div className={css.twos}>
        {(['en', 'es'] as const).map((language) => (
          <TextArea
            key={language}
            label={language === 'en' ? t`In English` : t`In Spanish`}
            lang={language}
            rows={3}
            value={draft.greeting[language]}
            {...errorAt(`greeting.${language}`)}
            hint={t`${draft.greeting[language].length} of ${longestGreeting} characters`}
            onChange={(event) => onEdit({ greeting: { ...draft.greeting, [language]: event.target.value } })}
          />
        ))}
      </div>
    </Card>
  );
}
