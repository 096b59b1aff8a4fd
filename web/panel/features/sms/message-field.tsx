import { useLingui } from '@lingui/react/macro';
import { longestText } from '#contract/sms.ts';
import { languages, type Language } from '#contract/shapes.ts';
import { useTooLong } from '#web/kit/too-long.ts';
import { TextSize } from '#web/panel/features/queue/index.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import css from './sms.module.css';
import { useOffice, useSaveText } from './use-sms.ts';

interface MessageFieldProps {
  value: string;
  onChange: (text: string) => void;
  defaultText: string;
  error?: string | undefined;
}

/** The message, its size as the carrier counts it, and saving it as the office's default. */
export function MessageField({ value, onChange, defaultText, error }: MessageFieldProps) {
  const { t } = useLingui();
  const save = useSaveText();
  const tooLong = useTooLong(value, longestText);
  return (
    <div>
      <TextArea
        label={t`Message`}
        value={value}
        rows={4}
        error={tooLong ?? error}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className={css.messageEnd}>
        <p className={css.size}>
          <TextSize text={value} />
        </p>
        <OtherLanguage value={value} onChange={onChange} />
        {value.trim() !== defaultText && (
          <Button size="s" busy={save.isPending} locked={tooLong !== undefined} onClick={() => save.mutate(value)}>
            {value.trim() === '' ? t`Restore the standard message` : t`Save as default message`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Changes the standard message to the other language, as long as nobody has changed its words. */
function OtherLanguage({ value, onChange }: Pick<MessageFieldProps, 'value' | 'onChange'>) {
  const { t } = useLingui();
  const standard = useOffice().data?.standardSms;
  const shown = languages.find((language) => standard?.[language] === value.trim());
  if (!standard || !shown) return null;
  const labels: Record<Language, string> = { en: t`In English`, es: t`In Spanish` };
  return languages
    .filter((language) => language !== shown)
    .map((language) => (
      <Button key={language} size="s" onClick={() => onChange(standard[language])}>
        {labels[language]}
      </Button>
    ));
}
