import { Plural, useLingui } from '@lingui/react/macro';
import { longestText } from '#contract/sms.ts';
import { sizeOfText } from '#contract/text-segments.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TextArea } from '#web/panel/ui/field.tsx';
import css from './sms.module.css';
import { useSaveText } from './use-sms.ts';

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
  return (
    <div>
      <TextArea
        label={t`Message`}
        value={value}
        rows={4}
        maxLength={longestText}
        error={error}
        onChange={(event) => onChange(event.target.value)}
      />
      <div className={css.messageEnd}>
        <p className={css.size}>
          <TextSize text={value} />
        </p>
        {value.trim() !== defaultText && (
          <Button size="s" busy={save.isPending} onClick={() => save.mutate(value)}>
            {value.trim() === '' ? t`Restore the standard message` : t`Save as default message`}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Characters, and how many texts a carrier bills for them. The tooltip names the encoding, which decides how many fit in one. */
export function TextSize({ text }: { text: string }) {
  const { t } = useLingui();
  const { encoding, characters, segments } = sizeOfText(text.trim());
  return (
    <span title={t`Encoding: ${encoding}`}>
      <Plural value={characters} one="# character" other="# characters" /> ·{' '}
      <Plural value={segments} one="# text" other="# texts" />
    </span>
  );
}
