import { useLingui } from '@lingui/react/macro';
import { usePublicConfig } from '#web/kit/public-config.ts';
import { Button } from '#web/panel/ui/button.tsx';
import { TrashIcon } from '#web/icons/trash.tsx';
import { toast } from '#web/panel/ui/toasts.ts';

const testingDomain = /@[^@\s]*\.test\s*$/i;

/** For testers: shown for addresses of a testing domain if the installation allows it. */
export function ClearBrowserData({ email }: { email: string }) {
  const { t } = useLingui();
  const config = usePublicConfig();
  if (!config?.clearBrowserData || !testingDomain.test(email)) return null;
  const clear = () => {
    localStorage.clear();
    sessionStorage.clear();
    toast({ seconds: 2, title: t`Browser data cleared` });
  };
  return (
    <Button variant="subtle" icon={TrashIcon} onClick={clear}>
      {t`Clear browser data`}
    </Button>
  );
}
