import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import type { KnownForm, LoadedForm } from '#contract/forms/settings.ts';
import { useLanguage } from '#web/kit/i18n.ts';
import { Banner } from '#web/panel/ui/banner.tsx';
import { Button } from '#web/panel/ui/button.tsx';
import { Dialog } from '#web/panel/ui/dialog.tsx';
import { CheckCircleIcon } from '#web/icons/check-circle.tsx';
import { EyeIcon } from '#web/icons/eye.tsx';
import { RefreshIcon } from '#web/icons/refresh.tsx';
import { useErrorMessage } from '#web/panel/ui/trouble.tsx';
import { Findings, useFindingCounts } from './findings.tsx';
import css from './loader.module.css';
import { PickFile } from './pick-file.tsx';
import { useLoader, type Loading } from './use-loader.ts';

interface LoaderDialogProps {
  /** The form that the file replaces. */
  replaces: KnownForm | null;
  /** The files that were dropped on the page. */
  dropped: readonly File[] | null;
  /** Previews a questionnaire, passed as text. */
  onPreview: (text: string, name: string) => void;
  /** `hasMore`: other files wait to be checked. */
  onLoaded: (loaded: LoadedForm, hasMore: boolean) => void;
  onClose: () => void;
}

/** Loads questionnaires, one after the other: choose files, check each, preview it, load it. */
export function LoaderDialog({ replaces, dropped, onPreview, onLoaded, onClose }: LoaderDialogProps) {
  const { t } = useLingui();
  const language = useLanguage();
  const say = useErrorMessage();
  const { loading, look, load, stop } = useLoader(replaces?.formType);
  const [isLoading, setIsLoading] = useState(false);
  /** Files that were chosen together with this one. */
  const [waiting, setWaiting] = useState<readonly File[]>([]);
  const lastDropped = useRef<readonly File[]>(null);
  const verdict = useRef<HTMLDivElement>(null);

  const lookAtFirst = ([file, ...others]: readonly File[]) => {
    setWaiting(others);
    if (file) void look(file, file.name);
    else stop();
  };
  useEffect(() => {
    if (!dropped || lastDropped.current === dropped) return;
    lastDropped.current = dropped;
    lookAtFirst(replaces ? dropped.slice(0, 1) : dropped);
  });
  const { at } = loading;
  useEffect(() => {
    if (at === 'judged') verdict.current?.focus();
  }, [at]);

  const result = loading.at === 'judged' ? loading.result : null;
  const becomes = result?.becomes ?? null;
  const isSame = becomes?.replaces?.own === true && becomes.replaces.version === becomes.version;
  const take = async () => {
    setIsLoading(true);
    const loaded = await load();
    setIsLoading(false);
    if (!loaded?.form) return;
    onLoaded(loaded, waiting.length > 0);
    if (waiting.length > 0) lookAtFirst(waiting);
  };
  const name = replaces?.name[language];
  const footer = (
    <>
      {at === 'waiting' ? (
        <Button onClick={onClose}>{t`Cancel`}</Button>
      ) : (
        <Button onClick={() => lookAtFirst([])}>
          {at === 'judged' || at === 'failed' ? t`Choose another file` : t`Cancel`}
        </Button>
      )}
      {waiting.length > 0 && (at === 'judged' || at === 'failed') && (
        <Button onClick={() => lookAtFirst(waiting)}>{t`Skip this file`}</Button>
      )}
      {loading.at === 'judged' && becomes && (
        <>
          <Button icon={EyeIcon} onClick={() => onPreview(loading.text, becomes.name[language])}>
            {t`Preview`}
          </Button>
          <Button variant="filled" busy={isLoading} locked={isSame} onClick={() => void take()}>
            {becomes.replaces ? t`Replace` : t`Load`}
          </Button>
        </>
      )}
    </>
  );
  return (
    <Dialog title={name === undefined ? t`Load a form` : t`Replace ${name}`} onClose={onClose} footer={footer} size="l">
      {at === 'waiting' && (
        <PickFile
          multiple={!replaces}
          onPick={(file, fileName, others) => {
            setWaiting(others);
            void look(file, fileName);
          }}
        />
      )}
      {waiting.length > 0 && (
        <p
          className={css.says}
        >{t`${plural(waiting.length, { one: '# more file follows', other: '# more files follow' })}.`}</p>
      )}
      {(loading.at === 'reading' || loading.at === 'sending') && <Progress loading={loading} />}
      {loading.at === 'failed' && (
        <Banner
          tone="red"
          action={
            <Button size="s" icon={RefreshIcon} onClick={loading.again}>
              {t`Try again`}
            </Button>
          }
        >
          <bdi>{loading.name}</bdi>: {say(loading.error)}
        </Banner>
      )}
      {loading.at === 'judged' && (
        <div ref={verdict} role="group" aria-label={t`What was found`} tabIndex={-1} className={css.judged}>
          <div className={css.verdict}>
            <Verdict result={loading.result} fileName={loading.name} isSame={isSame} />
          </div>
          <Findings findings={loading.result.findings} text={loading.text} />
        </div>
      )}
    </Dialog>
  );
}

/** How far the file has been read and sent. */
function Progress({ loading: { at, name, part } }: { loading: Extract<Loading, { part: number }> }) {
  const { t } = useLingui();
  const percent = Math.round(part * 100);
  return (
    <div className={css.progress}>
      <p>
        <bdi>{name}</bdi>
      </p>
      <progress max={100} value={percent} aria-label={t`File progress`} />
      <p role="status" className={css.says}>
        {at === 'reading' ? t`Reading the file…` : percent < 100 ? t`Sending it…` : t`Checking it…`}
      </p>
    </div>
  );
}

/** Whether the file can be used, and as which form and version. */
function Verdict({ result, fileName, isSame }: { result: LoadedForm; fileName: string; isSame: boolean }) {
  const { t } = useLingui();
  const language = useLanguage();
  const counts = useFindingCounts();
  const { becomes, findings } = result;
  const { errors, warnings } = counts(findings);
  if (!becomes)
    return (
      <Banner tone="red">
        <strong>
          <bdi>{fileName}</bdi>
        </strong>
        <p>{t`This file cannot be used as a form: ${errors}. Correct it where it was made, then choose it again.`}</p>
      </Banner>
    );
  const { version, replaces } = becomes;
  const name = becomes.name[language];
  const what = isSame
    ? t`Version ${version}, loaded already. Loading it again changes nothing.`
    : replaces
      ? t`It becomes version ${version} and replaces version ${replaces.version}. Forms that patients have started keep the version they started with.`
      : t`It becomes a new form, version ${version}.`;
  return (
    <Banner tone={findings.length > 0 ? 'amber' : 'green'} icon={findings.length > 0 ? undefined : CheckCircleIcon}>
      <strong>{name}</strong>
      <p>
        {findings.length > 0 ? t`It can be used. It has ${warnings}: please read them.` : t`No problems were found.`}{' '}
        {what}
      </p>
    </Banner>
  );
}
