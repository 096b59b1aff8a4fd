import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { readPublicConfig, type PublicConfig } from '#contract/office.ts';
import { boot } from '#web/kit/boot.ts';
import { call } from '#web/kit/call.ts';
import { Button } from '#web/ui/plain/button.tsx';
import { TrashIcon } from '#web/ui/plain/icons.tsx';
import { toast } from '#web/ui/plain/toasts.ts';

const testingDomain = /@[^@\s]*\.test\s*$/i;

/** For those who try the product out: shown for addresses of a testing domain, where the installation allows it. */
export function ClearBrowserData({ email }: { email: string }) {
  const { t } = useLingui();
  const { data: config } = useQuery({
    queryKey: ['config', 'public'],
    queryFn: () => call(readPublicConfig),
    initialData: () => boot<{ config: PublicConfig }>().config,
    staleTime: Infinity,
  });
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
